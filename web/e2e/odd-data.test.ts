// Data that is not as it should be: values that are no numbers, runs that were started again, files that are damaged.
// All of it is shown or told, none of it in silence.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { curve } from './logs';
import { Screen } from './screen';

test('NaN and infinite values are marked and named', async ({ page, logs, server, shoot }) => {
  const values = [1, 0.8, 'NaN', 0.6, 'Infinity', 0.5, '-Infinity', 0.4, 0.3] as const;
  await logs.write('run', { loss: values, clean: [1, 0.5, 0.25] });
  const screen = new Screen(page);
  await screen.open(`${server.url}#timeseries&smoothing=0`, 'loss');
  await screen.chart('loss').focus();
  await page.keyboard.press('Home');
  for (const [step, value] of values.entries()) {
    await expect(screen.place('loss')).toHaveText(`Step ${step}`);
    await expect
      .poll(async () => (await screen.values('loss'))[0]?.value)
      .toMatch(typeof value === 'number' ? new RegExp(`^${value}0*$`.replace('.', '\\.')) : value);
    await page.keyboard.press('ArrowRight');
  }
  await shoot(page, 'marks');
});

test('outliers that are left out of the axis are counted, and shown on demand', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  await logs.write('run', { loss: curve(200).map((value, step) => (step === 120 ? 1000 : value)) });
  const screen = new Screen(page);
  await screen.open(`${server.url}#timeseries&smoothing=0`, 'loss');
  const note = screen.card('loss').getByRole('button', { name: /above the axis/ });
  await expect(note).toBeVisible();
  await shoot(page, 'left-out');
  await note.click();
  await expect(screen.card('loss').getByRole('button', { name: 'Outliers shown' })).toBeVisible();
  await page.getByRole('switch', { name: 'Ignore outliers' }).uncheck();
  await expect(screen.card('loss').getByRole('button', { name: /utliers|above the axis/ })).toHaveCount(0);
});

test('the abandoned branch of a restarted run is hidden, and shown on demand', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  await logs.write('run', { loss: curve(100, { from: 1, to: 0.8 }) }, { startedS: 1_770_710_400 });
  await logs.write(
    'run',
    { loss: curve(60, { from: 0.6, to: 0.1 }) },
    { firstStep: 40, startedS: 1_770_720_400 },
  );
  const screen = new Screen(page);
  await screen.open(`${server.url}#timeseries&smoothing=0`, 'loss');
  const note = (state: string) =>
    screen.card('loss').getByRole('button', { name: `Restart: 60 points ${state}` });
  await expect(note('hidden')).toBeVisible();
  const branch = page.getByRole('switch', { name: 'Show abandoned branches' });
  const walk = async () => {
    await screen.chart('loss').focus();
    await page.keyboard.press('Home');
    for (let i = 0; i < 6; i++) await page.keyboard.press('Shift+ArrowRight');
  };
  await walk();
  await expect(screen.place('loss')).toHaveText('Step 60');
  await expect.poll(() => screen.values('loss')).toHaveLength(1);
  await branch.check();
  await expect(note('shown')).toBeVisible();
  await walk();
  await expect.poll(() => screen.values('loss')).toHaveLength(2);
  await expect.poll(() => screen.words().get('superseded')).toBe('show');
  await shoot(page, 'branch');
  await note('shown').click();
  await expect(branch).not.toBeChecked();
});

test('a damaged file is reported with its place, and the rest of it is shown', async ({
  page,
  logs,
  startServer,
  shoot,
}) => {
  await logs.write('good', { loss: curve(500) });
  await logs.write('broken', { loss: curve(500) });
  const directory = join(logs.path, 'broken');
  const name = (await readdir(directory)).find((file) => file.includes('tfevents'))!;
  const bytes = await readFile(join(directory, name));
  // So many points that the middle is one of them.
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = bytes[middle]! ^ 0xff;
  await writeFile(join(directory, name), bytes);

  const server = await startServer(logs.path);
  const screen = new Screen(page);
  await screen.open(server.url, 'loss');
  await expect.poll(async () => (await screen.runsIn('loss')).sort()).toEqual(['broken', 'good']);
  await expect(screen.runRow('broken')).toContainText('damaged');
  await expect
    .poll(async () => (await screen.values('loss')).map(({ step }) => step))
    .toEqual(['499', '499']);
  await page.getByRole('button', { name: '1 problem in the files: show' }).click();
  const report = page.getByRole('dialog', { name: 'Warnings and damaged files' });
  await expect(report).toContainText('1 damaged place');
  await expect(report.getByRole('heading', { name: 'broken' })).toBeVisible();
  await expect(report).toContainText(name);
  await shoot(page, 'report');
  await page.keyboard.press('Escape');
  await expect(report).toHaveCount(0);
});
