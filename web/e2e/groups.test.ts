// Runs drawn as groups: the mean of several with its band, how many there are, and what can be changed about it.
import { expect, test } from './fixtures';
import type { LogDirectory } from './logs';
import { Screen } from './screen';

const constant = (value: number, count: number) => Array.from({ length: count }, () => value);

/** Three runs of a group, one of which ended early, and one that is in none. */
async function writeSeeds(logs: LogDirectory): Promise<void> {
  await logs.write('wide/seed0', { loss: constant(1, 20) });
  await logs.write('wide/seed1', { loss: constant(3, 20) });
  await logs.write('wide/seed2', { loss: constant(5, 10) });
  await logs.write('alone', { loss: constant(4, 20) });
}

/** Cells of the row with this name in the strip below a chart. */
async function rowOf(screen: Screen, name: string): Promise<string[]> {
  const row = screen.card('loss').locator(`tbody tr[title="${name}"]:not([hidden])`);
  const cells = await row.locator('td').allTextContents();
  // Digits behind the point are there to align it with the others.
  return cells.map((text) => (/^[\d.]+$/.test(text) ? String(Number(text)) : text));
}

test.beforeEach(async ({ page, logs, server }) => {
  await writeSeeds(logs);
  const screen = new Screen(page);
  await screen.open(`${server.url}#scalars&smoothing=0&group=folder:1`, 'loss');
  // The run without a group has an answer of its own, which may come first.
  await expect.poll(async () => (await screen.runsIn('loss')).sort()).toEqual(['alone', 'wide']);
});

test('a group is one line with its mean, its deviation and its members at each place', async ({
  page,
  shoot,
}) => {
  const screen = new Screen(page);
  await expect(screen.card('loss')).toContainText('1 group and 1 run');
  // At the end one of three has nothing to say.
  await expect.poll(() => rowOf(screen, 'wide')).toEqual(['2', '± 1.41', '2 of 3', '19']);
  await screen.hover(screen.chart('loss'), 0.2);
  await expect.poll(async () => (await rowOf(screen, 'wide')).slice(0, 3)).toEqual(['3', '± 2', '3']);
  await shoot(page, 'group');
});

test('centre, band and members can be chosen, and the picture follows', async ({ page }) => {
  const screen = new Screen(page);
  const settings = page.getByRole('region', { name: 'Groups', exact: true });
  const picture = () => screen.chart('loss').screenshot();
  await settings.getByRole('combobox', { name: 'Band' }).selectOption('minmax');
  await expect.poll(() => rowOf(screen, 'wide')).toEqual(['2', '1 – 3', '2 of 3', '19']);
  const withBand = await picture();
  await settings.getByRole('combobox', { name: 'Band' }).selectOption('none');
  await expect.poll(async () => (await rowOf(screen, 'wide'))[1]).toBe('');
  // The strip is written before the canvas is drawn.
  await expect.poll(async () => (await picture()).equals(withBand)).toBe(false);
  const withoutBand = await picture();
  await settings.getByRole('switch', { name: /Show members/ }).uncheck();
  await expect.poll(async () => (await picture()).equals(withoutBand)).toBe(false);
  await settings.getByText('Median').click();
  await expect(screen.card('loss').getByRole('columnheader', { name: 'Median' })).toBeVisible();
  await expect.poll(() => screen.words().get('group')).toBe('folder:1,median,none,nomembers');
});

test('a member that is switched off is no part of the mean any more', async ({ page }) => {
  const screen = new Screen(page);
  await screen.runBox('wide/seed0').uncheck();
  await expect.poll(() => rowOf(screen, 'wide')).toEqual(['3', '', '1 of 2', '19']);
});

test('values of groups are copied with band and members', async ({ page }) => {
  const screen = new Screen(page);
  await screen.chart('loss').focus();
  await page.keyboard.press('c');
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('group\tvalue\tlow\thigh\tmembers\truns\tx\n');
});

test('a group that grows is drawn on', async ({ page, logs }) => {
  const screen = new Screen(page);
  await expect.poll(async () => (await rowOf(screen, 'wide'))[3]).toBe('19');
  await logs.write('wide/seed1', { loss: constant(3, 10) }, { firstStep: 20 });
  await expect.poll(async () => (await rowOf(screen, 'wide'))[3]).toBe('29');
});
