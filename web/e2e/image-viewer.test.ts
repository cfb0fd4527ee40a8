// Looking closely at pictures whose every pixel is known (write_viewer.py): zoom, pan, values, links. Comparison is in
// image-compare.test.ts.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test, Viewer } from './image-viewer';

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
  const channel = panel.getByLabel('Channel', { exact: true });
  const expected: Record<string, number> = { Red: 10, Green: 4, Blue: 200, Luminance: 19 };
  for (const [name, value] of Object.entries(expected)) {
    await channel.selectOption(name);
    await viewer.expectColour(pane, 10, 4, [value, value, value]);
  }
  // What it does not have is not offered.
  await expect(channel.getByRole('option', { name: 'Alpha', exact: true })).toHaveCount(0);
  await channel.selectOption('All');
  await panel.getByRole('spinbutton', { name: 'Gamma', exact: true }).fill('2');
  await viewer.expectColour(pane, 10, 4, [50, 32, 226]);
  await panel.getByRole('spinbutton', { name: 'Brightness', exact: true }).fill('2');
  await viewer.expectColour(pane, 10, 4, [71, 45, 255]);
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
