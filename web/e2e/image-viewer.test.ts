// Looking closely at pictures whose every pixel is known (write_viewer.py): zoom, pan, values, comparison.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { test as base, expect } from './fixtures';
import { ENVIRONMENT, PYTHON } from './logs';
import { Screen } from './screen';
import { Server } from './server';

const test = base.extend<object, { pictures: Server }>({
  pictures: [
    async ({}, use) => {
      const directory = await mkdtemp(join(tmpdir(), 'sightline-e2e-'));
      const script = join(import.meta.dirname, 'write_viewer.py');
      await promisify(execFile)(PYTHON, [script, directory], { env: ENVIRONMENT });
      const server = await Server.start(directory);
      await use(server);
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

// The grid behind the viewer asks for it, and the server refuses: as it should.
test.use({ expectedErrors: [/pictures%2Fbomb/] });

interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}
type Colour = readonly [red: number, green: number, blue: number];

/** The viewer as it is met: its panes, and pixels of the pictures in them. */
class Viewer {
  constructor(readonly page: Page) {}

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: /^Pictures: / });
  }

  /** The only one, or the one whose name begins like this. */
  pane(name: RegExp = /./): Locator {
    return this.dialog.getByRole('application', { name });
  }

  get readout(): Locator {
    return this.dialog.locator('.readout');
  }

  get scale(): Locator {
    return this.dialog.getByLabel('Scale', { exact: true });
  }

  async open(server: Server, slots: string, ...words: string[]): Promise<void> {
    const media = [`open:${slots}`, ...words].join(',');
    await this.page.goto(`${server.url}#images&media=${media}&full=viewer:pictures`);
    await this.ready();
  }

  /** Pictures are there, and none is on its way. */
  async ready(): Promise<void> {
    await expect(this.pane().first()).toHaveAttribute('data-scale', /./);
    await expect(this.dialog.locator('[aria-busy="true"]')).toHaveCount(0);
  }

  async viewport(pane: Locator): Promise<View> {
    const said = await pane.evaluate(({ dataset }) => [dataset['scale'], dataset['centre']]);
    const [scale = NaN, x = NaN, y = NaN] = said.join().split(',').map(Number);
    return { scale, x, y };
  }

  /** As soon as it does not change any more: a wheel may be on its way yet. */
  async stillViewport(pane: Locator): Promise<View> {
    let last = await this.viewport(pane);
    await expect
      .poll(async () => {
        const before = JSON.stringify(last);
        last = await this.viewport(pane);
        return JSON.stringify(last) === before;
      })
      .toBe(true);
    return last;
  }

  /** Where the middle of a pixel is, in the window. */
  async placeOf(pane: Locator, x: number, y: number): Promise<{ x: number; y: number }> {
    const box = (await pane.boundingBox())!;
    const view = await this.viewport(pane);
    return {
      x: box.x + box.width / 2 + (x + 0.5 - view.x) * view.scale,
      y: box.y + box.height / 2 + (y + 0.5 - view.y) * view.scale,
    };
  }

  async pointAt(pane: Locator, x: number, y: number): Promise<void> {
    const place = await this.placeOf(pane, x, y);
    await this.page.mouse.move(place.x, place.y);
  }

  /** What is drawn a little off the middle of a pixel. */
  async colourAt(pane: Locator, x: number, y: number): Promise<Colour> {
    const box = (await pane.boundingBox())!;
    const place = await this.placeOf(pane, x, y);
    return await pane.locator('canvas').evaluate(
      (canvas: HTMLCanvasElement, at) => {
        const { data } = canvas.getContext('2d')!.getImageData(at.x, at.y, 1, 1);
        return [data[0]!, data[1]!, data[2]!] as const;
      },
      { x: Math.round(place.x - box.x), y: Math.round(place.y - box.y) },
    );
  }

  async expectColour(pane: Locator, x: number, y: number, colour: Colour): Promise<void> {
    await expect.poll(() => this.colourAt(pane, x, y)).toEqual(colour);
  }

  async mode(name: string): Promise<void> {
    await this.dialog.getByRole('radio', { name, exact: true }).check({ force: true });
  }

  async word(name: string): Promise<string | undefined> {
    const words = (new Screen(this.page).words().get('media') ?? '').split(',');
    return Promise.resolve(words.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1));
  }
}

test('one picture: values, zoom, pan, steps, runs, keys, link and Back', async ({
  page,
  pictures,
  shoot,
}) => {
  const viewer = new Viewer(page);
  await page.goto(`${pictures.url}#images`);
  await page.getByRole('button', { name: 'first, step 200', exact: true }).last().click();
  await viewer.ready();
  const pane = viewer.pane();

  // The last step, as the grid showed it.
  await viewer.pointAt(pane, 3, 5);
  await expect(viewer.readout).toHaveText(/x 3 y 5\s*R 3\s*G 5\s*B 200/);
  await expect(viewer.dialog.getByRole('list', { name: 'Facts' })).toContainText('16 × 12');
  await shoot(page, 'one');

  // The wheel zooms around the pointer: the same pixel stays below it.
  const before = await viewer.viewport(pane);
  await page.mouse.wheel(0, -240);
  await expect.poll(async () => (await viewer.viewport(pane)).scale).toBeGreaterThan(before.scale);
  const zoomed = await viewer.stillViewport(pane);
  const start = await viewer.placeOf(pane, 3, 5);
  await page.mouse.move(start.x + 1, start.y);
  await expect(viewer.readout).toHaveText(/x 3 y 5/);

  // A drag of ten of its pixels moves the middle by as much.
  await page.mouse.down();
  await page.mouse.move(start.x + 2 * zoomed.scale + 1, start.y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((zoomed.x - (await viewer.viewport(pane)).x) * 10) / 10).toBe(2);

  // Steps and runs keep the place.
  const place = await viewer.viewport(pane);
  await page.keyboard.press('ArrowLeft');
  await expect(viewer.pane(/step 100$/)).toBeVisible();
  await viewer.pointAt(pane, 4, 6);
  await expect(viewer.readout).toHaveText(/R 4\s*G 6\s*B 100/);
  await page.keyboard.press('ArrowDown');
  await expect(viewer.pane(/other, step 100$/)).toBeVisible();
  await expect(viewer.readout).toHaveText(/R 7\s*G 6\s*B 100/);
  expect(await viewer.viewport(pane)).toEqual(place);

  // It plays to the last step, and keeps the place.
  await page.keyboard.press('Space');
  await expect(viewer.pane(/other, step 200$/)).toBeVisible();
  await expect(viewer.dialog.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  expect(await viewer.viewport(pane)).toEqual(place);
  await page.keyboard.press('ArrowLeft');
  await expect(viewer.pane(/other, step 100$/)).toBeVisible();

  // Keys: actual size, all of it, pan, the cursor.
  await page.keyboard.press('1');
  await expect(viewer.scale).toHaveText('100 %');
  await page.keyboard.press('+');
  await expect(viewer.scale).toHaveText('150 %');
  const beforePan = await viewer.viewport(pane);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => (await viewer.viewport(pane)).x).toBeGreaterThan(beforePan.x);
  await page.keyboard.press('0');
  await expect(viewer.scale).toHaveText('3200 %');
  await page.mouse.move(5, 5);
  await page.keyboard.press('c');
  await expect(viewer.readout).toHaveText(/x 8 y 6\s*R 11\s*G 6\s*B 100/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(viewer.readout).toHaveText(/x 9 y 0\s*R 12\s*G 0\s*B 100/);
  await page.keyboard.press('Control+c');
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('(9, 0): R 12, G 0, B 100');
  await page.keyboard.press('Escape');
  await expect(viewer.readout).toHaveText(/Point at a pixel/);

  // Its keys, above it: Esc closes them alone, and the keys are the viewer's again.
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard and pointer' });
  await expect(help.getByRole('heading', { level: 3 }).first()).toHaveText('Viewer');
  await expect(help.getByRole('heading', { level: 2, name: 'On the page below' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(viewer.dialog).toBeVisible();

  // A link brings it back: by name, with the place.
  await page.keyboard.press('1');
  await expect.poll(() => viewer.word('open')).toBe('other;pictures/digits;;100');
  await expect.poll(() => viewer.word('open.at')).toBe('1_8_6');
  await page.reload();
  await expect(viewer.pane(/other, step 100$/)).toBeVisible();
  await expect(viewer.scale).toHaveText('100 %');

  await page.goBack();
  await expect(viewer.dialog).toBeHidden();
  await expect.poll(() => viewer.word('open')).toBeUndefined();
  await page.goForward();
  await expect(viewer.pane(/other, step 100$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer.dialog).toBeHidden();
});

test('exact values of 16 bits and alpha; ranges and false colour', async ({ page, pictures }) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/depth;;200');
  await viewer.pointAt(viewer.pane(), 7, 11);
  await expect(viewer.readout).toHaveText(/x 7 y 11\s*11270/);
  await expect(viewer.dialog.getByRole('list', { name: 'Facts' })).toContainText('gray, 16 bit');

  // The range of its own values: the least is black, the greatest white.
  await viewer.dialog.getByRole('button', { name: 'Adjust the look', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Look of the pictures', exact: true });
  await viewer.expectColour(viewer.pane(), 15, 11, [44, 44, 44]);
  await panel.getByRole('radio', { name: 'Auto', exact: true }).first().check({ force: true });
  await viewer.expectColour(viewer.pane(), 15, 11, [255, 255, 255]);
  await viewer.expectColour(viewer.pane(), 0, 0, [0, 0, 0]);
  await panel.getByLabel('False colour', { exact: true }).selectOption('viridis');
  await viewer.expectColour(viewer.pane(), 15, 11, [253, 231, 37]);
  await viewer.expectColour(viewer.pane(), 0, 0, [68, 1, 84]);
  await expect(
    viewer.dialog.getByRole('img', { name: 'Colours from 200 to 11350', exact: true }),
  ).toBeVisible();
  await panel.getByRole('radio', { name: 'Typed', exact: true }).check({ force: true });
  await panel.getByLabel('Value that is white', { exact: true }).fill('5000');
  await panel.getByLabel('Value that is white', { exact: true }).press('Enter');
  await viewer.expectColour(viewer.pane(), 0, 5, [253, 231, 37]);
  await expect.poll(() => viewer.word('open.range')).toBe('200..5000');

  await viewer.open(pictures, 'first;pictures/mask;;0');
  await expect(viewer.pane(/mask/)).toBeVisible();
  await viewer.ready();
  await viewer.pointAt(viewer.pane(), 3, 2);
  await expect(viewer.readout).toHaveText(/200\s*A 30/);
});

test('actual size asked for before the picture is there', async ({ page, pictures }) => {
  // Not all originals: the grid behind asks for some, too.
  const original = /images\/original.*digits/;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(original, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(original);
  const viewer = new Viewer(page);
  await page.goto(`${pictures.url}#images&media=open:first;pictures/digits;;100&full=viewer:pictures`);
  await asked;
  await expect(viewer.scale).toHaveText('–');
  await page.keyboard.press('1');
  release();
  await expect(viewer.scale).toHaveText('100 %');
});

test('a bomb gets a sentence and a way to the file', async ({ page, pictures }) => {
  await page.goto(`${pictures.url}#images&media=open:first;pictures/bomb;;0&full=viewer:pictures`);
  const { dialog } = new Viewer(page);
  await expect(dialog.getByText(/30,?000/).first()).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Download as logged', exact: true })).toBeVisible();
});

test('of a picture that does not exist nothing can be done but leave', async ({ page, pictures }) => {
  await page.goto(`${pictures.url}#images&media=open:nosuch;pictures/digits;;0&full=viewer:pictures`);
  const viewer = new Viewer(page);
  await expect(viewer.dialog.getByText('There is no run called “nosuch”')).toBeVisible();
  for (const name of ['Zoom out', 'Zoom in', 'Fit', '1 : 1', 'Adjust the look', 'Download as logged']) {
    await expect(viewer.dialog.getByRole('button', { name, exact: true })).toBeDisabled();
  }
  await expect(viewer.readout).toHaveText('');
  await expect(viewer.dialog.getByRole('button', { name: 'Close', exact: true })).toBeEnabled();
});

test('channels and tone', async ({ page, pictures }) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/digits;;200');
  const pane = viewer.pane();
  await viewer.expectColour(pane, 10, 4, [10, 4, 200]);
  await viewer.dialog.getByRole('button', { name: 'Adjust the look', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Look of the pictures', exact: true });
  const expected: Record<string, number> = { R: 10, G: 4, B: 200, Lum: 19 };
  for (const [name, value] of Object.entries(expected)) {
    await panel.getByRole('radio', { name, exact: true }).check({ force: true });
    await viewer.expectColour(pane, 10, 4, [value, value, value]);
  }
  // What it does not have is not offered.
  await expect(panel.getByRole('radio', { name: 'A', exact: true })).toHaveCount(0);
  await panel.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
  await panel.getByRole('spinbutton', { name: 'Gamma', exact: true }).fill('2');
  await viewer.expectColour(pane, 10, 4, [50, 32, 226]);
  await panel.getByRole('spinbutton', { name: 'Brightness', exact: true }).fill('2');
  await viewer.expectColour(pane, 10, 4, [71, 45, 255]);
  await expect(panel.getByRole('img', { name: 'Histogram of values', exact: true })).toBeVisible();
  await panel.getByRole('button', { name: 'Reset the look', exact: true }).click();
  await viewer.expectColour(pane, 10, 4, [10, 4, 200]);

  // Esc closes the panel and not the viewer, also right after it was opened.
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(viewer.dialog).toBeVisible();
});

test('two pictures: in sync, swiped, blinking, subtracted', async ({ page, pictures, shoot }) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/digits;;100');

  // Another run beside it.
  await viewer.dialog.getByRole('button', { name: 'Add a picture…', exact: true }).click();
  const adding = page.getByRole('dialog', { name: 'Add a picture', exact: true });
  await adding.getByLabel('Run', { exact: true }).selectOption('other');
  await adding.getByRole('button', { name: 'Add to the comparison', exact: true }).click();
  const [first, other] = [viewer.pane(/first/), viewer.pane(/other/)];
  await expect(other).toBeVisible();
  await viewer.pointAt(first, 5, 2);
  const captions = viewer.dialog.locator('.caption');
  await expect(captions.nth(0)).toContainText(/R 5\s*G 2\s*B 100/);
  await expect(captions.nth(1)).toContainText(/R 8\s*G 2\s*B 100/);

  // Zoom and pan go together, and not when they should not.
  await page.mouse.wheel(0, -240);
  await expect.poll(async () => (await viewer.viewport(first)).scale).toBeGreaterThan(32);
  await expect.poll(() => viewer.viewport(other)).toEqual(await viewer.stillViewport(first));
  await page.keyboard.press('s');
  const left = await viewer.viewport(other);
  await page.mouse.wheel(0, -240);
  await expect.poll(async () => (await viewer.viewport(first)).scale).toBeGreaterThan(left.scale);
  expect(await viewer.viewport(other)).toEqual(left);
  await page.keyboard.press('s');
  await page.keyboard.press('0');

  // One slider for both, as they are different runs.
  await viewer.dialog.getByRole('slider', { name: 'Step of all pictures', exact: true }).press('ArrowRight');
  await expect(viewer.pane(/first, step 200$/)).toBeVisible();
  await expect(viewer.pane(/other, step 200$/)).toBeVisible();
  await shoot(page, 'side-by-side');

  await viewer.mode('Swipe');
  const one = viewer.pane();
  await viewer.expectColour(one, 2, 2, [2, 2, 200]);
  await viewer.expectColour(one, 14, 2, [17, 2, 200]);
  const divider = viewer.dialog.getByRole('slider', { name: 'Divider between A and B', exact: true });
  const handle = (await divider.boundingBox())!;
  const target = await viewer.placeOf(one, 1, 2);
  await page.mouse.move(handle.x + handle.width / 2, handle.y + 20);
  await page.mouse.down();
  await page.mouse.move(target.x, handle.y + 20, { steps: 3 });
  await page.mouse.up();
  await viewer.expectColour(one, 2, 2, [5, 2, 200]);
  await divider.press('End');
  await viewer.expectColour(one, 14, 2, [14, 2, 200]);
  await divider.press('Home');
  await viewer.expectColour(one, 0, 2, [3, 2, 200]);

  // Its place is in the link.
  await divider.press('ArrowRight');
  await expect.poll(() => viewer.word('open.swipe')).toBe('2');
  await page.reload();
  await expect(divider).toHaveAttribute('aria-valuenow', '2');
  // With the focus on it all other keys are still the viewer's.
  await divider.press('1');
  await expect(viewer.scale).toHaveText('100 %');
  await divider.press('+');
  await expect(viewer.scale).toHaveText('150 %');
  const beforePan = await viewer.viewport(one);
  await divider.press('Shift+ArrowRight');
  await expect.poll(async () => (await viewer.viewport(one)).x).toBeGreaterThan(beforePan.x);
  await expect(divider).toHaveAttribute('aria-valuenow', '2');
  await divider.press('0');
  await divider.press(',');
  await expect(viewer.pane(/first, step 100;/)).toBeVisible();
  await divider.press('.');
  await expect(viewer.pane(/first, step 200;/)).toBeVisible();
  await divider.press('m');
  await expect(viewer.dialog.getByRole('radio', { name: 'Blink', exact: true })).toBeChecked();

  const badge = viewer.dialog.locator('.badge');
  await expect(badge).toHaveText('B');
  // Held before pixels are looked at: the sides change faster than that.
  await one.focus();
  await page.keyboard.press(' ');
  await expect(viewer.dialog.getByRole('button', { name: 'Blink', exact: true })).toBeVisible();
  const red = { A: 2, B: 5 };
  const held = (await badge.textContent()) === 'A' ? 'A' : 'B';
  const turned = held === 'A' ? 'B' : 'A';
  await viewer.expectColour(one, 2, 2, [red[held], 2, 200]);
  await viewer.dialog.getByRole('button', { name: `Show ${turned}`, exact: true }).click();
  await expect(badge).toHaveText(turned);
  await viewer.expectColour(one, 2, 2, [red[turned], 2, 200]);

  await viewer.mode('Difference');
  const numbers = viewer.dialog.getByLabel('Difference in numbers', { exact: true });
  // Red differs by 3 everywhere: RMSE √(9/3), PSNR 10 log₁₀(255²/3).
  await expect(numbers).toHaveText(
    /Max\s*3\s*Mean\s*1\s*RMSE\s*1\.7321\s*PSNR\s*43\.36 dB\s*Differing\s*100 %/,
  );
  await viewer.expectColour(one, 2, 2, [3, 0, 0]);
  await viewer.dialog.getByRole('spinbutton', { name: 'Times', exact: true }).fill('20');
  await viewer.expectColour(one, 2, 2, [60, 0, 0]);
  await viewer.dialog.getByRole('button', { name: /^Fit the scale/ }).click();
  await expect(viewer.dialog.getByRole('spinbutton', { name: 'Times', exact: true })).toHaveValue('85');
  await viewer.expectColour(one, 2, 2, [255, 0, 0]);
  // At the pointer: how much, and what each has above.
  await viewer.pointAt(one, 5, 2);
  await expect(viewer.readout).toContainText(/\|A − B\|\s*R 3\s*G 0\s*B 0/);
  await expect(captions.last()).toContainText(/R 8\s*G 2\s*B 200/);
  await expect(viewer.dialog.getByRole('list', { name: 'Facts of A', exact: true })).toContainText('PNG');
  await shoot(page, 'difference-fit');
  await viewer.dialog.getByRole('spinbutton', { name: 'Times', exact: true }).fill('20');
  await viewer.mode('B − A');
  await expect(
    viewer.dialog.getByRole('img', { name: 'Colours from -12.75 to 12.75', exact: true }),
  ).toBeVisible();
  await expect.poll(async () => (await viewer.colourAt(one, 2, 2))[0]).toBeGreaterThan(230);
  await shoot(page, 'difference');

  // The channel is that of the difference; what has no meaning for it cannot be touched, and it says why.
  await viewer.dialog.getByRole('button', { name: 'Adjust the look', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Look of the pictures', exact: true });
  await expect(panel.getByText('The difference has its own scale: × and Fit')).toBeVisible();
  await expect(panel.getByRole('img', { name: 'Histogram of values', exact: true })).toHaveCount(0);
  for (const name of ['Brightness', 'Contrast', 'Gamma']) {
    await expect(panel.getByRole('spinbutton', { name, exact: true })).toBeDisabled();
  }
  const range = panel.getByRole('radiogroup', { name: 'Range of values', exact: true });
  await expect(range.getByRole('radio', { name: 'Auto', exact: true })).toBeDisabled();
  await panel.getByRole('radio', { name: 'G', exact: true }).check({ force: true });
  await expect(numbers).toHaveText(/Channel\s*Green\s*Max\s*0.*PSNR\s*∞/);
  // Equal: the middle of blue to red.
  await viewer.expectColour(one, 2, 2, [222, 220, 219]);
  await viewer.mode('|A − B|');
  await viewer.expectColour(one, 2, 2, [0, 0, 0]);
  await viewer.dialog.getByRole('button', { name: 'Adjust the look', exact: true }).click();
  await panel.getByRole('radio', { name: 'R', exact: true }).check({ force: true });
  await expect(numbers).toHaveText(/Channel\s*Red\s*Max\s*3\s*Mean\s*3/);
  await viewer.expectColour(one, 2, 2, [60, 60, 60]);
  await shoot(page, 'difference-of-red');
  await panel.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
  await page.keyboard.press('Escape');
  await viewer.mode('B − A');

  // The two change places; and back again.
  const swap = viewer.dialog.getByRole('button', { name: 'Swap A and B', exact: true });
  await swap.click();
  await expect.poll(async () => (await viewer.colourAt(one, 2, 2))[2]).toBeGreaterThan(230);
  await expect(captions.first()).toContainText('other');
  await shoot(page, 'swapped');
  await swap.click();

  // The link has all of it.
  await expect.poll(() => viewer.word('open')).toBe('first;pictures/digits;;200$other;;;200');
  await expect.poll(() => viewer.word('open.mode')).toBe('difference');
  await page.reload();
  await expect(numbers).toHaveText(/Max\s*3/);

  // Out with the second.
  await viewer.dialog.getByRole('button', { name: 'Take other out of the comparison', exact: true }).click();
  await expect(viewer.pane(/first, step 200$/)).toBeVisible();
  await expect(viewer.dialog.getByRole('radio', { name: 'Swipe', exact: true })).toHaveCount(0);
});

test('another link while it is open, and back: each with its own pictures and place', async ({
  page,
  pictures,
}) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/digits;;100', 'open.at:2_8_6');
  await expect(viewer.scale).toHaveText('200 %');
  await viewer.open(pictures, 'other;pictures/digits;;0', 'open.at:4_3_5');
  await expect(viewer.pane(/other, step 0$/)).toBeVisible();
  await expect(viewer.scale).toHaveText('400 %');
  await page.keyboard.press('1');
  await expect.poll(() => viewer.word('open.at')).toBe('1_3_5');
  await page.goBack();
  await expect(viewer.pane(/first, step 100$/)).toBeVisible();
  await expect(viewer.scale).toHaveText('200 %');
  expect(await viewer.word('open.at')).toBe('2_8_6');
  await page.goForward();
  await expect(viewer.pane(/other, step 0$/)).toBeVisible();
  await expect(viewer.scale).toHaveText('100 %');
});

test('different sizes are said; steps of one run move on their own', async ({ page, pictures }) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/small;;0$other;;;0', 'open.mode:difference');
  await expect(
    viewer.dialog.getByText('A is 16 × 12, B is 8 × 12: compared where both are, from the top left'),
  ).toBeVisible();
  await expect(viewer.dialog.getByLabel('Difference in numbers', { exact: true })).toHaveText(
    /Max\s*0.*PSNR\s*∞/,
  );

  await viewer.open(pictures, 'first;pictures/digits;;0$first;;;200');
  const slider = viewer.dialog.getByRole('slider', { name: /step 0$/ });
  await slider.press('ArrowRight');
  await expect(viewer.pane(/step 100$/)).toBeVisible();
  await expect(viewer.pane(/step 200$/)).toBeVisible();
});

test.describe('reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing blinks by itself, but space still changes sides', async ({ page, pictures }) => {
    const viewer = new Viewer(page);
    await viewer.open(pictures, 'first;pictures/digits;;0$other;;;0', 'open.mode:blink');
    await expect(viewer.dialog.getByRole('button', { name: 'Blink', exact: true })).toBeVisible();
    await expect(viewer.dialog.locator('.badge')).toHaveText('A');
    await viewer.pane().focus();
    await page.keyboard.press(' ');
    await expect(viewer.dialog.locator('.badge')).toHaveText('B');
  });
});

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include('dialog[open]').analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
}

test('axe finds nothing serious', async ({ page, pictures }) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/digits;;0$other;;;0', 'open.mode:swipe');
  await expectAccessible(page);
  await viewer.dialog.getByRole('button', { name: 'Adjust the look', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Look of the pictures', exact: true })).toBeVisible();
  await expectAccessible(page);
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });

  test('fits the screen; a finger reads a pixel, two fingers zoom', async ({ page, pictures, shoot }) => {
    const viewer = new Viewer(page);
    await viewer.open(pictures, 'first;pictures/digits;;100');
    const pane = viewer.pane();
    const { scale } = await viewer.viewport(pane);
    await expect(viewer.readout).toHaveText('Touch a pixel to read it');
    const place = await viewer.placeOf(pane, 6, 3);
    await page.touchscreen.tap(place.x, place.y);
    await expect(viewer.readout).toHaveText(/x 6 y 3\s*R 6\s*G 3\s*B 100/);

    const touch = await page.context().newCDPSession(page);
    const fingers = async (type: 'touchStart' | 'touchMove' | 'touchEnd', apartPx: number): Promise<void> => {
      const touchPoints =
        type === 'touchEnd'
          ? []
          : [
              { x: 195 - apartPx / 2, y: 400, id: 1 },
              { x: 195 + apartPx / 2, y: 400, id: 2 },
            ];
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await fingers('touchStart', 60);
    for (const apartPx of [80, 100, 120]) await fingers('touchMove', apartPx);
    await fingers('touchEnd', 120);
    await expect
      .poll(async () => Math.round((10 * (await viewer.viewport(pane)).scale) / scale) / 10)
      .toBeCloseTo(2, 0);

    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await shoot(page, 'phone');
  });
});
