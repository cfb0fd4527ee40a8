// Somebody keeps order among runs: names, labels, notes, colours, favourites, the archive and the trash; alone, with another
// browser at the same time, and with a server that goes away.
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { RunEditor } from './run-editor';
import { Screen } from './screen';

const NAMES = ['one', 'two', 'three'];

test.beforeEach(async ({ logs }) => {
  await logs.writeCurves(NAMES);
});

test('a run is renamed in its row, keeps its directory’s name in the details, and the change is undone', async ({
  page,
  server,
  shoot,
}) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.focus('two');
  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: /^New name of/ })).toBeFocused();
  await shoot(page, 'renaming');
  await page.keyboard.type('The good one');
  await editor.save(() => page.keyboard.press('Enter'));
  await screen.expectRuns(['one', 'The good one', 'three']);
  await expect(screen.runRow('The good one')).toBeFocused();
  await page.keyboard.press('Enter');
  const details = page.getByRole('dialog', { name: 'The good one' });
  await expect(details).toContainText('two');
  await page.keyboard.press('Escape');

  await page.reload();
  await screen.expectRuns(['one', 'The good one', 'three']);
  await editor.rename('The good one', '');
  await screen.expectRuns(NAMES);
  await page.keyboard.press('Control+z');
  await screen.expectRuns(['one', 'The good one', 'three']);
  await page.keyboard.press('Control+Shift+Z');
  await screen.expectRuns(NAMES);
});

test('labels are given to several runs at once, and are a column and a filter', async ({
  page,
  server,
  shoot,
}) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.label('one', 'paper');
  await screen.runBox('three').click();
  await screen.chooseForRuns(/^Labels/);
  const dialog = page.getByRole('dialog', { name: 'Labels of 2 runs' });
  await dialog.getByRole('button', { name: '1 of 2' }).click();
  await expect(dialog.getByRole('button', { name: '1 of 2' })).toHaveCount(0);
  await shoot(page, 'labels-of-two');
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Labels' }).check();
  await page.keyboard.press('Escape');
  await expect(screen.runRow('two').getByText('paper')).toBeAttached();

  await page.getByRole('button', { name: 'Filter by values' }).click();
  await screen.valueFilter.fill('label = "paper"');
  await screen.expectRuns(['one', 'two']);
});

test('a favourite is marked, found and brought to the top', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.focus('two');
  await editor.save(() => page.keyboard.press('f'));
  await expect(screen.runRow('two').getByRole('img', { name: 'favourite' })).toBeVisible();
  await page.reload();
  await expect(screen.runRow('two').getByRole('img', { name: 'favourite' })).toBeVisible();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Favourite' }).check();
  await page.keyboard.press('Escape');
  await page
    .getByRole('columnheader', { name: /★|Favourite/ })
    .getByRole('button')
    .click();
  await expect.poll(async () => (await screen.listedRuns())[0]).toBe('two');
  await page.getByRole('button', { name: 'Filter by values' }).click();
  await screen.valueFilter.fill('favourite');
  await screen.expectRuns(['two']);
});

test('an archived run leaves table and charts, and comes back', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.choose('two', 'Archive');
  await screen.expectRuns(['one', 'three']);
  await expect.poll(async () => (await screen.runsIn('train/loss')).sort()).toEqual(['one', 'three']);
  await page.getByRole('button', { name: 'Select runs', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Show archived runs' }).click();
  await page.keyboard.press('Escape');
  await screen.expectRuns(NAMES);
  await editor.choose('two', 'Take out of the archive');
  await expect(screen.runRow('two')).not.toContainText('archived');
});

test('the toast takes a change back', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.choose('two', 'Archive');
  await screen.expectRuns(['one', 'three']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await screen.expectRuns(NAMES);
});

test('a colour is chosen in table and charts, and given back', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  const stroke = () =>
    screen
      .runRow('two')
      .locator('.swatch line')
      .evaluate((line) => getComputedStyle(line).stroke);
  const before = await stroke();
  await editor.focus('two');
  await page.keyboard.press('c');
  await page.getByLabel('Any colour').fill('#ff8800');
  await expect.poll(stroke).toBe('rgb(255, 136, 0)');
  await page.getByRole('button', { name: 'Automatic' }).click();
  await expect.poll(stroke).toBe(before);
});

test('keys open a question with the focus in its field, and give it back to the row', async ({
  page,
  server,
}) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  const row = await editor.focus('two');

  await page.keyboard.press('l');
  await expect(page.getByRole('textbox', { name: 'Add a label' })).toBeFocused();
  await page.keyboard.type('paper');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove label paper' })).toBeVisible();
  await expect(page.getByRole('status').getByText('Labelled two “paper”')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();

  await page.keyboard.press('c');
  await expect(page.getByLabel('Any colour')).toBeFocused();
  await page.getByLabel('Any colour').fill('#ff8800');
  await expect(page.getByRole('status').getByText('Changed the colour of two')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();

  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: /^Note on/ })).toBeFocused();
  await page.keyboard.type('# Warm-up helps');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Warm-up helps' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
});

test('a run with a note has a mark in its row, which opens the details', async ({ page, server, shoot }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.label('two', 'paper');
  const area = await editor.openNote('two');
  await area.fill('# Warm-up helps\n\nmore');
  await editor.saveNote();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Note on/ })).toHaveCount(1);
  const mark = screen.runRow('two').getByRole('button', { name: 'Note on two' });
  await mark.hover();
  await expect(page.getByRole('tooltip')).toHaveText('Warm-up helps Labels: paper');
  await shoot(page, 'note-mark');
  await mark.click();
  await expect(page.getByRole('dialog', { name: 'two' })).toContainText('Warm-up helps');
  await expect(screen.runBox('two')).toBeChecked();
});

test('every change has one message with a way back, and the next one replaces it', async ({
  page,
  server,
}) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  const messages = page.getByRole('group', { name: 'Message' });
  await editor.focus('two');
  await page.keyboard.press('f');
  await expect(messages).toHaveText('Added two to favourites Undo');
  await page.keyboard.press('e');
  await expect(messages).toHaveText('Archived two Undo');
  await expect(screen.runRow('three')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(messages).toHaveText('Undone: Archive two Redo');
  await page.keyboard.press('Control+Shift+Z');
  await expect(messages).toHaveText('Done again: Archive two Undo');
});

test('a note is written in Markdown, read, and does no harm', async ({ page, server, shoot }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  const area = await editor.openNote('two');
  await area.fill(
    '# Plan\n\n- **bold**\n- <img src=x onerror="document.title=1">\n\n[bad](javascript:alert(1)) [good](https://example.com/)',
  );
  await page.getByText('Preview', { exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'two' });
  await expect(dialog.getByRole('heading', { name: 'Plan' })).toBeVisible();
  await shoot(page, 'preview');
  await editor.saveNote();
  await expect(dialog.getByRole('button', { name: 'Edit note' })).toBeVisible();
  await expect(dialog.getByText('bold')).toBeVisible();
  await expect(dialog.locator('img')).toHaveCount(0);
  await expect(page).not.toHaveTitle('1');
  await expect(dialog.getByRole('link')).toHaveText(['good']);
  await expect(dialog.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer');
  await page.reload();
  await editor.focus('two');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Plan' })).toBeVisible();
});

test('a note that was not saved survives a reload', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await (await editor.openNote('two')).fill('half a thought');
  await page.reload();
  const area = await editor.openNote('two');
  await expect(area).toHaveValue('half a thought');
  await editor.saveNote();
  await expect(page.getByRole('dialog', { name: 'two' })).toContainText('half a thought');
  await page.reload();
  await editor.openNote('two');
  await expect(page.getByRole('textbox', { name: /^Note on/ })).toHaveValue('half a thought');
});

test('two browsers write into one note and nothing is lost', async ({ page, server, context, shoot }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await (await editor.openNote('two')).fill('first line\n\nmiddle\n\nlast line');
  await editor.saveNote();
  await expect(page.getByRole('button', { name: 'Edit note' })).toBeVisible();

  const other = await context.newPage();
  await new Screen(other).open(server.url, 'train/loss');
  const theirs = new RunEditor(other);
  const theirArea = await theirs.openNote('two');
  await expect(theirArea).toHaveValue(/middle/);
  await page.getByRole('button', { name: 'Edit note' }).click();
  const area = page.getByRole('textbox', { name: /^Note on/ });

  // Different lines: both are kept without a question.
  await theirArea.fill('first line, theirs\n\nmiddle\n\nlast line');
  await theirs.saveNote();
  await expect(other.getByRole('button', { name: 'Edit note' })).toBeVisible();
  await area.fill('first line\n\nmiddle\n\nlast line, mine');
  await editor.saveNote();
  const dialog = page.getByRole('dialog', { name: 'two' });
  await expect(dialog).toContainText('first line, theirs');
  await expect(dialog).toContainText('last line, mine');

  // The same line: the second one decides, with both before the eyes.
  await page.getByRole('button', { name: 'Edit note' }).click();
  await expect(area).toHaveValue(/theirs/);
  await expect(other.getByRole('dialog', { name: 'two' })).toContainText('last line, mine');
  await other.getByRole('button', { name: 'Edit note' }).click();
  await theirArea.fill('first line, theirs\n\nfrom the other browser\n\nlast line, mine');
  await theirs.saveNote();
  await expect(other.getByRole('button', { name: 'Edit note' })).toBeVisible();
  await area.fill('first line, theirs\n\nfrom this browser\n\nlast line, mine');
  await editor.saveNote();
  await expect(dialog.getByRole('alert')).toContainText('Somebody else changed the same lines');
  await expect(area).toHaveValue(/from the other browser[^]*from this browser/);
  await shoot(page, 'conflict');
  await editor.saveNote();
  await expect(other.getByRole('dialog', { name: 'two' })).toContainText('from this browser');
  await expect(other.getByRole('dialog', { name: 'two' })).toContainText('from the other browser');
});

test('what one browser changes is seen in the other', async ({ page, server, context }) => {
  const screen = new Screen(page);
  await screen.open(server.url, 'train/loss');
  await screen.waitUntilLive();
  const other = await context.newPage();
  await new Screen(other).open(server.url, 'train/loss');
  await new RunEditor(other).rename('two', 'From elsewhere');
  await screen.expectRuns(['one', 'From elsewhere', 'three']);
});

test.describe('with a server that goes away', () => {
  test.use({ expectedErrors: [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|Failed to load resource/] });

  test('what was typed stays, and is saved when it is back', async ({ page, server }) => {
    test.slow();
    const screen = new Screen(page);
    const editor = new RunEditor(page);
    await screen.open(server.url, 'train/loss');
    const area = await editor.openNote('two');
    await area.fill('important');
    await server.stop();
    await editor.saveNote();
    await expect(page.getByRole('alert').filter({ hasText: 'kept in this browser' })).toBeVisible({
      timeout: 60_000,
    });
    await expect(area).toHaveValue('important');
    await server.start();
    await editor.saveNote();
    await expect(page.getByRole('button', { name: 'Edit note' })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('dialog', { name: 'two' })).toContainText('important');
  });
});

test('nothing is deleted by a server that was not started for it', async ({ page, server }) => {
  const screen = new Screen(page);
  await screen.open(server.url, 'train/loss');
  await screen.runRow('two').click({ button: 'right' });
  const item = page.getByRole('menuitem', { name: /^Delete/ });
  await expect(item).toHaveAttribute('aria-disabled', 'true');
  await expect(item).toContainText('start with --allow-delete');
});

test.describe('with --allow-delete', () => {
  test.use({ serverArgs: ['--allow-delete'] });

  test('a run moves to the trash after a question, and back', async ({ page, server, logs, shoot }) => {
    const screen = new Screen(page);
    const editor = new RunEditor(page);
    await screen.open(server.url, 'train/loss');
    await editor.choose('two', 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete two?' });
    await expect(dialog).toContainText('1 file');
    await shoot(page, 'question');
    expect(await readdir(join(logs.path, 'two'))).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Move to trash' }).click();
    await screen.expectRuns(['one', 'three']);
    await expect(access(join(logs.path, 'two'))).rejects.toThrow();

    await screen.chooseForRuns(/^Trash/);
    const trash = page.getByRole('dialog', { name: 'Trash' });
    await expect(trash).toContainText('two');
    await shoot(page, 'trash');
    await trash.getByRole('button', { name: 'Restore two' }).click();
    await expect(trash).toContainText('The trash is empty');
    await page.keyboard.press('Escape');
    await screen.expectRuns(NAMES);
    expect(await readdir(join(logs.path, 'two'))).toHaveLength(1);
  });

  test('several runs are deleted at once, and the toast brings them back', async ({ page, server }) => {
    const screen = new Screen(page);
    await screen.open(server.url, 'train/loss');
    await screen.runBox('one').click();
    await screen.chooseForRuns(/^Delete/);
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await screen.expectRuns(['one']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await screen.expectRuns(NAMES);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a run is renamed and its note written in the sheet', async ({ page, server, shoot }) => {
    await page.goto(server.url);
    await page.getByRole('button', { name: /^Runs/ }).tap();
    await page.getByRole('button', { name: 'More about two' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const field = page.getByRole('textbox', { name: /^New name of/ });
    await field.fill('A name that is much longer than a phone is wide, as names of runs are');
    await field.press('Enter');
    await page.getByRole('button', { name: /^More about A name/ }).click();
    await page.getByRole('menuitem', { name: 'Note' }).click();
    await page.getByRole('textbox', { name: /^Note on/ }).fill('| a | b |\n|---|---|\n| 1 | 2 |');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByRole('table').filter({ hasText: '1' }).first()).toBeVisible();
    await shoot(page, 'details');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
