// The gallery of pictures: everything that people log is there, every step can be reached, and what is damaged or hostile has a
// sentence in its place.
import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect, test as base } from './fixtures';
import { Screen } from './screen';
import type { Server } from './server';
import { serveWritten } from './written-log';

/** Placeholders are answers of the server, which the browser logs. */
const REFUSED = /status of 422/;

const test = base.extend<object, { pictures: Server }>({
  pictures: [async ({}, use) => await serveWritten('write_images.py', [], use), { scope: 'worker' }],
});

/** The grid of one tag. */
const grid = (page: Page, tag: string): Locator => page.getByRole('list', { name: tag, exact: true });
const picture = (page: Page, tag: string, name: string): Locator =>
  grid(page, tag).getByRole('button', { name, exact: true });

/** The colour in the middle of what is on screen there, filters and all. */
async function colourOf(place: Locator): Promise<number[]> {
  const shot = (await place.locator('canvas').screenshot()).toString('base64');
  return await place.page().evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const at = [Math.floor(bitmap.width / 2), Math.floor(bitmap.height / 2)] as const;
    return [...context.getImageData(...at, 1, 1).data.slice(0, 3)];
  }, shot);
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`),
  ).toEqual([]);
}

test('every step can be reached: by the bar, by typing, on one tile alone, and by keys', async ({
  page,
  pictures,
}) => {
  const screen = new Screen(page);
  await page.goto(`${pictures.url}#images&tagFilter=plain|digits|batch`);
  await expect.poll(() => colourOf(picture(page, 'plain/colour', 'base, step 400'))).toEqual([200, 100, 160]);
  await expect(grid(page, 'samples/batch').getByRole('listitem')).toHaveCount(6);
  await expect(picture(page, 'samples/batch', 'wide, sample 3 of 3, step 400')).toBeVisible();

  // Typed; 150 is no step of theirs: the last one before it is shown, and says so.
  const typed = page.getByRole('textbox', { name: /step/i });
  await typed.fill('150');
  await typed.press('Enter');
  await expect.poll(() => colourOf(picture(page, 'plain/colour', 'base, step 100'))).toEqual([80, 100, 160]);
  await expect.poll(() => screen.words().get('media')).toMatch(/step:1[05]0/);

  // One tile has a step of its own, until the bar moves again.
  await picture(page, 'plain/colour', 'base, step 100').hover();
  const own = grid(page, 'plain/colour').getByRole('slider', { name: 'Step of base', exact: true });
  await own.fill('3');
  await expect.poll(() => colourOf(picture(page, 'plain/colour', 'base, step 300'))).toEqual([160, 100, 160]);
  await expect(picture(page, 'plain/colour', 'wide, step 100')).toBeVisible();

  // Keys on a focused picture: its own step, its neighbours.
  await picture(page, 'plain/colour', 'base, step 300').focus();
  await page.keyboard.press(',');
  await expect(picture(page, 'plain/colour', 'base, step 200')).toBeFocused();
  await page.keyboard.press('.');
  await page.keyboard.press('ArrowRight');
  await expect(picture(page, 'plain/colour', 'wide, step 100')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(picture(page, 'plain/colour', 'base, step 300')).toBeFocused();

  // The menu takes the tile's step to all, which is a movement of the bar.
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Step 300 everywhere', exact: true }).click();
  await expect.poll(() => colourOf(picture(page, 'plain/colour', 'wide, step 300'))).toEqual([160, 100, 200]);
  await expect.poll(() => screen.words().get('media')).toContain('step:300');

  // A press opens the viewer.
  await picture(page, 'plain/colour', 'wide, step 300').click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('tags of few pictures share a row, and arrow keys lead from one to the next', async ({
  page,
  pictures,
}) => {
  await page.goto(`${pictures.url}#images&tagFilter=^depth/&runFilter=^base$`);
  const left = picture(page, 'depth/see-through', 'base, step 400');
  const right = picture(page, 'depth/sixteen', 'base, step 400');
  await expect(left).toBeVisible();
  await expect(right).toBeVisible();
  const boxes = (await Promise.all([left, right].map((one) => one.boundingBox()))).map((box) => box!);
  expect(boxes[1]!.y).toBe(boxes[0]!.y);
  expect(boxes[1]!.width).toBe(boxes[0]!.width);
  expect(boxes[1]!.x).toBeGreaterThan(boxes[0]!.x + boxes[0]!.width);

  await left.focus();
  await page.keyboard.press('ArrowRight');
  await expect(right).toBeFocused();
  // The ring is above the slider, which lies on the picture.
  const ring = right.locator('..');
  const widthOfRing = () => ring.evaluate((frame) => getComputedStyle(frame, '::after').borderBottomWidth);
  await expect.poll(widthOfRing).toBe('2px');
  await page.keyboard.press('ArrowLeft');
  await expect(left).toBeFocused();
});

test('pictures are selected by keys, pointer and range, compared and downloaded', async ({
  page,
  pictures,
}) => {
  await page.goto(`${pictures.url}#images&tagFilter=batch|plain`);
  const bar = page.getByRole('toolbar', { name: 'Selected pictures' });
  await picture(page, 'samples/batch', 'base, sample 2 of 3, step 400').focus();
  await page.keyboard.press('x');
  await expect(bar).toContainText('1 selected');
  await picture(page, 'samples/batch', 'wide, sample 1 of 3, step 400').click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 selected');
  await picture(page, 'plain/colour', 'wide, step 400').hover();
  await page.getByRole('checkbox', { name: 'Select wide, step 400', exact: true }).check();
  await expect(bar).toContainText('4 selected');

  const coming = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Download zip', exact: true }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('pictures.zip');
  const zip = await readFile(await download.path());
  expect(zip.subarray(0, 2).toString()).toBe('PK');
  // The number of entries, at the end of every zip file.
  expect(zip.readUInt16LE(zip.lastIndexOf('PK\u0005\u0006') + 10)).toBe(4);

  await page.keyboard.press('Escape');
  await expect(bar).toBeHidden();
  await page.getByRole('button', { name: 'Select all of samples/batch', exact: true }).click();
  await expect(bar).toContainText('6 selected');
  await bar.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect.poll(() => new Screen(page).words().get('media')).toContain('open:');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(bar).toContainText('6 selected');
});

test('settings change the pixels of every tile, and go with the link', async ({ page, pictures }) => {
  const screen = new Screen(page);
  await page.goto(`${pictures.url}#images&tagFilter=plain|digits|mask`);
  const base = picture(page, 'plain/colour', 'base, step 400');
  const mask = picture(page, 'mask', 'base, step 400');
  await expect.poll(() => colourOf(base)).toEqual([200, 100, 160]);
  const settings = page.getByRole('complementary', { name: 'Images: settings' });
  const brightness = settings.getByRole('spinbutton', { name: 'Brightness' });
  await brightness.fill('0.5');
  await brightness.press('Enter');
  await expect.poll(() => colourOf(base)).toEqual([100, 50, 80]);
  await settings.getByRole('button', { name: 'Reset brightness' }).click();
  await expect.poll(() => colourOf(base)).toEqual([200, 100, 160]);
  await settings.getByRole('combobox', { name: 'Channel' }).selectOption('Green');
  await expect.poll(() => colourOf(base)).toEqual([100, 100, 100]);
  // The map's colour for 100 of 255; a picture of several channels has it for the chosen one.
  await settings.getByRole('combobox', { name: 'False colour' }).selectOption('Viridis');
  await expect.poll(async () => Math.abs((await colourOf(base))[1]! - 118)).toBeLessThan(5);
  await expect.poll(() => screen.words().get('media')).toContain('colours:viridis');
  await page.reload();
  await expect.poll(async () => Math.abs((await colourOf(base))[1]! - 118)).toBeLessThan(5);
  // What is without colour has it for all it is, in however many channels; a picture with colours keeps them.
  await settings.getByRole('combobox', { name: 'Channel' }).selectOption('All');
  await expect.poll(() => colourOf(base)).toEqual([200, 100, 160]);
  await expect.poll(async () => Math.abs((await colourOf(mask))[1]! - 118)).toBeLessThan(5);
  await settings.getByRole('button', { name: 'Reset tone and colours' }).click();
  await expect.poll(() => colourOf(mask)).toEqual([100, 100, 100]);

  // 16 pixels wide, and as wide as its tile otherwise.
  const widthOf = async () => (await base.locator('canvas').boundingBox())?.width;
  await settings
    .getByRole('checkbox', { name: 'Actual size' })
    .or(settings.getByRole('switch', { name: 'Actual size' }))
    .click();
  await expect.poll(widthOf).toBe(16);

  // By run: one list for all tags of a run.
  await page.getByRole('radio', { name: 'Runs' }).check({ force: true });
  await expect(picture(page, 'wide', 'plain/colour, step 400')).toBeVisible();
  await expect(picture(page, 'wide', 'samples/digits, step 400')).toBeVisible();
});

test.describe('damaged and hostile pictures', () => {
  test.use({ expectedErrors: [REFUSED] });

  test('have a sentence and a download, and run nothing', async ({ page, pictures }) => {
    await page.goto(`${pictures.url}#images&tagFilter=odd`);
    const said = (tag: string) => page.getByRole('region', { name: tag, exact: true });
    await expect(said('odd/bomb')).toContainText('30,000 × 30,000');
    await expect(said('odd/svg')).toContainText('can run scripts');
    await expect(said('odd/html')).toContainText('can run scripts');
    await expect(said('odd/nothing')).toContainText('empty');
    // The last value is whole; the first one ends in the middle.
    await expect(picture(page, 'odd/truncated', 'odd, step 1')).toBeVisible();
    await picture(page, 'odd/truncated', 'odd, step 1').focus();
    await page.keyboard.press(',');
    await expect(said('odd/truncated')).toContainText('its end is missing');
    await page.keyboard.press('.');
    await expect(said('odd/truncated')).not.toContainText('its end is missing');
    // What is there of a film is shown, with a sign.
    const sign = page.getByRole('img', { name: /^The file is cut short/ });
    await expect(said('odd/cut-gif').locator(sign)).toBeVisible();
    await expect(sign).toHaveCount(1);

    const coming = page.waitForEvent('download');
    await said('odd/svg').getByRole('link', { name: 'Download as logged' }).click();
    expect(await readFile(await (await coming).path(), 'utf8')).toContain('onload=');
    expect(await page.evaluate(() => (window as { wasRun?: string }).wasRun)).toBeUndefined();
    await expectAccessible(page);
  });
});

test('what people log is all there', async ({ page, pictures, shoot }) => {
  await page.goto(`${pictures.url}#images&tagFilter=^(boxes|depth|figures|films|samples)&media=tile:120`);
  for (const tag of ['boxes/found', 'depth/sixteen', 'depth/see-through', 'figures/sine', 'samples/large']) {
    await page.getByRole('region', { name: tag, exact: true }).scrollIntoViewIfNeeded();
    const first = grid(page, tag).locator('canvas').first();
    await expect.poll(() => first.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBeGreaterThan(1);
    // Never the original of a large picture.
    expect(await first.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBeLessThanOrEqual(256);
  }
  await expectAccessible(page);
  await shoot(page, 'all');

  // A tag that is alone below the heading of its own name: that says it once.
  await page.goto(`${pictures.url}#images&tagFilter=^alone`);
  await expect(picture(page, 'alone', 'base, step 400')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'alone' })).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'alone', exact: true }).last()).toContainText('2 pictures');

  // Hundreds of tiles, of which those near the viewport are built; the last one is there when it is wanted.
  await page.goto(`${pictures.url}#images&tagFilter=many&media=tile:120`);
  const many = grid(page, 'many/samples');
  await expect(many.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '600');
  expect(await many.getByRole('listitem').count()).toBeLessThan(250);
  await picture(page, 'many/samples', 'base, sample 1 of 300, step 0').focus();
  await page.keyboard.press('End');
  const last = picture(page, 'many/samples', 'wide, sample 300 of 300, step 0');
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  await expect.poll(() => colourOf(last)).toEqual([43, 43, 43]);
});

test('a picture pressed before it is there opens when it comes, unless another one was pressed meanwhile', async ({
  page,
  pictures,
}) => {
  let release = (): void => {};
  let gate = Promise.resolve();
  const hold = (): void => {
    gate = new Promise((resolve) => (release = resolve));
  };
  await page.route(
    (url) => url.pathname.endsWith('/thumbnail') && url.searchParams.get('tag') === 'plain/colour',
    async (route) => {
      await gate;
      await route.continue();
    },
  );
  hold();
  await page.goto(`${pictures.url}#images&tagFilter=plain|digits`);
  const late = picture(page, 'plain/colour', 'base, step 400');
  await late.click();
  release();
  await expect(page.getByRole('dialog', { name: 'Pictures: plain/colour', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  hold();
  await page.reload();
  await late.click();
  await picture(page, 'samples/digits', 'wide, step 400').click();
  const viewer = page.getByRole('dialog', { name: 'Pictures: samples/digits', exact: true });
  await expect(viewer).toBeVisible();
  release();
  // Below the viewer, out of reach of its role.
  const below = page.getByLabel('plain/colour', { exact: true }).locator('[data-picture]').first();
  await expect(below).toHaveAttribute('aria-busy', 'false');
  expect(await viewer.count()).toBe(1);
});

test('a grid that comes into sight because others go is built, too', async ({ page, pictures }) => {
  const groups = ['alone', 'boxes', 'figures'];
  await page.goto(`${pictures.url}#images&tagFilter=^(${groups.join('|')}|many)&media=tile:200`);
  // It begins below the fold, and is built as far as it is near: the third row is not.
  const firstRow = grid(page, 'many/samples').locator('[aria-posinset="1"]');
  const thirdRow = grid(page, 'many/samples').locator('[aria-posinset="9"]');
  const expectBelow = async (): Promise<void> => {
    await expect(firstRow).toBeAttached();
    await expect(firstRow).not.toBeInViewport();
    await expect(thirdRow).toHaveCount(0);
  };
  const press = async (): Promise<void> => {
    for (const group of groups) await page.getByRole('button', { name: group, exact: true }).click();
  };
  await expect(picture(page, 'figures/sine', 'base, step 400')).toBeVisible();
  await expectBelow();
  await press();
  await expect(thirdRow).toBeInViewport();

  // The same when they are filtered away.
  await press();
  await expectBelow();
  await page.getByRole('textbox', { name: /^Filter tags/ }).fill('many');
  await expect(thirdRow).toBeInViewport();
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });

  test('two columns; a tap opens, a long press selects', async ({ page, pictures, shoot }) => {
    await page.goto(`${pictures.url}#images&tagFilter=batch`);
    const first = picture(page, 'samples/batch', 'base, sample 1 of 3, step 400');
    const second = picture(page, 'samples/batch', 'base, sample 2 of 3, step 400');
    const third = picture(page, 'samples/batch', 'base, sample 3 of 3, step 400');
    await expect(first).toBeVisible();
    const boxes = [await first.boundingBox(), await second.boundingBox(), await third.boundingBox()];
    expect(boxes[0]!.y).toBe(boxes[1]!.y);
    expect(boxes[2]!.y).toBeGreaterThan(boxes[0]!.y);
    await expectAccessible(page);
    await shoot(page, 'phone');

    await first.dispatchEvent('pointerdown', { pointerType: 'touch' });
    const bar = page.getByRole('toolbar', { name: 'Selected pictures' });
    await expect(bar).toContainText('1 selected');
    await first.dispatchEvent('pointerup', { pointerType: 'touch' });
    await second.tap();
    await expect(bar).toContainText('2 selected');
    await bar.getByRole('button', { name: 'Clear the selection' }).tap();
    await second.tap();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});
