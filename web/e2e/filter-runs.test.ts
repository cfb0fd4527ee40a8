// Somebody narrows the run table: by text, by an expression, by a wrong one, by one that never ends, by values.
import { expect, test } from './fixtures';
import { curve } from './logs';
import { Screen } from './screen';
import { RUN_NAMES } from './training-log';

const without = (word: string) => RUN_NAMES.filter((name) => !name.includes(word));
const within = (word: string) => RUN_NAMES.filter((name) => name.includes(word));

test('an expression keeps the runs that match, in the table and in the charts', async ({
  page,
  training,
  shoot,
}) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await screen.runFilter.fill('^(?!.*test).*');
  await screen.expectRuns(without('test'));
  await expect.poll(async () => (await screen.runsIn('train/loss')).sort()).toEqual(without('test').sort());
  await shoot(page, 'without-test');

  await screen.runFilter.fill('2026-02-10.*');
  await screen.expectRuns(within('2026-02-10'));
  await expect.poll(() => screen.runsIn('val/loss')).toHaveLength(2);
  await expect(screen.runTable).toContainText('2 of 2 selected, 5 in all');

  await screen.runFilter.fill('nothing-is-called-so');
  await expect(screen.runTable).toContainText('No run matches');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await screen.expectRuns(RUN_NAMES);
});

test('plain text is taken as it is written', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await expect(screen.runFilter).toHaveAccessibleName('Filter runs by text');
  await screen.runFilter.fill('WIDE');
  await screen.expectRuns(within('wide'));
  await screen.runFilter.fill('.*');
  await expect(screen.runTable).toContainText('No run matches');
});

test('a wrong expression is explained and filters nothing away', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await screen.runFilter.fill('seed');
  await screen.expectRuns(within('seed'));
  await screen.runFilter.fill('seed(');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(screen.runFilter).toHaveAttribute('aria-invalid', 'true');
  await screen.expectRuns(within('seed'));
  await shoot(page, 'wrong-expression');
  await screen.runFilter.fill('seed0');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await screen.expectRuns(within('seed0'));
});

test('an expression that takes for ever is given up, and the page goes on meanwhile', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  const names = ['first', 'second'].map((word) => `${'a'.repeat(60)}-${word}`);
  for (const name of names) await logs.write(name, { 'train/loss': curve(20), 'val/loss': curve(20) });
  const screen = new Screen(page);
  await screen.open(server.url, 'train/loss');
  await screen.runFilter.fill('(a+)+$');
  // The page answers at once: this filter is another one.
  await screen.tagFilter.fill('val');
  await expect(screen.titlesIn('Matching charts')).toHaveText(['val/loss']);
  await expect(page.getByRole('alert')).toContainText('takes too long');
  await screen.expectRuns(names);
  await shoot(page, 'given-up');
  await screen.runFilter.fill('a+.*first');
  await screen.expectRuns([names[0]!]);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('values of runs narrow the table, with completion and the place of a mistake', async ({
  page,
  training,
  shoot,
}) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await page.getByRole('button', { name: 'Filter by values' }).click();
  await screen.valueFilter.fill('name ~ "wide"');
  await screen.expectRuns(within('wide'));
  await shoot(page, 'by-values');

  await screen.valueFilter.fill('step > and');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.locator('mark')).toHaveText('and');
  await screen.expectRuns(within('wide'));
  await shoot(page, 'mistake');

  await screen.valueFilter.fill('');
  await screen.valueFilter.pressSequentially('stat');
  await expect(page.getByRole('option', { name: /^status/ })).toBeVisible();
  await shoot(page, 'completion');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(screen.valueFilter).toHaveValue(/^status/);
});
