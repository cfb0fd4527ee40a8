// Somebody puts runs together: by folder, by a pattern of the name, by label and by status, and works with the groups.
import { expect, test } from './fixtures';
import { Screen } from './screen';
import { RunEditor } from './run-editor';

const NAMES = ['resnet/seed0', 'resnet/seed1', 'resnet/seed2', 'vit/seed0', 'vit/seed1', 'alone'];

test.beforeEach(async ({ logs }) => {
  await logs.writeCurves(NAMES);
});

test('by folder: groups stand in the table, are switched, closed and shown alone', async ({
  page,
  server,
  shoot,
}) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.groupBy('Folder');
  await expect.poll(() => editor.groups()).toEqual(['resnet', 'vit', 'No group']);
  await shoot(page, 'by-folder');

  await screen.folderBox('vit').click();
  await expect(screen.runBox('vit/seed0')).not.toBeChecked();
  await expect(screen.runTable).toContainText('4 of 6 selected');
  await screen.runBox('vit/seed1').click();
  await expect(screen.folderBox('vit')).toHaveJSProperty('indeterminate', true);
  await expect(editor.groupRow('vit')).toContainText('1 of 2');

  await editor.groupRow('resnet').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(editor.groupRow('resnet')).toHaveAttribute('aria-expanded', 'false');
  await expect(screen.runBox('resnet/seed0')).toHaveCount(0);
  await page.keyboard.press('o');
  await expect(screen.runTable).toContainText('3 of 6 selected');
  await page.keyboard.press('ArrowRight');
  await expect(screen.runBox('resnet/seed0')).toBeChecked();

  await screen.folderBox('vit').dblclick();
  await expect(screen.runBox('vit/seed0')).toBeChecked();
  await expect(screen.runTable).toContainText('2 of 6 selected');
});

test('the grouping is in the address, and another page shows the same', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.groupBy('Status');
  await expect.poll(() => editor.groups()).toHaveLength(1);
  await expect.poll(() => screen.words().get('group')).not.toBeNull();
  await page.reload();
  await expect.poll(() => editor.groups()).toHaveLength(1);
  await editor.groupBy('Nothing');
  await expect.poll(() => editor.groups()).toEqual([]);
});

test('by a pattern of the name, seen before it is taken, and never hanging', async ({
  page,
  server,
  shoot,
}) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  const panel = await editor.openGrouping();
  await panel.getByRole('combobox', { name: 'Group runs by' }).selectOption({ label: 'Name pattern' });
  const field = panel.getByRole('textbox', { name: /^Pattern/ });
  await field.fill('seed(\\d)');
  await expect(panel).toContainText('3 groups, 1 run in none');
  await shoot(page, 'pattern');
  await field.fill('seed(');
  await expect(panel.getByRole('alert')).toContainText('Not a regular expression');
  await field.fill('(\\w+)+/$');
  await expect(panel).toContainText(/0 groups|takes too long/);
  await field.fill('seed(\\d)');
  await field.press('Enter');
  await expect.poll(() => editor.groups()).toEqual(['0', '1', '2', 'No group']);
});

test('by label, as runs get labels', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.label('vit/seed0', 'paper');
  await editor.groupBy('Label');
  await expect.poll(() => editor.groups()).toEqual(['paper', 'No group']);
  await editor.label('resnet/seed0', 'paper');
  await expect(editor.groupRow('paper')).toContainText('2');
  await screen.runFilter.fill('vit');
  await expect.poll(() => screen.listedRuns()).toEqual(['vit/seed0', 'vit/seed1']);
});

test('a group has one colour, which is chosen and kept', async ({ page, server }) => {
  const screen = new Screen(page);
  const editor = new RunEditor(page);
  await screen.open(server.url, 'train/loss');
  await editor.groupBy('Folder');
  await editor.groupRow('vit').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Colour of the group' }).click();
  await editor.save(() => page.getByLabel('Any colour').fill('#ff8800'));
  await page.getByRole('button', { name: 'Done' }).click();
  const stroke = () =>
    screen
      .runRow('vit/seed1')
      .locator('.swatch line')
      .evaluate((line) => getComputedStyle(line).stroke);
  await expect.poll(stroke).toBe('rgb(255, 136, 0)');
  await page.reload();
  await expect.poll(stroke).toBe('rgb(255, 136, 0)');
});
