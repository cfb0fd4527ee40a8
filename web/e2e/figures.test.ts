// Somebody writes a paper: a chart becomes a figure of the size and font that the journal wants, all of them an archive, and the
// last values a table. What is in the files is looked at as other programs would.
import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { Screen } from './screen';
import { RUNS, TAGS } from './training-log';

async function openFigure(page: Page, tag: string): Promise<Locator> {
  await new Screen(page)
    .card(tag)
    .getByRole('button', { name: `More for ${tag}` })
    .click();
  await page.getByRole('menuitem', { name: 'Save as figure…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as figure' });
  await expect(dialog.getByRole('img', { name: `Preview of ${tag}` })).toBeVisible();
  return dialog;
}

async function downloaded(page: Page, act: () => Promise<void>): Promise<Download> {
  const coming = page.waitForEvent('download');
  await act();
  return coming;
}

const choose = (dialog: Locator, name: string) => dialog.getByText(name, { exact: true }).click();

test('a chart as SVG for a column of a paper', async ({ page, training }) => {
  await new Screen(page).open(`${training.url}#timeseries`, 'train/loss');
  const dialog = await openFigure(page, 'train/loss');
  await choose(dialog, 'Paper column');
  await dialog.getByLabel('Y axis').fill('loss <nats> & "more"');
  await dialog.getByRole('switch', { name: 'Title' }).check();
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Training');
  const file = await downloaded(page, () => dialog.getByRole('button', { name: 'Save SVG' }).click());
  expect(file.suggestedFilename()).toBe('Training.svg');
  const text = await readFile(await file.path(), 'utf8');
  const facts = await page.evaluate((svg) => {
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml');
    const texts = [...root.querySelectorAll('text')];
    return {
      isBroken: root.querySelector('parsererror') !== null,
      size: [root.documentElement.getAttribute('width'), root.documentElement.getAttribute('height')],
      words: texts.map((one) => one.textContent),
      fonts: [...new Set(texts.map((one) => one.getAttribute('font-family')))],
      lines: root.querySelectorAll('path[stroke][fill="none"]').length,
    };
  }, text);
  expect(facts.isBroken).toBe(false);
  expect(facts.size).toEqual(['3.5in', '2.4in']);
  expect(facts.words).toEqual(expect.arrayContaining(['Training', 'Step', 'loss <nats> & "more"']));
  expect(facts.fonts).toEqual(["'Times New Roman', Times, serif"]);
  expect(facts.lines).toBeGreaterThan(RUNS.length);
  expect(text).not.toMatch(/https?:(?!\/\/www\.w3\.org\/2000\/svg)/);
});

test('a chart as PNG has the pixels and the density that were chosen', async ({ page, training }) => {
  await new Screen(page).open(`${training.url}#timeseries`, 'train/loss');
  const dialog = await openFigure(page, 'train/loss');
  await choose(dialog, 'mm');
  await dialog.getByLabel('Width').fill('100');
  await dialog.getByLabel('Height').fill('60');
  await choose(dialog, 'PNG');
  await dialog.getByLabel('Resolution').selectOption('300 dpi');
  await expect(dialog.getByRole('status')).toHaveText('1181 × 709 pixels');
  const file = await downloaded(page, () => dialog.getByRole('button', { name: 'Save PNG' }).click());
  const bytes = await readFile(await file.path());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1181, 709]);
  expect(bytes.subarray(37, 41).toString()).toBe('pHYs');
  expect(bytes.readUInt32BE(41)).toBe(11_811);
  // The choice is there again the next time.
  const again = await openFigure(page, 'train/loss');
  await expect(again.getByLabel('Width')).toHaveValue('100');
  await expect(again.getByRole('button', { name: 'Save PNG' })).toBeVisible();
});

test('a size that cannot be is said in place, and nothing is saved', async ({ page, training }) => {
  await new Screen(page).open(`${training.url}#timeseries`, 'train/loss');
  const dialog = await openFigure(page, 'train/loss');
  await dialog.getByLabel('Width').fill('0');
  await expect(dialog.getByRole('status')).toContainText('Width and height can be from');
  await expect(dialog.getByRole('button', { name: 'Save SVG' })).toBeDisabled();
});

test('a key opens it, and the figure is copied', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries`, 'train/loss');
  await screen.card('train/loss').hover();
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog', { name: 'Save as figure' });
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('<title>train/loss</title>');
});

test('all charts in sight as one archive', async ({ page, training }) => {
  await new Screen(page).open(`${training.url}#timeseries`, 'train/loss');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Charts as figures…' }).click();
  const dialog = page.getByRole('dialog', { name: /charts as figures/ });
  const file = await downloaded(page, () => dialog.getByRole('button', { name: 'Save all as zip' }).click());
  expect(file.suggestedFilename()).toBe('charts.zip');
  const bytes = await readFile(await file.path());
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  expect(bytes.readUInt16LE(end + 10)).toBe(TAGS.length);
  expect(bytes.includes('train-loss.svg')).toBe(true);
  await expect(dialog).toBeHidden();
});

test('a table of values in three formats', async ({ page, training }) => {
  await new Screen(page).open(`${training.url}#timeseries`, 'train/loss');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Table of values…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Table of values' });
  await expect(dialog.getByRole('checkbox', { name: 'train/loss', exact: true })).toBeVisible();
  for (const box of await dialog.getByRole('group', { name: 'Columns' }).getByRole('checkbox').all()) {
    await box.setChecked(false);
  }
  await dialog.getByRole('checkbox', { name: 'train/loss', exact: true }).check();
  const table = dialog.getByRole('textbox', { name: 'The table' });
  const run = RUNS.find(({ tags }) => tags['train/loss'] !== undefined)!;
  const last = run.tags['train/loss']!.at(-1)!;
  await choose(dialog, 'CSV');
  await expect(table).toHaveValue(new RegExp(`^Run,train/loss\r?\n(.*\n)*${run.name},${last}\r?\n`));
  await choose(dialog, 'Markdown');
  await expect(table).toHaveValue(/^\| Run +\| +train\/loss \|\n\| :-+ \| -+: \|\n/);
  await choose(dialog, 'LaTeX');
  await choose(dialog, 'Lowest');
  await expect(table).toHaveValue(/\\toprule\n {2}Run & train\/loss \\\\\n(.*\n)*.*\$\\mathbf\{/);
  const file = await downloaded(page, () => dialog.getByRole('button', { name: 'Download' }).click());
  expect(file.suggestedFilename()).toBe('values.tex');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('\\bottomrule');
});
