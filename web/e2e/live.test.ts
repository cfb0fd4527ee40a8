// Training goes on while somebody watches: points, runs and the server come and go, and nobody reloads the page.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { curve } from './logs';
import { Screen } from './screen';

/** A mark that a reload would wipe away. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => (document.documentElement.dataset['mark'] = 'here'));
}

async function expectNoReload(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-mark', 'here');
}

test('new points, new runs and new tags appear, removed runs go', async ({ page, logs, server, shoot }) => {
  await logs.write('first', { 'train/loss': curve(100) }, { isOpen: true });
  await logs.write('second', { 'train/loss': curve(50) });
  const screen = new Screen(page);
  await screen.open(`${server.url}#timeseries&smoothing=0`, 'train/loss');
  await screen.waitUntilLive();
  await mark(page);

  await logs.write('first', { 'train/loss': [0.4375] }, { firstStep: 100, isOpen: true });
  await expect(screen.card('train/loss').getByRole('cell', { name: /^0\.43750*$/ })).toBeVisible();
  await expect(screen.card('train/loss')).toContainText('steps 0 to 100');
  await expect(screen.runRow('first')).toContainText('running');
  await expect(screen.runRow('second')).toContainText('finished');
  await shoot(page, 'grown');

  await logs.write('third', { 'train/loss': curve(30), 'val/loss': curve(30) });
  await screen.expectRuns(['first', 'second', 'third']);
  await expect(screen.titlesIn('val')).toHaveText(['loss']);
  await expect
    .poll(async () => (await screen.runsIn('train/loss')).sort())
    .toEqual(['first', 'second', 'third']);

  await rm(join(logs.path, 'second'), { recursive: true });
  await screen.expectRuns(['first', 'third']);
  await expect.poll(async () => (await screen.runsIn('train/loss')).sort()).toEqual(['first', 'third']);
  await expectNoReload(page);
});

test('paused, the page stands still until it is told to look', async ({ page, logs, server }) => {
  await logs.write('run', { loss: curve(10) }, { isOpen: true });
  const screen = new Screen(page);
  await screen.open(server.url, 'loss');
  await screen.waitUntilLive();
  await screen.connection.click();
  await page.getByRole('menuitemcheckbox', { name: 'Follow new data live' }).click();
  await page.keyboard.press('Escape');
  await expect(screen.connection).toHaveText(/Paused/);
  await logs.write('run', { loss: curve(10) }, { firstStep: 10 });
  // The server knows them; the page has not asked.
  await expect
    .poll(async () => {
      const answer = await page.request.get(`${server.url}api/v1/runs`);
      return ((await answer.json()) as { points: number[] }).points;
    })
    .toEqual([20]);
  await expect(screen.card('loss')).toContainText('steps 0 to 9.');
  await page.getByRole('button', { name: /^Look for new data now/ }).click();
  await expect(screen.card('loss')).toContainText('steps 0 to 19.');
});

test.describe('when the server ends', () => {
  test.use({ expectedErrors: [/net::ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)/] });

  test('the page says so, keeps what it shows, and goes on when the server is back', async ({
    page,
    logs,
    server,
    shoot,
  }) => {
    await logs.write('run', { loss: curve(200), 'val/loss': curve(200) });
    const screen = new Screen(page);
    await screen.open(`${server.url}#timeseries&smoothing=0.5`, 'loss');
    await screen.waitUntilLive();
    await mark(page);
    await screen.dragZoom(screen.chart('loss'), 0.2, 0.6);
    const range = await screen.waitForXRange();

    expect(await server.stop()).toBe(0);
    await expect(screen.connection).toHaveText(/Reconnecting…/);
    await expect(page.getByText('Connection to the server lost, trying again')).toBeVisible();
    expect((await screen.values('loss')).length).toBe(1);
    await shoot(page, 'lost');

    await logs.write('run', { loss: [0.4375], 'val/loss': [0.4375] }, { firstStep: 200 });
    await logs.write('meanwhile', { loss: curve(20) });
    await server.start();
    await screen.waitUntilLive();
    await screen.expectRuns(['meanwhile', 'run']);
    await expect(screen.runRow('run')).toContainText('200');
    expect(screen.xRange()).toEqual(range);
    expect(screen.words().get('smoothing')).toBe('0.5');
    await page.keyboard.press('0');
    await expect(screen.card('val/loss').getByRole('cell', { name: /^0\.43750*$/ })).toBeVisible();
    await expectNoReload(page);
  });
});
