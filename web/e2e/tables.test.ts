// Tables, confusion matrices, logged HTML and Plotly figures: what people do with them, and what logged documents cannot do.
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from './accessible';
import { expect, test as base } from './fixtures';
import type { Server } from './server';
import { serveWritten } from './written-log';

/** A server that nobody should ever ask for anything. (Chromium connects when a link is pressed, and says nothing.) */
interface Elsewhere {
  readonly url: string;
  readonly asked: string[];
}

interface Tables {
  readonly server: Server;
  readonly elsewhere: Elsewhere;
}

const test = base.extend<object, { tables: Tables }>({
  tables: [
    async ({}, use) => {
      const asked: string[] = [];
      const http: HttpServer = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.end('x');
      });
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      await serveWritten('write_tables.py', [url], (server) => use({ server, elsewhere: { url, asked } }));
      http.close();
      // Of all tests, to the end: what a document asks for late is asked for, too.
      expect(asked).toEqual([]);
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

// What the browser says when it refuses what logged documents try.
const REFUSALS =
  /Content Security Policy|Blocked script execution|sandbox|ERR_BLOCKED_BY|Unsafe attempt to initiate navigation|WebGL|tables\/page\?.*scripts=true/i;
test.use({ expectedErrors: [REFUSALS] });

async function open(page: Page, { server }: Tables): Promise<void> {
  await page.goto(`${server.url}#tables`);
  await expect(page.getByRole('toolbar', { name: 'Tables', exact: true })).toBeVisible();
}

/** The place of one tag in one run. */
function tile(page: Page, tag: string, run = 'alpha'): Locator {
  return page.getByRole('group', { name: `${tag} of ${run}`, exact: true });
}

async function show(page: Page, tag: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Filter tags by regular expression' }).fill(`^${tag}$`);
  await expect(page.locator(`[data-media-tag="${tag}"]`)).toBeVisible();
}

/** Texts of one column of the rows in sight, from top to bottom. */
async function column(place: Locator, index: number): Promise<string[]> {
  return await place
    .locator(`[role=gridcell][aria-colindex="${index + 2}"][aria-selected]`)
    .evaluateAll((cells) =>
      cells
        .map((cell) => ({ top: cell.getBoundingClientRect().top, text: cell.textContent.trim() }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
}

async function downloaded(page: Page, start: () => Promise<void>): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent('download');
  await start();
  const download = await waiting;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('a table of 20,000 rows: scroll, sort, search, filter, copy, download', async ({
  page,
  tables,
  shoot,
}) => {
  test.slow();
  await open(page, tables);
  await show(page, 'big/rows');
  const place = tile(page, 'big/rows');
  const grid = place.getByRole('grid');
  await expect(place.getByRole('status')).toHaveText(/20,000 rows/);
  await expect.poll(async () => (await column(place, 0)).slice(0, 3)).toEqual(['0', '1', '2']);
  // Few of the rows are in the page.
  expect(await place.getByRole('row').count()).toBeLessThan(60);
  await expectAccessible(page);

  await place.getByRole('button', { name: 'square' }).click();
  await place.getByRole('button', { name: 'square' }).click();
  await expect(place.getByRole('columnheader', { name: 'square' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect.poll(async () => (await column(place, 0))[0]).toBe('19999');
  await place.getByRole('button', { name: 'square' }).click();
  await expect.poll(async () => (await column(place, 0))[0]).toBe('0');

  // The keyboard reaches the last cell of all.
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+End');
  await expect(place.locator('output')).toHaveText(/^word \d{5}$/);
  await page.keyboard.press('Home');
  await expect(place.locator('output')).toHaveText('19999');
  await page.keyboard.press('End');
  await expect(place.locator('output')).toHaveText(/^word \d{5}$/);
  const word = await place.locator('output').textContent();
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(word);
  await place.getByRole('textbox', { name: 'Search the rows of big/rows' }).fill('WORD 0791');
  await expect.poll(async () => await column(place, 2)).toHaveLength(10);
  await place.getByRole('button', { name: 'Filter', exact: true }).click();
  await place.getByRole('textbox', { name: 'Least number', exact: true }).fill('100');
  await place.getByRole('textbox', { name: 'Greatest number', exact: true }).fill('9000');
  await expect
    .poll(async () => (await column(place, 0)).every((text) => +text >= 100 && +text <= 9000))
    .toBe(true);
  const shown = await column(place, 2);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(10);
  await shoot(page, 'filtered');
  const view = await downloaded(page, async () => {
    await place.getByRole('button', { name: 'Download the table', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rows as shown, as CSV', exact: true }).click();
  });
  expect(
    view.text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2]),
  ).toEqual(shown);
  const whole = await downloaded(page, async () => {
    await place.getByRole('button', { name: 'Download the table', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Whole table as CSV', exact: true }).click();
  });
  expect(whole.name).toBe('alpha_big_rows_step_0.csv');
  expect(whole.text.trim().split('\r\n')).toHaveLength(20_001);

  await place.getByRole('textbox', { name: 'Search the rows of big/rows' }).fill('no such thing');
  await place.getByRole('button', { name: 'Clear search and filters', exact: true }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', '20001');

  // Order, search, filters and columns are in the address: reloading and going back find them again.
  await place.getByRole('button', { name: 'word', exact: true }).click();
  await place.getByRole('textbox', { name: 'word has', exact: true }).fill('word 0012');
  await place.getByRole('button', { name: 'Columns of the table', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'square', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(place.getByRole('columnheader', { name: 'square' })).toHaveCount(0);
  const expectKept = async (): Promise<void> => {
    await expect(place.getByRole('columnheader', { name: 'word' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(place.getByRole('textbox', { name: 'word has', exact: true })).toHaveValue('word 0012');
    await expect(place.getByRole('columnheader', { name: 'square' })).toHaveCount(0);
    const words = Array.from({ length: 10 }, (_, at) => `word 0012${at}`);
    await expect.poll(async () => (await column(place, 2)).slice(0, 10)).toEqual(words);
  };
  await expectKept();
  await shoot(page, 'columns');
  await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toContain("'hide':['square']");
  await page.reload();
  await expectKept();
  await page.getByRole('button', { name: 'Scalars', exact: true }).click();
  await expect(place).toHaveCount(0);
  await page.goBack();
  await expectKept();
  // Keys move over the columns that are shown.
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(place.locator('output')).toHaveText('word 00120');
});

test('a picture of a table is copied as a picture', async ({ page, tables }) => {
  await open(page, tables);
  await show(page, 'eval/samples');
  const place = tile(page, 'eval/samples');
  await place.getByRole('grid').focus();
  await page.keyboard.press('Control+Home');
  await expect(place.locator('output')).toHaveText('picture of 60 × 40 pixels');
  await page.keyboard.press('Control+c');
  await expect(page.getByText('Picture copied', { exact: true })).toBeVisible();
  const sizeOfCopy = async (): Promise<readonly number[]> => {
    const [item] = await navigator.clipboard.read();
    const bitmap = await createImageBitmap(await item!.getType('image/png'));
    return [bitmap.width, bitmap.height];
  };
  expect(await page.evaluate(sizeOfCopy)).toEqual([60, 40]);
});

test('cells with pictures, missing numbers and long texts; steps; runs side by side', async ({
  page,
  tables,
  shoot,
}) => {
  await open(page, tables);
  await show(page, 'eval/samples');
  const place = tile(page, 'eval/samples');
  await expect(tile(page, 'eval/samples', 'beta').getByRole('grid')).toBeVisible();
  await expect.poll(async () => await column(place, 1)).toContain('dog');
  await expect
    .poll(() =>
      place
        .locator('img')
        .first()
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(60);

  // Missing ones are last, both ways.
  for (const first of ['0.125', '1']) {
    await place.getByRole('button', { name: 'score' }).click();
    await expect.poll(async () => (await column(place, 2))[0]).toBe(first);
  }
  // The other run's table is sorted alike.
  await expect(
    tile(page, 'eval/samples', 'beta').getByRole('columnheader', { name: 'score' }),
  ).toHaveAttribute('aria-sort', 'descending');
  await place.getByRole('button', { name: 'score' }).click();
  // As they were logged again: until then a press would find another row.
  await expect.poll(async () => (await column(place, 2))[0]).toBe('0.75');
  await shoot(page, 'pictures');

  await place.getByRole('button', { name: 'picture of row 0: open the picture', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'picture, row 0', exact: true });
  await expect(dialog.getByText('60 × 40 pixels')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await place.getByRole('grid').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'note, row 5', exact: true }).locator('pre')).toHaveText(
    'x'.repeat(3000),
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await expect(place.locator('output')).toHaveText('note 0');

  // Its own slider moves this tile alone.
  const slider = place.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await expect.poll(async () => (await column(place, 2)).includes('NaN')).toBe(false);
  await expect
    .poll(async () => (await column(tile(page, 'eval/samples', 'beta'), 2)).includes('NaN'))
    .toBe(true);
});

test('a confusion matrix: sentence, keys, normalising, order, figures of classes', async ({
  page,
  tables,
  shoot,
}) => {
  await open(page, tables);
  await show(page, 'eval/confusion');
  const place = tile(page, 'eval/confusion');
  const matrix = place.getByRole('application');
  await expect(place.getByText('Accuracy')).toContainText('75 %');
  await matrix.focus();
  await page.keyboard.press('ArrowDown');
  const sentence = place.getByRole('status');
  await expect(sentence).toHaveText('cat recognised: 44 (63 % of cat)');
  await page.keyboard.press('ArrowDown');
  await expect(sentence).toHaveText('dog taken for cat: 12 (24 % of dog)');
  await expect(place.locator('[data-legend]')).toHaveText(/^\s*0\s+\d+\s*$/);
  await shoot(page, 'matrix');
  await expectAccessible(page);

  const choose = async (name: string): Promise<void> => {
    await place.getByRole('button', { name: 'How the matrix is shown', exact: true }).click();
    await page.getByRole('menu').getByText(name, { exact: true }).click();
    await page.keyboard.press('Escape');
  };
  await choose('By predicted class');
  await matrix.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await expect(sentence).toHaveText('dog taken for cat: 12 (21 % of what was taken for cat)');
  await choose('Least recognised first');
  await matrix.focus();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Home');
  // 30 of 50 dogs are the least recognised.
  await expect(sentence).toHaveText(/^dog recognised: 30 /);

  // The pointer marks a cell as well; 300 classes can be zoomed into.
  await show(page, 'big/classes');
  const big = tile(page, 'big/classes');
  await big.getByRole('button', { name: 'Zoom in', exact: true }).click();
  await big.getByRole('application').hover();
  await expect(big.getByRole('status')).toHaveText(/^class \d+ (taken for class \d+|recognised): \d+ \(/);
  await shoot(page, 'many-classes');
});

/** The frame of a page or figure. */
function frameOf(place: Locator): FrameLocator {
  return place.frameLocator('iframe');
}

test('logged HTML is shut in: it reaches nothing, with scripts and without', async ({
  page,
  context,
  tables,
  shoot,
}) => {
  const { elsewhere } = tables;
  await open(page, tables);
  await show(page, 'pages/report');
  const place = tile(page, 'pages/report');
  const frame = frameOf(place);
  const asked = elsewhere.asked.length;
  await expect(frame.getByRole('heading', { name: 'Report' })).toBeVisible();
  await expect(frame.locator('#ran')).toHaveText('scripts are off');
  await expect(place.getByText('Left out: what is at 127.0.0.1')).toBeVisible();
  const address = page.url();
  // Its own wish to let its scripts run is not heard, and a document that goes away gets a frame without any script.
  await frame.locator('#scripts').click();
  await expect(place.locator('iframe')).toHaveAttribute('sandbox', '');
  await expect(frame.locator('#ran')).toHaveText('scripts are off');

  const opened: Page[] = [];
  context.on('page', (one) => opened.push(one));
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await place.getByRole('button', { name: 'Run its scripts', exact: true }).click();
  await expect(frame.locator('#ran')).toContainText('worker:');
  expect((await frame.locator('#ran').textContent())!.split(' | ')).toEqual([
    'parent: refused',
    'top: refused',
    'cookie: refused',
    'storage: refused',
    'api: refused',
    'fetch: refused',
    expect.stringMatching(/^beacon: (false|true|refused)$/),
    'socket: refused',
    'popup: refused',
    'worker: refused',
  ]);
  await shoot(page, 'with-scripts');
  // The frame is as high as its document says.
  await expect.poll(async () => (await place.locator('iframe').boundingBox())!.height).toBeGreaterThan(880);
  // A link leads nowhere, and neither does the document's own wish to go away.
  await frame.locator('#away').click();
  await expect(place.locator('iframe')).toHaveCount(1);
  expect(page.url().split('#')[0]).toBe(address.split('#')[0]);
  await expect(page).toHaveTitle(/Sightline/);
  expect(opened).toEqual([]);
  expect(downloads).toBe(0);
  expect(elsewhere.asked.slice(asked)).toEqual([]);

  // Remembered for the tag, and taken back.
  await page.reload();
  await expect(place.getByText('Its scripts run, and reach nothing outside of it')).toBeVisible();
  await place.getByRole('button', { name: 'More for this page', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Stop its scripts', exact: true }).click();
  await expect(frame.locator('#ran')).toHaveText('scripts are off');

  // In a tab of its own the headers hold.
  const waiting = context.waitForEvent('page');
  await place.getByRole('button', { name: 'More for this page', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Open in its own tab', exact: true }).click();
  const tab = await waiting;
  await expect(tab.locator('#ran')).toHaveText('scripts are off');
  expect(await tab.evaluate(() => origin)).toBe('null');
  await tab.close();
  expect(elsewhere.asked.slice(asked)).toEqual([]);

  const saved = await downloaded(page, async () => {
    await place.getByRole('button', { name: 'More for this page', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Download the HTML', exact: true }).click();
  });
  expect(saved.text).toMatch(/^<!doctype html><html><head>/);
});

test('logged HTML is as high as its document, without its scripts, up to the height of a tile', async ({
  page,
  tables,
  shoot,
}) => {
  await open(page, tables);
  await show(page, 'pages/fragment');
  const heightOf = async (tag: string): Promise<number> =>
    (await tile(page, tag).locator('.scroller').boundingBox())!.height;
  await expect.poll(() => heightOf('pages/fragment')).toBeLessThan(100);
  await shoot(page, 'low');

  await show(page, 'pages/long');
  const place = tile(page, 'pages/long');
  await expect.poll(() => heightOf('pages/long')).toBe(240);
  await expect.poll(async () => (await place.locator('iframe').boundingBox())!.height).toBeGreaterThan(1000);
  await expectAccessible(page);
});

test('Plotly figures: drawn, stepped, themed, saved; a hostile one reaches nothing', async ({
  page,
  tables,
  shoot,
}) => {
  test.slow();
  const { elsewhere } = tables;
  const asked = elsewhere.asked.length;
  await open(page, tables);
  await show(page, 'figures/real');
  const place = tile(page, 'figures/real');
  const drawn = place.locator('[data-figure="drawn"]');
  // Plotly is large, and takes its time on a busy machine.
  await expect(drawn).toBeVisible({ timeout: 40_000 });
  await expect(frameOf(place).locator('.gtitle')).toHaveText('Second step');
  await place.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await expect(frameOf(place).locator('.gtitle')).toHaveText('Real figure');
  // Plotly's usual white ground is the page's own.
  const ground = frameOf(place).locator('.main-svg').first();
  await expect(ground).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await shoot(page, 'figure');
  const waiting = page.waitForEvent('download');
  await place.getByRole('button', { name: 'Download the figure', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Download as PNG', exact: true }).click();
  const png = await readFile(await (await waiting).path());
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  await expectAccessible(page);

  await show(page, 'figures/hostile');
  const hostile = tile(page, 'figures/hostile');
  await expect(hostile.locator(`[data-figure="drawn"]`)).toBeVisible({ timeout: 40_000 });
  await frameOf(hostile).getByText('leave').dispatchEvent('click');
  await expect(page).toHaveTitle(/Sightline/);
  // What the frame is may be asked from outside: nothing of ours is within its reach.
  const inner = page.frames().find((one) => one.url().endsWith('tables/figure/frame'));
  expect(await inner!.evaluate(() => origin)).toBe('null');
  await expect(
    inner!.evaluate(() =>
      fetch('/api/v1/runs').then(
        () => 'answered',
        () => 'refused',
      ),
    ),
  ).resolves.toBe('refused');
  expect(elsewhere.asked.slice(asked)).toEqual([]);
});

test('a figure for WebGL is drawn without it; one in space says what it would need', async ({
  page,
  tables,
}) => {
  test.slow();
  await open(page, tables);
  await show(page, 'figures/gl');
  await expect(tile(page, 'figures/gl').locator('[data-figure="drawn"]')).toBeVisible({ timeout: 40_000 });
  await show(page, 'figures/space');
  const place = tile(page, 'figures/space');
  await expect(place.getByText(/uses scatter3d, which this build cannot draw/)).toBeVisible({
    timeout: 40_000,
  });
  await expect(place.getByRole('link', { name: /Download/ })).toBeVisible();
});

test('a figure whose Plotly could not be fetched offers to try again', async ({ page, tables }) => {
  test.slow();
  const PLOTLY = /plotly[^/]*\.js/;
  await page.route(PLOTLY, (route) => route.abort('blockedbyclient'));
  await open(page, tables);
  await show(page, 'figures/real');
  const place = tile(page, 'figures/real');
  await expect(place.getByText('Plotly could not be loaded')).toBeVisible();
  await page.unroute(PLOTLY);
  await place.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(place.locator('[data-figure="drawn"]')).toBeVisible({ timeout: 40_000 });
});

test('rows that do not come leave the others where they are', async ({ page, tables, shoot }) => {
  await open(page, tables);
  await show(page, 'big/rows');
  const place = tile(page, 'big/rows');
  const grid = place.getByRole('grid');
  await expect.poll(async () => (await column(place, 0)).slice(0, 2)).toEqual(['0', '1']);
  const ROWS = '**/tables/rows';
  await page.route(ROWS, (route) => route.abort('blockedbyclient'));
  await grid.focus();
  await page.keyboard.press('Control+End');
  const missing = place.getByText(/^Some rows could not be loaded/);
  await expect(missing).toBeVisible();
  await expect(grid).toBeFocused();
  await shoot(page, 'some-rows');
  await page.unroute(ROWS);
  await place.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect.poll(async () => (await column(place, 0)).at(-1)).toBe('19999');
  await expect(missing).toHaveCount(0);
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });

  test('phone: tables, matrices and figures fit', async ({ page, tables, shoot }) => {
    await open(page, tables);
    for (const tag of ['eval/samples', 'eval/confusion', 'figures/real', 'pages/fragment']) {
      await show(page, tag);
      const place = tile(page, tag);
      await expect(place.locator('[role=grid], canvas, iframe').first()).toBeVisible();
      const box = (await place.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(390);
      await expectAccessible(page);
      await shoot(page, tag.replace('/', '-'));
    }
    await show(page, 'eval/samples');
    await tile(page, 'eval/samples').getByRole('gridcell', { name: 'cat', exact: true }).first().tap();
    await expect(tile(page, 'eval/samples').locator('output')).toHaveText('cat');
  });
});
