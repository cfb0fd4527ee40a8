// Precision-recall and ROC curves: numbers below the plots, a threshold that all plots share, steps of their own.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import { expect, test as base } from './fixtures';
import { Screen } from './screen';
import type { Server } from './server';
import { serveWritten } from './written-log';

const test = base.extend<object, { curves: Server }>({
  curves: [async ({}, use) => await serveWritten('write_pr_curves.py', [], use), { scope: 'worker' }],
});

const tag = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const plot = (within: Locator): Locator => within.locator('[data-chart-host]');
/** What is said of a run, but for its name and step. */
async function numbersOf(within: Locator, run: string): Promise<string> {
  const row = within.getByRole('row', { name: new RegExp(`^${run}`) });
  const cells = await row.locator('td:visible:not(.step)').allInnerTexts();
  return cells.join(' ');
}
const asked = (screen: Screen): string => screen.words().get('media') ?? '';

test('each run has its numbers, at the step of the bar or at one of its own', async ({ page, curves }) => {
  await page.goto(`${curves.url}#pr_curves&tagFilter=dents`);
  const dents = tag(page, 'val/dents');
  // By hand: at 0.75, 0.5, 0.25 and 0 the good run has found 2, 3, 4 and 4 of 4, among 2, 4, 7 and 10.
  await expect.poll(() => numbersOf(dents, 'good')).toBe('0.830 0.884 0.750 at 0.500');
  await expect(plot(dents)).toHaveAttribute('data-drawn', '2');

  const slider = dents.getByRole('slider', { name: 'Step of weak' });
  await slider.focus();
  await slider.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', 'step 0');
  // All scores are alike: every example is found at once.
  await expect.poll(() => numbersOf(dents, 'weak')).toBe('0.400 0.700 0.571 at 0.000');
  await expect.poll(() => numbersOf(dents, 'good')).toBe('0.830 0.884 0.750 at 0.500');

  await page.getByRole('toolbar', { name: 'Step', exact: true }).getByRole('textbox').fill('20');
  await page.keyboard.press('Enter');
  await expect(slider).toHaveAttribute('aria-valuetext', 'step 20');
});

test('a threshold is pointed at, pinned and moved in all plots at once', async ({ page, curves }) => {
  const screen = new Screen(page);
  await page.goto(`${curves.url}#pr_curves&tagFilter=val`);
  const [dents, scratches] = [tag(page, 'val/dents'), tag(page, 'val/scratches')];
  await expect.poll(() => numbersOf(dents, 'good')).toContain('at 0.500');
  await expect(plot(scratches)).toHaveAttribute('data-drawn', '2');

  await plot(dents).focus();
  await page.keyboard.press('End');
  await expect.poll(() => numbersOf(dents, 'good')).toBe('0.250 0.571 1.000 4 3 3 0');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => numbersOf(dents, 'good')).toBe('0.500 0.750 0.750 3 1 5 1');
  await expect.poll(() => numbersOf(scratches, 'weak')).toBe('0.500 0.500 0.500 2 2 4 2');
  await page.keyboard.press('Enter');
  await expect.poll(() => asked(screen)).toBe('pr_curves.threshold:0.5');

  // The keys' cursor is still in the other plot.
  const slider = scratches.getByRole('slider', { name: 'Threshold of all plots' });
  await slider.fill('80');
  await expect.poll(() => numbersOf(scratches, 'weak')).toBe('0.800 0.500 0.250 1 1 5 3');
  // Its nearest one is 0.75.
  await expect.poll(() => numbersOf(dents, 'weak')).toBe('0.750 0.500 0.250 1 1 5 3');

  await page.reload();
  await expect.poll(() => numbersOf(scratches, 'weak')).toBe('0.800 0.500 0.250 1 1 5 3');
  await scratches.getByRole('button', { name: 'Let the threshold follow the pointer' }).click();
  await expect.poll(() => numbersOf(dents, 'good')).toContain('at 0.500');
  await dents.getByRole('button', { name: '0.750 at 0.500' }).click();
  await expect.poll(() => asked(screen)).toBe('pr_curves.threshold:0.5');
});

test('a click pins what the pointer shows, and another one lets it go', async ({ page, curves }) => {
  const screen = new Screen(page);
  await page.goto(`${curves.url}#pr_curves&tagFilter=dents`);
  const dents = tag(page, 'val/dents');
  await expect.poll(() => numbersOf(dents, 'good')).toContain('at 0.500');
  const { width, height } = (await plot(dents).boundingBox())!;
  const position = { x: 0.9 * width, y: 0.5 * height };
  await plot(dents).hover({ position });
  const row = dents.getByRole('row', { name: /^good/ });
  await expect(row.locator('.count').first()).toBeVisible();
  await plot(dents).click({ position });
  await expect.poll(() => asked(screen)).toMatch(/^pr_curves.threshold:/);
  await plot(dents).click({ position });
  await expect.poll(() => asked(screen)).toBe('');
});

test('ROC curves of the same counts, older steps behind, and sentences for what cannot be drawn', async ({
  page,
  curves,
}) => {
  const screen = new Screen(page);
  await page.goto(`${curves.url}#pr_curves`);
  const dents = tag(page, 'val/dents');
  await expect.poll(() => numbersOf(dents, 'good')).toContain('0.884');
  await page.getByRole('radio', { name: 'ROC' }).check({ force: true });
  // Of 24 pairs 20 are in order, and 3 that are alike count half.
  await expect.poll(() => numbersOf(dents, 'good')).toBe('0.830 0.896 0.750 at 0.500');
  await expect(tag(page, 'odd/nothing')).toContainText('Nothing was counted');
  await expect(tag(page, 'odd/positives only')).toContainText('there is no false positive rate');
  await page.getByRole('switch', { name: /^Older steps behind/ }).check({ force: true });
  await expect.poll(() => asked(screen)).toContain('pr_curves.fan:1');
  await expectAccessible(page);
});

test('curves have cards on the Time Series page, and fill the screen', async ({ page, curves }) => {
  const screen = new Screen(page);
  await page.goto(curves.url);
  const card = screen.card('val/dents');
  await expect(plot(card)).toHaveAttribute('data-drawn', '2');
  await expect.poll(() => numbersOf(card, 'good')).toBe('0.830 0.884 0.750 at 0.500');
  await card.getByRole('button', { name: /full screen/i }).click();
  const dialog = page.getByRole('dialog');
  await expect(plot(dialog)).toHaveAttribute('data-drawn', '2');
  await plot(dialog).focus();
  await page.keyboard.press('End');
  // On a wide screen there is room for all of it.
  await expect
    .poll(() => numbersOf(dialog, 'good'))
    .toBe('0.830 0.884 0.750 at 0.500 0.250 0.571 1.000 4 3 3 0');
});

test('ten runs are seen without scrolling, and plots side by side are of one height', async ({
  page,
  curves,
}) => {
  await page.goto(`${curves.url}#pr_curves&tagFilter=dents|runs`);
  const [dents, many] = [tag(page, 'val/dents'), tag(page, 'many/runs')];
  await expect(plot(many)).toHaveAttribute('data-drawn', '10');
  await expect(plot(dents)).toHaveAttribute('data-drawn', '2');
  const heightOf = async (of: Locator): Promise<number> => (await of.boundingBox())!.height;
  expect(await heightOf(plot(many))).toBe(await heightOf(plot(dents)));
  const last = many.getByRole('row', { name: /^run9/ });
  await many.getByRole('table').scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});
