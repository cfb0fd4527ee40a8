// The Custom Scalars dashboard: charts as programs have laid them out, and what people make of them.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import { expect, test as base } from './fixtures';
import { ENVIRONMENT, PYTHON } from './logs';
import { Screen } from './screen';
import type { Server } from './server';
import { serveWritten } from './written-log';

const test = base.extend<object, { layouts: Server }>({
  layouts: [({}, use) => serveWritten('write_custom_scalars.py', [], use), { scope: 'worker' }],
});

async function open(page: Page, server: Server, words = ''): Promise<Screen> {
  const screen = new Screen(page);
  await page.goto(`${server.url}#custom_scalars${words}`);
  await screen.waitForChart('both');
  return screen;
}

test('charts of all layouts stand in their categories, and say what the log lacks', async ({
  page,
  layouts,
  shoot,
}) => {
  const screen = await open(page, layouts);
  await expect(screen.titlesIn('Losses')).toHaveText(['both', 'spread', 'odd']);
  await expect(screen.titlesIn('Layers')).toHaveText(['norms']);
  await expect(screen.titlesIn('Empty')).toHaveCount(0);
  await expect(page.getByText('Layout of 2 runs: base, tuned')).toBeVisible();
  await expect(page.getByText(/^The layout of damaged cannot be read/)).toBeVisible();
  await expect(screen.card('both').getByText('Without “val/loss”: tuned')).toBeVisible();
  const odd = screen.card('odd').getByText(/1 of \d notes/);
  await expect(odd).toHaveAttribute('title', /“train\/\(loss”: not a regular expression/);
  await expect(odd).toHaveAttribute('title', /“\(t\+\)\+\$”: this expression takes too long/);
  await expect(odd).toHaveAttribute('title', /No tag of this log matches “nothing”/);
  await expectAccessible(page);
  await shoot(page, 'custom-scalars');
});

test('a margin is a line with a band, whose bounds stand among the values', async ({ page, layouts }) => {
  const screen = await open(page, layouts, '&smoothing=none');
  await screen.waitForChart('spread');
  const row = screen.card('spread').getByRole('row', { name: /^base/ });
  // 1 / 50 and its bounds.
  await expect(row).toContainText('0.02');
  await expect(row).toContainText('-0.23 – 0.52');
  await screen.card('spread').getByRole('application').focus();
  await page.keyboard.press('f');
  const full = page.getByRole('region', { name: 'Values of all visible runs' });
  await expect(full.getByRole('columnheader', { name: 'Band' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(screen.group('Losses')).toBeVisible();
});

test('a category that was closed stays closed in the link; the filter finds charts by their tags', async ({
  page,
  layouts,
}) => {
  const screen = await open(page, layouts);
  await screen.group('Losses').getByRole('button', { name: 'Losses' }).click();
  await expect(screen.titlesIn('Losses')).toHaveCount(0);
  await page.reload();
  await expect(screen.titlesIn('Layers')).toHaveText(['norms']);
  await expect(screen.titlesIn('Losses')).toHaveCount(0);
  await screen.tagFilter.fill('grad');
  await expect(screen.titlesIn('Matching charts')).toHaveText(['norms']);
});

test('a chart is edited as one of one’s own, band and all', async ({ page, layouts }) => {
  const screen = await open(page, layouts);
  await screen.card('spread').getByRole('button', { name: 'More for spread' }).click();
  await page.getByRole('menuitem', { name: 'Edit as a chart of your own…' }).click();
  const editor = page.getByRole('dialog', { name: 'New chart' });
  await expect(editor.getByRole('button', { name: 'Band from: loss/low' })).toBeVisible();
  await editor.getByRole('textbox', { name: 'Title' }).fill('Mine');
  await editor.getByRole('button', { name: 'Create' }).click();
  await expect(screen.titlesIn('My charts')).toHaveText(['Mine']);
  await expect(screen.card('Mine').getByRole('columnheader', { name: 'Band' })).toBeVisible();
  await page.reload();
  await expect(screen.card('Mine').getByRole('columnheader', { name: 'Band' })).toBeVisible();
});

test('the whole layout can be taken over to the Time Series page, and back', async ({ page, layouts }) => {
  const screen = await open(page, layouts);
  await page.getByRole('button', { name: 'Add to Time series' }).click();
  await expect(screen.titlesIn('Losses')).toHaveText(['both', 'spread', 'odd']);
  await expect(page).toHaveURL(/#timeseries/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(screen.group('Losses')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add custom scalars' }).click();
  await expect(screen.titlesIn('Layers')).toHaveText(['norms']);
});

test('the code that was copied logs the same layout', async ({ page, layouts, context, startServer }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, layouts);
  await page.getByRole('button', { name: 'Copy Python' }).click();
  await expect(page.getByText('Python code copied')).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const directory = await mkdtemp(join(tmpdir(), 'sightline-e2e-'));
  const program = `from sightline import SummaryWriter\nwith SummaryWriter(${JSON.stringify(directory)}) as writer:\n`;
  const lines = code.split('\n').map((line) => `    ${line}`);
  execFileSync(PYTHON, ['-c', program + lines.join('\n')], { env: ENVIRONMENT });
  const copy = await startServer(directory);
  const categoriesOf = async (server: Server): Promise<unknown> => {
    const answer = await page.request.get(`${server.url}api/v1/custom_scalars/layout`);
    return ((await answer.json()) as { categories: unknown }).categories;
  };
  expect(await categoriesOf(copy)).toEqual(await categoriesOf(layouts));
  await rm(directory, { recursive: true, force: true });
});
