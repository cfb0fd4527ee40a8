// Somebody points into a chart and reads, sorts and copies the values there.
import { expect, test } from './fixtures';
import { numberFrom, Screen } from './screen';
import { pointsOf, RUN_NAMES } from './training-log';

const USUAL = RUN_NAMES.filter((name) => !name.endsWith('dense'));

test('the values at the pointer are those that were logged, nearest first, in all cards', async ({
  page,
  training,
  shoot,
}) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&smoothing=0`, 'val/loss');
  // At the lower edge the lowest line is the nearest.
  await screen.hover(screen.chart('val/loss'), 0.5, 0.98);
  await expect(screen.place('val/loss')).toHaveText(/^Step \d+$/);
  const place = await screen.place('val/loss').innerText();
  const step = numberFrom(place.replace('Step ', ''));
  expect(Math.abs(step - 200)).toBeLessThan(40);
  const shown = await screen.values('val/loss');
  expect(shown.map(({ run }) => run).sort()).toEqual([...USUAL].sort());
  for (const { run, value, step: text } of shown) {
    expect(numberFrom(text)).toBe(step);
    const logged = pointsOf(run, 'val/loss')[step]!;
    expect(Math.abs(Number(value) - logged)).toBeLessThan(5.1e-5 * logged);
  }
  const lowest = [...USUAL].sort(
    (a, b) => pointsOf(a, 'val/loss')[step]! - pointsOf(b, 'val/loss')[step]!,
  )[0];
  expect(shown[0]!.run).toBe(lowest);
  await expect(screen.place('val/accuracy')).toHaveText(place);
  await shoot(page, 'hover');
  await page.mouse.move(5, 5);
  await expect(screen.place('val/loss')).toHaveText('Last values');
});

test('the values can be sorted and their number limited', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&smoothing=0`, 'val/loss');
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Highest first');
  const numbers = async () => (await screen.values('val/loss')).map(({ value }) => Number(value));
  await expect
    .poll(async () => (await numbers()).every((value, i, all) => i === 0 || value <= all[i - 1]!))
    .toBe(true);
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By name');
  await expect.poll(() => screen.runsIn('val/loss')).toEqual([...USUAL].sort());
  await page.getByRole('spinbutton', { name: 'Rows' }).fill('2');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await numbers()).length).toBe(2);
  await expect(screen.place('val/loss')).toHaveText('Last values · 2 more');
});

test('the values at the cursor are copied with all their digits', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&smoothing=0`, 'val/loss');
  await screen.chart('val/loss').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(screen.place('val/loss')).toHaveText('Step 1');
  await page.keyboard.press('c');
  await expect(page.getByText('Copied the values of val/loss')).toBeVisible();
  const [header, ...lines] = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
  const columns = header!.split('\t');
  expect(columns).toEqual(expect.arrayContaining(['run', 'value', 'step', 'wall_time']));
  expect(lines).toHaveLength(USUAL.length);
  for (const line of lines) {
    const cells = line.split('\t');
    const run = cells[columns.indexOf('run')]!;
    expect(Number(cells[columns.indexOf('value')])).toBe(pointsOf(run, 'val/loss')[1]);
    expect(cells[columns.indexOf('step')]).toBe('1');
  }
});
