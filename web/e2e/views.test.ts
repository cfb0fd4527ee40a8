// Somebody arranges the page, saves it under a name, and others open it: by the list, by a link, or because it is the
// log's default. Nothing that was saved is ever lost.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { curve, type LogDirectory } from './logs';
import { Screen } from './screen';
import type { Server } from './server';

async function writeLog(logs: LogDirectory): Promise<void> {
  for (const run of ['a', 'b']) {
    await logs.write(run, {
      'train/loss': curve(50),
      'val/loss': curve(50, { phase: 3 }),
      accuracy: curve(50),
    });
  }
}

class Views {
  readonly screen: Screen;

  constructor(readonly page: Page) {
    this.screen = new Screen(page);
  }

  get button() {
    return this.page.getByRole('button', { name: /^(Views$|View: )/ });
  }

  get panel() {
    return this.page.getByRole('dialog', { name: 'Views', exact: true });
  }

  async show(): Promise<void> {
    if ((await this.panel.count()) === 0) await this.button.click();
    await expect(this.panel).toBeVisible();
  }

  async press(name: string): Promise<void> {
    await this.show();
    await this.panel.getByRole('button', { name, exact: true }).click();
  }

  async openView(name: string): Promise<void> {
    await this.show();
    const rows = this.panel.getByRole('listitem');
    await rows
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .getByRole('button')
      .first()
      .click();
  }

  async saveAs(name: string): Promise<void> {
    await this.show();
    await this.panel.getByRole('button', { name: /^Save (this view|as)…$/ }).click();
    await this.page.getByRole('textbox', { name: 'Name' }).fill(name);
    await this.page.keyboard.press('Enter');
    await expect(this.button).toHaveAccessibleName(`View: ${name}`);
  }

  async choose(view: string, item: string): Promise<void> {
    await this.show();
    await this.panel.getByRole('button', { name: `More for ${view}` }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Of the list, from top to bottom. */
  async names(): Promise<string[]> {
    await this.show();
    return await this.panel.getByRole('list', { name: 'Saved views' }).locator('.name').allTextContents();
  }

  toast(text: string | RegExp) {
    return this.page.getByRole('status').getByText(text);
  }
}

async function open(page: Page, server: Server, hash = ''): Promise<Views> {
  await page.goto(`${server.url}${hash}`);
  const views = new Views(page);
  await views.screen.waitForChart('train/loss');
  await expect(views.button).toBeVisible();
  return views;
}

test('a view is saved, and opened in another browser from the list', async ({
  page,
  logs,
  server,
  browser,
  shoot,
}) => {
  await writeLog(logs);
  const views = await open(page, server);
  await views.show();
  await expect(views.panel).toContainText('A view keeps how this page is arranged');
  await page.keyboard.press('Escape');
  await views.screen.tagFilter.fill('loss');
  await views.saveAs('only losses');
  await expect.poll(() => views.screen.words().get('view')).toBe('only losses');
  // The name says it all.
  expect(views.screen.words().get('tagFilter')).toBeNull();
  await views.screen.tagFilter.fill('val');
  await expect(views.button).toHaveAccessibleName(/changed since it was saved/);
  await views.show();
  await shoot(page, 'changed');
  await views.press('Reset to saved');
  await expect(views.screen.tagFilter).toHaveValue('loss');
  await expect(views.button).toHaveAccessibleName('View: only losses');

  const other = await browser.newContext();
  const second = await open(await other.newPage(), server);
  await second.openView('only losses');
  await expect(second.screen.tagFilter).toHaveValue('loss');
  await expect(second.screen.titlesIn('Matching charts')).toHaveText(['train/loss', 'val/loss']);
  await other.close();
});

test('a link opens a view, with what the link changes', async ({ page, logs, server, context }) => {
  await writeLog(logs);
  const views = await open(page, server, '#timeseries&smoothing=0.9');
  await views.screen.card('train/loss').getByRole('button', { name: 'Pin', exact: true }).click();
  await views.saveAs('pinned');
  await views.choose('pinned', 'Copy link');
  await expect(views.toast('Copied the link to “pinned”')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${server.url}#view=pinned`);

  const next = new Views(await context.newPage());
  await next.page.goto(`${link}&tagFilter=train`);
  await expect(next.screen.titlesIn('Pinned')).toHaveText(['train/loss']);
  await expect(next.screen.tagFilter).toHaveValue('train');
  await expect.poll(() => next.screen.words().get('view')).toBe('pinned');
  await expect(next.button).toHaveAccessibleName(/changed/);
  // What was changed survives a reload, and so does what was put back to the page's own default.
  await next.page.reload();
  await expect(next.screen.tagFilter).toHaveValue('train');
  await next.page.getByRole('button', { name: 'Unpin all' }).click();
  await expect.poll(() => next.screen.words().get('pins')).toBe('');
  await next.page.reload();
  await expect(next.screen.tagFilter).toHaveValue('train');
  await expect(next.screen.group('Pinned')).toHaveCount(0);

  await next.page.goto('about:blank');
  await next.page.goto(`${server.url}#view=nobody`);
  await expect(next.toast('There is no saved view called “nobody” here')).toBeVisible();
  await next.screen.waitForChart('train/loss');
});

test('the default view is what an address that says nothing shows', async ({
  page,
  logs,
  server,
  browser,
}) => {
  await writeLog(logs);
  const views = await open(page, server);
  await views.screen.tagFilter.fill('accuracy');
  await views.saveAs('first');
  await views.choose('first', 'Open by default');
  await expect(views.panel).toContainText('default');

  const other = await browser.newContext();
  const second = new Views(await other.newPage());
  for (const visit of ['first', 'second']) {
    await second.page.goto('about:blank');
    await second.page.goto(server.url);
    await expect(second.screen.tagFilter, visit).toHaveValue('accuracy');
    await expect(second.button).toHaveAccessibleName('View: first');
  }
  // An address that says something means that.
  await second.page.goto('about:blank');
  await second.page.goto(`${server.url}#timeseries&tagFilter=val`);
  await expect(second.screen.tagFilter).toHaveValue('val');
  await expect(second.button).toHaveAccessibleName('Views');
  await other.close();
});

test('views are renamed and deleted, and deleting is undone', async ({ page, logs, server }) => {
  await writeLog(logs);
  const views = await open(page, server);
  await views.screen.tagFilter.fill('loss');
  await views.saveAs('one');
  await views.screen.tagFilter.fill('accuracy');
  await views.saveAs('two');
  await expect.poll(() => views.names()).toEqual(['one', 'two']);
  await views.choose('two', 'Rename…');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('one');
  await expect(page.getByRole('alert')).toHaveText('There is a view of this name already');
  await name.fill('zwei/ö "2"');
  await page.keyboard.press('Enter');
  await expect(views.button).toHaveAccessibleName('View: zwei/ö "2"');
  await expect.poll(() => views.names()).toEqual(['one', 'zwei/ö "2"']);
  await expect.poll(() => views.screen.words().get('view')).toBe('zwei/ö "2"');

  await views.choose('one', 'Delete');
  await expect.poll(() => views.names()).toEqual(['zwei/ö "2"']);
  await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => views.names()).toEqual(['one', 'zwei/ö "2"']);
  await views.openView('one');
  await expect(views.screen.tagFilter).toHaveValue('loss');
});

test.describe('two browsers', () => {
  test.use({ expectedErrors: [/409 \(Conflict\)/] });

  test('that save the same view lose nothing', async ({ page, logs, server, browser, shoot }) => {
    await writeLog(logs);
    const mine = await open(page, server);
    await mine.screen.tagFilter.fill('loss');
    await mine.saveAs('shared');
    const other = await browser.newContext();
    const theirs = await open(await other.newPage(), server);
    await theirs.openView('shared');
    await expect(theirs.screen.tagFilter).toHaveValue('loss');
    await theirs.screen.tagFilter.fill('accuracy');
    await theirs.press('Save');
    await expect(theirs.toast('Saved “shared”')).toBeVisible();

    await mine.screen.tagFilter.fill('val');
    await page.keyboard.press('Control+s');
    const conflict = page.getByRole('dialog', { name: '“shared” was changed by somebody else' });
    await expect(conflict).toBeVisible();
    await shoot(page, 'conflict');
    await conflict.getByRole('button', { name: 'Save under another name…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('mine');
    await page.keyboard.press('Enter');
    await expect(mine.button).toHaveAccessibleName('View: mine');
    await mine.openView('shared');
    await expect(mine.screen.tagFilter).toHaveValue('accuracy');

    // Again, and now theirs goes – because it was asked for.
    await theirs.screen.tagFilter.fill('train');
    await theirs.press('Save');
    await expect(theirs.button).toHaveAccessibleName('View: shared');
    await mine.screen.tagFilter.fill('val/loss');
    await page.keyboard.press('Control+s');
    await conflict.getByRole('button', { name: 'Overwrite theirs' }).click();
    await expect(mine.button).toHaveAccessibleName('View: shared');
    await theirs.page.reload();
    await expect(theirs.screen.tagFilter).toHaveValue('val/loss');
    await other.close();
  });
});

test('a view goes through a file; damaged and newer ones change nothing', async ({
  page,
  logs,
  server,
}, info) => {
  await writeLog(logs);
  const views = await open(page, server);
  await views.screen.tagFilter.fill('loss');
  const downloading = page.waitForEvent('download');
  await views.press('Download as a file');
  const path = info.outputPath('view.json');
  await (await downloading).saveAs(path);
  const file = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  expect(file).toMatchObject({
    format: 'sightline-view',
    version: 1,
    view: { words: { tagFilter: 'loss' } },
  });

  await views.screen.tagFilter.fill('accuracy');
  const choose = async (text: string): Promise<void> => {
    await writeFile(path, text);
    await views.show();
    await views.panel.getByLabel('View file').setInputFiles(path);
  };
  await choose('{"format": "sightline-view", "version"');
  await expect(views.toast(/view.json was not opened. .*damaged/)).toBeVisible();
  await choose(JSON.stringify({ ...file, version: 2 }));
  await expect(views.toast(/view.json was not opened. .*newer version/)).toBeVisible();
  await expect(views.screen.tagFilter).toHaveValue('accuracy');
  await choose(JSON.stringify(file));
  await expect(views.screen.tagFilter).toHaveValue('loss');
  await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Go back' }).click();
  await expect(views.screen.tagFilter).toHaveValue('accuracy');
});

test('files of views that cannot be read are listed with the reason', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  await writeLog(logs);
  const views = await open(page, server);
  await views.saveAs('good');
  const directory = join(logs.path, '.sightline', 'views');
  await writeFile(join(directory, 'broken.json'), '{"format": "sightl');
  await writeFile(
    join(directory, 'future.json'),
    JSON.stringify({ format: 'sightline-view', version: 99, name: 'future', view: {} }),
  );
  await page.reload();
  await views.screen.waitForChart('train/loss');
  await expect.poll(() => views.names()).toEqual(['broken', 'future', 'good']);
  await expect(views.panel).toContainText('newer version');
  await expect(views.panel.getByRole('button', { name: /^broken/ })).toBeDisabled();
  await shoot(page, 'broken');
  await views.openView('good');
  await expect(views.button).toHaveAccessibleName('View: good');
});
