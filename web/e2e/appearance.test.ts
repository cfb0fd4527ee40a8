// Light and dark, wide and narrow.
import { expect, test } from './fixtures';
import { Screen } from './screen';
import { RUN_NAMES } from './training-log';

/** 44 for a finger, and a line that belongs to the bar. */
const LEAST_TARGET_PX = 43;
/** Of a word that is a button, like a group's name. */
const LEAST_WIDTH_PX = 24;

/** How bright the page's background is, 0 to 255. */
function brightness(): number {
  const [red = 0, green = 0, blue = 0] = (
    getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g) ?? []
  ).map(Number);
  return (red + green + blue) / 3;
}

test.describe('in a dark system', () => {
  test.use({ colorScheme: 'dark' });

  test('the page is dark, unless light was chosen, which it remembers', async ({ page, training, shoot }) => {
    const screen = new Screen(page);
    await screen.open(training.url, 'train/loss');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(await page.evaluate(brightness)).toBeLessThan(60);
    await shoot(page, 'dark');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Light' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await page.reload();
    await screen.waitForChart('train/loss');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    expect(await page.evaluate(brightness)).toBeGreaterThan(200);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

  test('there is one column, nothing is cut off, and fingers hit what they aim at', async ({
    page,
    training,
    shoot,
  }) => {
    const screen = new Screen(page);
    await screen.open(training.url, 'train/loss');
    await shoot(page, 'phone');
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBe(390);
    expect(widths[1]).toBe(390);
    const card = await screen.card('train/loss').boundingBox();
    expect(card!.width).toBeGreaterThan(330);

    const targets = await page.getByRole('button').evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility())
        .map((button) => {
          const { width, height } = button.getBoundingClientRect();
          return { name: button.getAttribute('aria-label') ?? button.textContent, width, height };
        }),
    );
    expect(targets.length).toBeGreaterThan(10);
    const small = targets.filter(({ width, height }) => height < LEAST_TARGET_PX || width < LEAST_WIDTH_PX);
    expect(small).toEqual([]);

    // A tap leaves the cursor where it was.
    const { x, y } = await screen.placeIn(screen.chart('train/accuracy'), 0.5);
    await page.touchscreen.tap(x, y);
    await expect(screen.place('train/accuracy')).toHaveText(/^Step \d+$/);
    await shoot(page, 'cursor');
  });

  test('the run table comes up as a sheet', async ({ page, training, shoot }) => {
    const screen = new Screen(page);
    await screen.open(training.url, 'train/loss');
    await page.getByRole('button', { name: /^Runs/ }).tap();
    const sheet = page.getByRole('dialog', { name: 'Runs' });
    await expect(sheet).toBeVisible();
    await screen.expectRuns(RUN_NAMES);
    await shoot(page, 'sheet');
    await screen.runBox(RUN_NAMES[0]!).tap();
    await sheet.getByRole('button', { name: 'Close', exact: true }).tap();
    await expect(sheet).toHaveCount(0);
    await expect.poll(async () => (await screen.runsIn('train/loss')).length).toBe(4);
    await page.getByRole('button', { name: 'Settings', exact: true }).tap();
    await expect(page.getByRole('dialog', { name: 'Chart settings' })).toBeVisible();
    await shoot(page, 'settings');
  });
});
