// Somebody smooths the lines and changes the axes; the numbers on screen are those of the formulas.
import { expect, test } from './fixtures';
import { curve } from './logs';
import { numberFrom, Screen } from './screen';
import { pointsOf } from './training-log';

const RUN = '2026-02-10/baseline-seed0';

/** TensorBoard's moving average, as its users know it: debiased, so that the first points are not pulled to zero. */
function movingAverage(values: readonly number[], weight: number): number[] {
  let last = 0;
  return values.map((value, i) => {
    last = last * weight + (1 - weight) * value;
    return last / (1 - weight ** (i + 1));
  });
}

/** The table shows five digits. */
function expectShown(text: string, value: number): void {
  expect(Math.abs(Number(text) - value)).toBeLessThan(5.1e-5 * Math.abs(value));
}

test.beforeEach(async ({ page, training }) => {
  await new Screen(page).open(`${training.url}#timeseries&runFilter=baseline-seed0`, 'val/loss');
});

test('the smoothed line is TensorBoard’s moving average', async ({ page, shoot }) => {
  const screen = new Screen(page);
  const points = pointsOf(RUN, 'val/loss');
  const lastShown = async () => (await screen.values('val/loss'))[0]!;
  expectShown((await lastShown()).smoothed, movingAverage(points, 0.6).at(-1)!);
  expectShown((await lastShown()).value, points.at(-1)!);

  const before = (await lastShown()).smoothed;
  await page.getByRole('spinbutton', { name: 'Weight' }).fill('0.95');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await lastShown()).smoothed).not.toBe(before);
  expectShown((await lastShown()).smoothed, movingAverage(points, 0.95).at(-1)!);
  await expect.poll(() => screen.words().get('smoothing')).toBe('0.95');
  await shoot(page, 'smoothed');

  // In the middle of the line as well.
  await screen.hover(screen.chart('val/loss'), 0.3);
  await expect(screen.place('val/loss')).toHaveText(/^Step /);
  const hovered = await lastShown();
  expectShown(hovered.smoothed, movingAverage(points, 0.95)[numberFrom(hovered.step)]!);

  // A click copies all digits; the server may send a smoothed value as float32, which is good for seven of them.
  await page.mouse.move(5, 5);
  await expect(screen.place('val/loss')).toHaveText('Last values');
  const row = screen.card('val/loss').locator('tbody tr').first();
  await row.locator('.value').click();
  await expect(page.getByText(/^Copied /)).toHaveText(`Copied ${points.at(-1)!}`);
  await row.locator('.smoothed').click();
  const exact = movingAverage(points, 0.95).at(-1)!;
  await expect
    .poll(async () => Math.abs(Number(await page.evaluate(() => navigator.clipboard.readText())) / exact - 1))
    .toBeLessThan(1e-6);
});

test('the slider changes the weight, and other ways to smooth can be chosen', async ({ page }) => {
  const screen = new Screen(page);
  const points = pointsOf(RUN, 'val/loss');
  const smoothedAt = async () => (await screen.values('val/loss'))[0]!.smoothed;
  const atFirst = await smoothedAt();
  await page.getByRole('slider', { name: 'Smoothing: Weight' }).focus();
  await page.keyboard.press('End');
  await expect.poll(() => screen.words().get('smoothing')).toBe('0.999');
  await expect.poll(smoothedAt).not.toBe(atFirst);

  const kind = page.getByRole('combobox', { name: 'Smoothing' });
  await kind.selectOption('mean');
  await page.getByRole('spinbutton', { name: /points/i }).fill('5');
  await page.keyboard.press('Enter');
  await expect.poll(() => screen.words().get('smoothing')).toBe('mean:5');
  await screen.chart('val/loss').focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
  await expect(screen.place('val/loss')).toHaveText('Step 4');
  const mean = points.slice(2, 7).reduce((sum, value) => sum + value, 0) / 5;
  await expect.poll(async () => Math.abs(Number(await smoothedAt()) / mean - 1)).toBeLessThan(5.1e-5);

  for (const other of ['gaussian', 'time_ema']) {
    const before = await smoothedAt();
    await kind.selectOption(other);
    await expect.poll(() => screen.words().get('smoothing')).toContain(other);
    await expect.poll(smoothedAt).not.toBe(before);
  }
  await kind.selectOption('none');
  await expect.poll(smoothedAt).toBe('');
  await expect(screen.card('val/loss')).not.toContainText('EMA');
});

test('the x axis counts steps, time since the start, or the time of day', async ({ page, shoot }) => {
  const screen = new Screen(page);
  const axis = page.getByRole('radiogroup', { name: 'Horizontal axis' });
  await expect(screen.card('val/loss')).toContainText('steps 0 to 399');
  await axis.getByText('Relative').click();
  await expect(screen.card('val/loss')).toContainText('time 0.00s to 6m 39s');
  await screen.hover(screen.chart('val/loss'), 0.5);
  await expect(screen.place('val/loss')).toHaveText(/^\dm \d\ds$/);
  await axis.getByText('Wall time').click();
  await expect(screen.card('val/loss')).toContainText(
    /time 10 Feb( 2026)? 08:00:00 to 10 Feb( 2026)? 08:06:39/,
  );
  await shoot(page, 'wall-time');
  await expect.poll(() => screen.words().get('x')).toBe('wall');
  await axis.getByText('Step').click();
  await page.getByRole('switch', { name: 'Logarithmic' }).check();
  await expect.poll(() => screen.words().get('xscale')).toBe('log');
  await expect(screen.card('val/loss')).toContainText('steps 0 to 399');
});

test('a logarithmic y axis says what it cannot show; limits can be typed', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  await logs.write('run', { margin: [-2, -1, 0, ...curve(50)] });
  const screen = new Screen(page);
  await screen.open(`${server.url}#timeseries&smoothing=0`, 'margin');
  await page.getByRole('radiogroup', { name: 'Vertical axis' }).getByText('Log', { exact: true }).click();
  const note = screen.card('margin').getByRole('button', { name: 'Log scale hides 3 values ≤ 0' });
  await expect(note).toBeVisible();
  await shoot(page, 'log');
  await note.click();
  await expect(note).toHaveCount(0);

  await screen.card('margin').getByRole('button', { name: 'More for margin' }).click();
  await page.getByRole('menuitem', { name: 'Limits…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Limits of the y axis' });
  await dialog.getByLabel('From').fill('0.9');
  await dialog.getByLabel('To').fill('0.1');
  await dialog.getByRole('button', { name: 'Set limits' }).click();
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await dialog.getByLabel('From').fill('-0.5');
  await dialog.getByLabel('To').fill('0.5');
  await dialog.getByRole('button', { name: 'Set limits' }).click();
  await expect(screen.card('margin')).toContainText('Fixed y limits');
  await expect.poll(() => screen.words().get('card')).toBe('symlog,-0.5..0.5,margin');
});
