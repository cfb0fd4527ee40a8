// Somebody without a mouse: everything has a key, and the palette finds what has none.
import { expect, test } from './fixtures';
import { frames, Screen } from './screen';
import { RUN_NAMES } from './training-log';

test.beforeEach(async ({ page, training }) => {
  await new Screen(page).open(training.url, 'val/loss');
});

test('the palette runs commands, opens charts and shows single runs', async ({ page, shoot }) => {
  const screen = new Screen(page);
  const palette = page.getByRole('combobox', { name: 'Search commands, tags and runs' });
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.keyboard.type('select no run');
  await shoot(page, 'palette');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText('No run is visible');

  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.keyboard.type('wide-seed0');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => screen.runsIn('val/loss')).toEqual(['2026-02-11/wide-seed0']);

  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.keyboard.type('val/acc');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'val/accuracy' })).toBeVisible();
});

test('charts are walked through, read, pinned and opened by keys', async ({ page, shoot }) => {
  const screen = new Screen(page);
  await page.keyboard.press('j');
  await expect(screen.chart('learning_rate')).toBeFocused();
  await page.keyboard.press('j');
  await expect(screen.chart('train/accuracy')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(screen.chart('train/accuracy')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(screen.place('train/accuracy')).toHaveText('Step 0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('.');
  await expect(screen.place('train/accuracy')).toHaveText('Step 2');
  await expect(screen.place('learning_rate')).toHaveText('Step 2');
  await page.keyboard.press('+');
  await screen.waitForXRange();
  await shoot(page, 'cursor');
  await page.keyboard.press('0');
  await expect.poll(() => screen.xRange()).toBeNull();
  await page.keyboard.press('l');
  await expect.poll(() => screen.words().get('card')).toBe('log,,train/accuracy');
  await page.keyboard.press('x');
  await expect.poll(() => screen.words().get('x')).toBe('relative');
  await page.keyboard.press('f');
  const full = page.getByRole('dialog', { name: 'train/accuracy' });
  await expect(full.getByRole('application')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(full).toHaveCount(0);
  await page.keyboard.press('p');
  await expect(screen.titlesIn('Pinned')).toHaveText(['train/accuracy']);
});

test('filters, settings, theme and help have keys, and Esc goes back', async ({ page, shoot }) => {
  const screen = new Screen(page);
  await page.keyboard.press('/');
  await expect(screen.tagFilter).toBeFocused();
  await page.keyboard.type('loss');
  await expect(screen.titlesIn('Matching charts')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(screen.tagFilter).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(screen.tagFilter).not.toBeFocused();
  await page.keyboard.press('r');
  await expect(screen.runFilter).toBeFocused();
  await page.keyboard.press('Escape');
  // Both within a frame: it stays left.
  await page.evaluate(() => {
    for (const key of ['r', 'Escape'])
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  await frames(page, 2);
  await expect(screen.runFilter).not.toBeFocused();
  await page.keyboard.press('s');
  await expect(page.getByRole('slider', { name: /^Smoothing/ })).toBeFocused();
  await page.keyboard.press('t');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard and pointer' });
  await expect(help).toContainText('Full screen');
  await shoot(page, 'help');
  await page.keyboard.press('?');
  await expect(help).toHaveCount(0);
  // Above a card in full screen: first what holds there.
  await page.keyboard.press('j');
  await page.keyboard.press('f');
  const full = page.getByRole('dialog', { name: 'learning_rate', exact: true });
  await expect(full.getByRole('application')).toBeFocused();
  await page.keyboard.press('?');
  await expect(help.getByRole('heading', { level: 2, name: 'On the page below' })).toBeVisible();
  await expect(help.getByRole('heading', { level: 3, name: 'Charts', exact: true })).toHaveCount(1);
  await shoot(page, 'help-in-full-screen');
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(full.getByRole('application')).toBeFocused();
});

test('Tab reaches the run table, where arrows and Space choose runs', async ({ page }) => {
  const screen = new Screen(page);
  await screen.runFilter.focus();
  const isRow = () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'row');
  for (let presses = 0; presses < 12 && !(await isRow()); presses++) await page.keyboard.press('Tab');
  expect(await isRow()).toBe(true);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(screen.runBox(RUN_NAMES[1]!)).not.toBeChecked();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('o');
  await expect.poll(() => screen.runsIn('train/loss')).toEqual([RUN_NAMES[2]!]);
  await page.keyboard.press('Control+a');
  await expect.poll(async () => (await screen.runsIn('train/loss')).length).toBe(5);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText(RUN_NAMES[2]!);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
