// Somebody wants numbers: at one step, or over a range, of all runs in all charts at once. They come from every point of
// the log, whatever was left out for drawing.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { frames, numberFrom, Screen } from './screen';
import { RUNS } from './training-log';

const SEEDS = RUNS.filter(({ name }) => name.includes('seed'));

const table = (screen: Screen, tag: string): Locator =>
  screen.page.getByRole('region', { name: `Values of ${tag} at the step selector` }).last();

/** Cells by run and heading. */
async function cells(place: Locator): Promise<Record<string, Record<string, string>>> {
  return await place.evaluate((region) => {
    const headings = [...region.querySelectorAll('thead th')].slice(1).map((cell) => cell.textContent.trim());
    const rows = [...region.querySelectorAll<HTMLTableRowElement>('tbody tr')];
    return Object.fromEntries(
      rows.map((row) => [
        row.title,
        Object.fromEntries([...row.querySelectorAll('td')].map((cell, i) => [headings[i], cell.textContent])),
      ]),
    );
  });
}

/** The row of a run, by the end of its name: the shared beginning is not shown. */
async function rowOf(place: Locator, run: string): Promise<Record<string, string>> {
  const all = await cells(place);
  const name = Object.keys(all).find((label) => run.endsWith(label));
  return name === undefined ? {} : all[name]!;
}

async function opened(page: Page, url: string, words = '', tag = 'val/loss'): Promise<Screen> {
  const screen = new Screen(page);
  await screen.open(`${url}#timeseries&runFilter=seed&smoothing=none${words}`, tag);
  return screen;
}

/**
 * The pointer on the marker that stands at this x, on the axis. Its code is fetched with the first marker, and tables that fill move
 * the charts below: the pointer's shape tells when a press would take hold of it.
 */
async function pointAtMarker({ page }: Screen, chart: Locator, x: number): Promise<number> {
  let y = 0;
  await expect
    .poll(async () => {
      const box = (await chart.boundingBox())!;
      y = box.y + box.height - 12;
      await page.mouse.move(x, y);
      return await chart.evaluate((host) => getComputedStyle(host).cursor);
    })
    .toBe('ew-resize');
  return y;
}

const selected = (screen: Screen): string | null => screen.words().get('select');

test('a key puts the selector to the pointer, dragging moves it in all charts, and the numbers are those of the log', async ({
  page,
  training,
  shoot,
}) => {
  const screen = await opened(page, training.url);
  const chart = screen.chart('val/loss');
  const place = await screen.placeIn(chart, 0.4);
  await screen.hover(chart, 0.4);
  // The key means the place that the chart has seen, which it looks for once a frame.
  await expect(screen.place('val/loss')).toHaveText(/^Step /);
  await page.keyboard.press('e');
  await expect(table(screen, 'val/loss')).toBeVisible();
  const at = page.getByLabel('At', { exact: true });
  const before = Number(await at.inputValue());
  const y = await pointAtMarker(screen, chart, place.x);
  await page.mouse.down();
  await page.mouse.move(place.x + 60, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Number(await at.inputValue())).toBeGreaterThan(before + 10);
  // Of four moves the first may be seen alone: it rests when it is under the pointer.
  await expect(async () => {
    const step = Number(await at.inputValue());
    await frames(page, 3);
    expect([Number(selected(screen)), Number(await at.inputValue())]).toEqual([step, step]);
  }).toPass();
  const step = Number(selected(screen));
  for (const tag of ['val/loss', 'val/accuracy']) {
    for (const run of SEEDS) {
      const expected = run.tags[tag]![step]!;
      await expect
        .poll(async () => {
          const { Value: value = '', Step: at = '' } = await rowOf(table(screen, tag), run.name);
          return [Number(value), numberFrom(at)];
        })
        .toEqual([Number(expected.toPrecision(4)), step]);
    }
  }
  await shoot(page, 'step');
});

test('a range has statistics over every point, also of a run that is drawn reduced', async ({
  page,
  training,
}) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&runFilter=dense&select=100..20100`, 'train/loss');
  const dense = RUNS.find(({ name }) => name.endsWith('dense'))!;
  const values = dense.tags['train/loss']!.slice(100, 20_101);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const close = (value: number) => Number(value.toPrecision(4));
  await expect
    .poll(async () => {
      const row = await rowOf(table(screen, 'train/loss'), dense.name);
      return ['Min', 'Max', 'Start', 'End', 'Change', 'Mean'].map((heading) => Number(row[heading]));
    })
    .toEqual(
      [
        Math.min(...values),
        Math.max(...values),
        values[0]!,
        values.at(-1)!,
        values.at(-1)! - values[0]!,
        mean,
      ].map(close),
    );
  const slope = Number((await rowOf(table(screen, 'train/loss'), dense.name))['Slope']);
  expect(slope).toBeLessThan(0);
});

test('places can be typed, and brackets move the marker from point to point', async ({ page, training }) => {
  const screen = await opened(page, training.url);
  await page.getByRole('radio', { name: 'Range', exact: true }).check({ force: true });
  await expect.poll(() => selected(screen)).toBe('0..399');
  await page.getByRole('textbox', { name: 'To' }).fill('120');
  await page.getByRole('textbox', { name: 'To' }).press('Enter');
  await expect.poll(() => selected(screen)).toBe('0..120');
  await page.getByRole('textbox', { name: 'From' }).fill('nonsense');
  await page.getByRole('textbox', { name: 'From' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'From' })).toHaveValue('0');
  await screen.chart('val/loss').focus();
  await page.keyboard.press(']');
  await page.keyboard.press('{');
  await expect.poll(() => selected(screen)).toBe('1..119');
});

test('another horizontal axis takes the selector away', async ({ page, training }) => {
  const screen = await opened(page, training.url, '&select=50');
  await expect(table(screen, 'val/loss')).toBeVisible();
  await page.keyboard.press('x');
  await expect(table(screen, 'val/loss')).toBeHidden();
  await expect.poll(() => selected(screen)).toBeNull();
});

test('headings sort, and the table can be copied', async ({ page, training, shoot }) => {
  const screen = await opened(page, training.url, '&select=0..399&full=val/loss');
  const full = table(screen, 'val/loss');
  await expect(full.getByRole('columnheader', { name: 'Median' })).toBeVisible();
  const order = async () => Object.values(await cells(full)).map((row) => Number(row['Mean']));
  await expect.poll(async () => (await order()).every((mean) => mean > 0)).toBe(true);
  const means = (await order()).sort((a, b) => a - b);
  await full.getByRole('button', { name: 'Mean' }).click();
  await expect.poll(order).toEqual(means);
  await full.getByRole('button', { name: 'Mean' }).click();
  await expect.poll(order).toEqual([...means].reverse());
  await page.keyboard.press('c');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(async () => (await copied()).split('\n')[0]).toContain('run\tmin\tmax\t');
  await expect(full.getByRole('columnheader', { name: 'Mean' })).toHaveAttribute('aria-sort', 'descending');
  await shoot(page, 'full');
});

test('numbers follow a run that grows', async ({ page, logs, server }) => {
  await logs.write('a', { loss: [3, 2, 1] }, { isOpen: true });
  const screen = new Screen(page);
  await screen.open(`${server.url}#scalars&select=0..100`, 'loss');
  await screen.waitUntilLive();
  const minimum = async () => Number((await rowOf(table(screen, 'loss'), 'a'))['Min']);
  await expect.poll(minimum).toBe(1);
  await logs.write('a', { loss: [0.5, 0.25] }, { firstStep: 3, isOpen: true });
  await expect.poll(minimum).toBe(0.25);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the table scrolls sideways in its box, the page never does', async ({ page, training, shoot }) => {
    const screen = await opened(page, training.url, '&select=0..399', 'learning_rate');
    const box = table(screen, 'learning_rate');
    await expect(box.getByRole('columnheader', { name: 'Slope' })).toBeAttached();
    const [inner, outer] = await box.evaluate((region) => [region.scrollWidth, region.clientWidth]);
    expect(inner).toBeGreaterThan(outer);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await shoot(page, 'phone');
  });
});
