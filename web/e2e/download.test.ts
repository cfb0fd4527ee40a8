// Somebody takes the data along: of one chart, or of all that is shown. Every point is in the file, to the last digit.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { Screen } from './screen';
import { RUNS, TAGS } from './training-log';

interface Point {
  readonly run: string;
  readonly tag: string;
  readonly step: number;
  readonly wall_time: number;
  readonly value: number;
}

function logged(runs: readonly string[], tags: readonly string[]): Point[] {
  return RUNS.filter(({ name }) => runs.includes(name)).flatMap(({ name, startedS, tags: values }) =>
    tags.flatMap((tag) =>
      (values[tag] ?? []).map((value, step) => ({ run: name, tag, step, wall_time: startedS + step, value })),
    ),
  );
}

function inOrder(points: readonly Point[]): string[] {
  return points
    .map(({ run, tag, step, wall_time, value }) => `${run} ${tag} ${step} ${wall_time} ${value}`)
    .sort();
}

function pointsOfCsv(text: string): Point[] {
  const [header, ...lines] = text.trim().split('\n');
  expect(header).toBe('run,tag,step,wall_time,value');
  return lines.map((line) => {
    const [run = '', tag = '', step, wall, value] = line.split(',');
    return { run, tag, step: Number(step), wall_time: Number(wall), value: Number(value) };
  });
}

async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download');
  await act();
  const download = await coming;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('one chart as CSV and as JSON', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&runFilter=dense|seed1`, 'train/loss');
  const runs = ['2026-02-10/baseline-seed1', '2026-02-11/dense'];
  await screen.expectRuns(runs);
  const choose = (item: string) => async () => {
    await screen.card('train/loss').getByRole('button', { name: 'More for train/loss' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const expected = inOrder(logged(runs, ['train/loss']));
  const csv = await downloaded(page, choose('Download CSV'));
  expect(csv.name).toBe('train-loss.csv');
  expect(inOrder(pointsOfCsv(csv.text))).toEqual(expected);
  const json = await downloaded(page, choose('Download JSON'));
  expect(json.name).toBe('train-loss.json');
  expect(inOrder(JSON.parse(json.text) as Point[])).toEqual(expected);
});

test('what is shown and selected, or everything', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&tagFilter=loss`, 'val/loss');
  await screen.runBox('2026-02-11/dense').uncheck();
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Data…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download data' });
  await expect(dialog.getByText('Shown (2)')).toBeVisible();
  await expect(dialog.getByText('Visible (4)')).toBeVisible();
  await shoot(page, 'dialog');
  const selection = await downloaded(page, () => dialog.getByRole('button', { name: 'Download' }).click());
  const shownRuns = RUNS.map(({ name }) => name).filter((name) => !name.endsWith('dense'));
  expect(inOrder(pointsOfCsv(selection.text))).toEqual(
    inOrder(logged(shownRuns, ['train/loss', 'val/loss'])),
  );
  await expect(dialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Data…' }).click();
  await dialog.getByText('All (5)').first().click();
  await dialog.getByText('All (5)').last().click();
  await dialog.getByText('JSON').click();
  const all = await downloaded(page, () => dialog.getByRole('button', { name: 'Download' }).click());
  expect(inOrder(JSON.parse(all.text) as Point[])).toEqual(
    inOrder(
      logged(
        RUNS.map(({ name }) => name),
        TAGS,
      ),
    ),
  );
});
