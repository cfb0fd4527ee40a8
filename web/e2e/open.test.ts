// Somebody starts the server and opens its page: on a log, on nothing yet, on a directory that is still to come.
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { curve, ROOT } from './logs';
import { Screen } from './screen';
import { RUN_NAMES, TAGS } from './training-log';

test('the page shows a card for each tag, in groups, and lists the runs', async ({
  page,
  training,
  shoot,
}) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await expect(page).toHaveTitle(/^Time series · .+ – Sightline$/);
  await screen.expectRuns(RUN_NAMES);
  await expect(page.getByText(`${TAGS.length} charts`)).toBeVisible();
  await expect(screen.titlesIn('learning_rate')).toHaveText(['learning_rate']);
  await expect(screen.titlesIn('train')).toHaveText(['accuracy', 'loss']);
  await expect(screen.titlesIn('val')).toHaveText(['accuracy', 'loss']);
  await expect(page.getByRole('button', { name: 'Time series' })).toHaveAttribute('aria-current', 'page');
  await screen.waitUntilLive();
  await shoot(page, 'light');
});

test('an empty directory is explained, and filled in by itself', async ({ page, logs, server, shoot }) => {
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'No event files yet' })).toBeVisible();
  await expect(page.getByRole('main').getByText(logs.path, { exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('SummaryWriter');
  await shoot(page, 'empty');
  await logs.write('late', { 'train/loss': curve(100) });
  const screen = new Screen(page);
  await screen.waitForChart('train/loss');
  await screen.expectRuns(['late']);
});

test('a directory that does not exist yet is waited for', async ({ page, logs, startServer }) => {
  const path = join(logs.path, 'not', 'there');
  const server = await startServer(path);
  await page.goto(server.url);
  await expect(page.getByText('does not exist yet')).toBeVisible();
  await logs.write('elsewhere', { 'train/loss': curve(50) });
  await mkdir(join(logs.path, 'not'));
  await mkdir(path);
  await rename(join(logs.path, 'elsewhere'), join(path, 'first'));
  const screen = new Screen(page);
  await screen.waitForChart('train/loss');
  await screen.expectRuns(['first']);
});

test('logs of other writers are shown as well', async ({ page, startServer }) => {
  const server = await startServer(join(ROOT, 'tests', 'fixtures', 'logs', 'torch'));
  await page.goto(server.url);
  const screen = new Screen(page);
  await expect.poll(async () => (await screen.listedRuns()).length).toBeGreaterThan(1);
  await expect(page.getByRole('article').first().locator('canvas').first()).toBeVisible();
  // Data that this version does not draw is named, not hidden.
  await page.getByRole('button', { name: /More dashboards/ }).click();
  await expect(page.getByRole('menu', { name: 'More dashboards' })).toContainText('In your logs');
});
