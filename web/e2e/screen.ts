// The page as a user meets it: things are found by their role and name, numbers are read off the screen. Tests say what
// is done and seen; how that is found in the page is said once, here.
import { expect, type Locator, type Page } from '@playwright/test';

/** One line of the table of values below a chart. */
export interface ShownValue {
  readonly run: string;
  readonly smoothed: string;
  readonly value: string;
  readonly step: string;
}

export class Screen {
  constructor(readonly page: Page) {}

  // ---- runs ------------------------------------------------------------------------------------------------------

  get runFilter(): Locator {
    return this.page.getByRole('textbox', { name: /^Filter runs by/ });
  }

  /** The same box while it takes expressions about values: then it completes them. */
  get valueFilter(): Locator {
    return this.page.getByRole('combobox', { name: 'Filter runs by values' });
  }

  get runTable(): Locator {
    return this.page.getByRole('region', { name: 'Runs' });
  }

  runBox(name: string): Locator {
    return this.page.getByRole('checkbox', { name: `Show ${name}`, exact: true });
  }

  folderBox(name: string): Locator {
    return this.page.getByRole('checkbox', { name: `Show all in ${name}`, exact: true });
  }

  runRow(name: string): Locator {
    return this.page.getByRole('row').filter({ has: this.runBox(name) });
  }

  /** Full names of the runs in the table, from top to bottom. */
  async listedRuns(): Promise<string[]> {
    const boxes = this.page.getByRole('checkbox', { name: /^Show (?!all in )/ });
    const labels = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label') ?? ''));
    return labels.map((label) => label.replace(/^Show /, ''));
  }

  async expectRuns(names: readonly string[]): Promise<void> {
    await expect.poll(async () => (await this.listedRuns()).sort()).toEqual([...names].sort());
  }

  async chooseForRuns(item: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'Select runs', exact: true }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  // ---- charts ----------------------------------------------------------------------------------------------------

  get tagFilter(): Locator {
    return this.page.getByRole('textbox', { name: /^Filter charts/ });
  }

  /** The card of a tag. A pinned one is there twice; the first is the pinned one. */
  card(tag: string): Locator {
    return this.page.getByRole('article', { name: tag, exact: true }).first();
  }

  chart(tag: string): Locator {
    return this.card(tag).getByRole('application');
  }

  group(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** Titles of all cards in a group, also of those that are out of sight. */
  titlesIn(group: string): Locator {
    return this.group(group).getByRole('heading', { level: 3 });
  }

  /** The chart of this tag is drawn. */
  async waitForChart(tag: string): Promise<void> {
    await expect(this.card(tag).locator('canvas').first()).toBeVisible();
    await expect.poll(async () => (await this.values(tag)).length).toBeGreaterThan(0);
  }

  /** What stands in the table of values below a chart. */
  async values(tag: string): Promise<ShownValue[]> {
    return await valuesIn(this.card(tag));
  }

  /** Names of the runs in a chart, as far as its table names them. */
  async runsIn(tag: string): Promise<string[]> {
    return (await this.values(tag)).map(({ run }) => run);
  }

  /** "Last values", or where the cursor is. */
  place(tag: string): Locator {
    return this.card(tag).getByRole('columnheader').first();
  }

  /** A place in the plot, by fractions of its width and height, in pixels of the window. */
  async placeIn(chart: Locator, x: number, y = 0.5): Promise<{ x: number; y: number }> {
    // In sight, and at rest: what fills above it moves it.
    await chart.hover({ trial: true });
    const box = await chart.boundingBox();
    if (box === null) throw new Error('the chart is not on screen');
    // Inside of the labels of the axes.
    const [left, right, top, bottom] = [
      box.x + 60,
      box.x + box.width - 14,
      box.y + 12,
      box.y + box.height - 28,
    ];
    return { x: left + x * (right - left), y: top + y * (bottom - top) };
  }

  async hover(chart: Locator, x: number, y = 0.5): Promise<void> {
    const place = await this.placeIn(chart, x, y);
    // Twice: a pointer that has not moved hovers over nothing.
    await this.page.mouse.move(place.x - 3, place.y);
    await this.page.mouse.move(place.x, place.y);
    // A chart looks for the pointer once a frame; keys and numbers are about the place that it has seen.
    await frames(this.page, 2);
  }

  /** A card can be moved: the code for it is loaded beside the first charts. */
  async waitForArranging(tag: string): Promise<void> {
    await expect(this.card(tag).locator('header')).toHaveCSS('cursor', 'grab');
  }

  /** Takes a card by its head, and holds it. */
  async takeCard(tag: string): Promise<void> {
    await this.waitForArranging(tag);
    const head = await this.card(tag).getByRole('heading', { level: 3 }).boundingBox();
    if (head === null) throw new Error(`The card ${tag} is not on screen`);
    await this.page.mouse.move(head.x + 10, head.y + 8);
    await this.page.mouse.down();
    await this.page.mouse.move(head.x + 30, head.y + 16, { steps: 3 });
    await expect(this.page.getByText('Drop here for a new section')).toBeVisible();
  }

  /** Draws a zoom box over a stretch of the x axis. */
  async dragZoom(chart: Locator, from: number, to: number): Promise<void> {
    const start = await this.placeIn(chart, from);
    const end = await this.placeIn(chart, to);
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move((start.x + end.x) / 2, end.y, { steps: 3 });
    await this.page.mouse.move(end.x, end.y);
    await this.page.mouse.up();
  }

  // ---- the view in the address -----------------------------------------------------------------------------------

  /** The words behind the # of the address. */
  words(): URLSearchParams {
    return new URLSearchParams(new URL(this.page.url()).hash.slice(1));
  }

  xRange(): [number, number] | null {
    const text = this.words().get('xrange');
    if (text === null) return null;
    const [from, to] = text.split('..').map(Number);
    return from === undefined || to === undefined ? null : [from, to];
  }

  /** The range, once the address says it. */
  async waitForXRange(): Promise<[number, number]> {
    await expect.poll(() => this.xRange()).not.toBeNull();
    return this.xRange()!;
  }

  // ---- the frame -------------------------------------------------------------------------------------------------

  get connection(): Locator {
    return this.page.getByRole('button', { name: /: Live updates$/ });
  }

  async waitUntilLive(): Promise<void> {
    await expect(this.connection).toHaveText(/^\s*Live\s*$/);
  }

  /** Opens a page on a log that has data, and waits for the first chart. */
  async open(url: string, tag: string): Promise<void> {
    await this.page.goto(url);
    await this.waitForChart(tag);
  }
}

/** Lets the page draw so often. */
export async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (left) => {
    for (; left > 0; left--) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);
}

export async function valuesIn(place: Locator): Promise<ShownValue[]> {
  return await place.locator('tbody tr:not([hidden])').evaluateAll((rows) =>
    (rows as HTMLTableRowElement[]).map((row) => ({
      run: row.title,
      smoothed: row.querySelector('.smoothed')?.textContent ?? '',
      value: row.querySelector('.value')?.textContent ?? '',
      step: row.querySelector('.step')?.textContent ?? '',
    })),
  );
}

/** "1,234" → 1234. */
export function numberFrom(text: string): number {
  return Number(text.replaceAll(',', ''));
}
