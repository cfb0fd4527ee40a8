// Histograms in every way they are drawn, their quantiles, the overview of many layers, and the lines that come from them.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import { expect, test as base } from './fixtures';
import { Screen } from './screen';
import type { Server } from './server';
import { serveWritten } from './written-log';

const test = base.extend<object, { histograms: Server }>({
  histograms: [async ({}, use) => await serveWritten('write_histograms.py', [], use), { scope: 'worker' }],
});

const tile = (page: Page, tag: string, run: string): Locator =>
  page.getByRole('article', { name: `${tag} of ${run}`, exact: true });
const plot = (within: Locator): Locator => within.locator('[data-chart-host]');
const readout = (within: Locator): Locator => within.locator('.readout');
const choose = async (page: Page, name: string): Promise<void> =>
  await page.getByRole('radio', { name, exact: true }).check({ force: true });
const cells = (page: Page): Locator =>
  page.getByRole('region', { name: 'All histograms of a' }).getByRole('button');

test('a tile for each run; the pointer names bucket, count and step in all of them', async ({
  page,
  histograms,
}) => {
  const screen = new Screen(page);
  await page.goto(`${histograms.url}#histograms`);
  const [a, b] = [tile(page, 'layer2/weights', 'a'), tile(page, 'layer2/weights', 'b')];
  await expect(readout(a)).toContainText('mean 6.5');
  await expect(plot(a)).toHaveAttribute('data-drawn');

  await choose(page, 'Heat map');
  await plot(a).focus();
  await page.keyboard.press('Home');
  // At the first step the middle of the values is in the bucket from 2 to 3.
  await expect(readout(a)).toHaveText('step 0 · 2 to 3 · 4 of 10');
  await expect(readout(b)).toHaveText('step 0 · 2 to 3 · 4 of 10');
  await expect(readout(tile(page, 'layer1/weights', 'a'))).toHaveText('step 0 · 2 to 3 · 4 of 10');
  await expect.poll(() => screen.words().get('media')).toBe('histograms.mode:heat');
  await page.keyboard.press('ArrowUp');
  await expect(readout(a)).toHaveText(/^step 0 · (2 to 3|3 to 4) /);
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowUp');
  await expect(readout(a)).toHaveText(/^step 0$/);
  await page.keyboard.press('Escape');

  await choose(page, 'Overlay');
  await expect(plot(a)).toHaveAttribute('data-drawn', '5');
  await choose(page, 'Runs');
  await expect(plot(page.getByRole('article', { name: 'layer2/weights of all runs' }))).toHaveAttribute(
    'data-drawn',
    '2',
  );
  await expect(page.getByText('all were NaN or infinite')).toHaveCount(0);

  await choose(page, 'Offset');
  await plot(a).focus();
  await page.keyboard.press('Home');
  await expect(readout(a)).toHaveText(/^step 0 · 0\.5 to 1 /);
  for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowRight');
  await expect(readout(a)).toHaveText(/^step 0 · [23] to [34] /);
  await page.keyboard.press('ArrowDown');
  await expect(readout(a)).toHaveText(/^step 10 · /);
  await expect(tile(page, 'odd/nothing', 'odd')).toContainText('No finite values');
  const box = page.getByRole('toolbar', { name: 'Step', exact: true }).getByRole('textbox');
  await box.fill('10');
  await page.keyboard.press('Enter');
  await expect(readout(a)).toContainText('mean 3.5');
  await expectAccessible(page);
});

test('distributions: nine quantiles over the steps, named where the pointer is', async ({
  page,
  histograms,
}) => {
  await page.goto(`${histograms.url}#distributions`);
  const [a, b] = [tile(page, 'layer2/weights', 'a'), tile(page, 'layer2/weights', 'b')];
  await expect(plot(a)).toHaveAttribute('data-drawn', '9');
  const { width, height } = (await plot(a).boundingBox())!;
  await plot(a).hover({ position: { x: 0.6 * width, y: 0.5 * height } });
  await expect(readout(a)).toHaveText(/^step [123]0 · (median|[\d.]+ %) [\d.]+$/);
  await expect(readout(b)).toHaveText(await readout(a).innerText());
  await expectAccessible(page);
});

test('the overview sorts layers by what changed most, and a press opens one', async ({
  page,
  histograms,
}) => {
  const screen = new Screen(page);
  await page.goto(`${histograms.url}#histograms`);
  await choose(page, 'Overview');
  await expect(cells(page)).toHaveText([/^layer1/, /^layer2/, /^layer3/]);
  await page.getByLabel('Sort by').selectOption({ label: 'What changed most' });
  await expect(cells(page)).toHaveText([/^layer2/, /^layer3/, /^layer1/]);
  await expect(cells(page).nth(2)).toContainText('moved 0 widths');
  await expect(cells(page).first().locator('canvas')).toBeVisible();
  await page.getByLabel('Sort by').selectOption({ label: 'Most zeros first' });
  await expect(cells(page).first()).toHaveText(/layer3.*100 % around 0/);
  await expectAccessible(page);
  await cells(page).first().click();
  await expect(tile(page, 'layer3/weights', 'a')).toBeVisible();
  await expect.poll(() => screen.words().get('media')).toBe('histograms.order:zeros');
});

test('one press draws mean, spread and quantiles as lines, which can be taken back', async ({
  page,
  histograms,
}) => {
  const screen = new Screen(page);
  await page.goto(`${histograms.url}#histograms&tagFilter=layer2`);
  await tile(page, 'layer2/weights', 'a')
    .getByRole('button', { name: /as lines/ })
    .click();
  const title = 'layer2/weights: values (from buckets)';
  await expect(screen.titlesIn('My charts')).toHaveText([
    title,
    'layer2/weights: spread and zeros (from buckets)',
  ]);
  const chart = page.getByRole('application', { name: new RegExp(title.replace(/[()]/g, '\\$&')) }).first();
  await expect(chart).toHaveAttribute('data-drawn', '12');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(tile(page, 'layer2/weights', 'a')).toBeVisible();
  await expect.poll(() => screen.words().get('tagFilter')).toBe('layer2');
});

test('histograms have cards on the Time Series page', async ({ page, histograms }) => {
  const screen = new Screen(page);
  await page.goto(histograms.url);
  const card = screen.card('layer1/weights');
  await expect(card.getByRole('article')).toHaveCount(2);
  await expect(plot(card).first()).toHaveAttribute('data-drawn');
  await card.getByRole('button', { name: /full screen/i }).click();
  await expect(plot(page.getByRole('dialog')).first()).toHaveAttribute('data-drawn');
});
