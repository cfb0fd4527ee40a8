// Somebody chooses which runs the charts show; the address remembers it.
import { expect, test } from './fixtures';
import { Screen } from './screen';
import { RUN_NAMES } from './training-log';

const [FIRST, SECOND, DENSE, WIDE, TEST] = RUN_NAMES as [string, string, string, string, string];

async function expectCharted(screen: Screen, names: readonly string[]): Promise<void> {
  await expect.poll(async () => (await screen.runsIn('train/loss')).sort()).toEqual([...names].sort());
}

test('check boxes, “only” and the menu decide what the charts show', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await expectCharted(screen, RUN_NAMES);

  await screen.runBox(DENSE).uncheck();
  await expectCharted(screen, [FIRST, SECOND, WIDE, TEST]);
  await expect(screen.runTable).toContainText('4 of 5 selected');

  await screen.chooseForRuns('Invert selection');
  await expectCharted(screen, [DENSE]);

  await screen.runRow(WIDE).hover();
  await page.getByRole('button', { name: `Only ${WIDE}` }).click();
  await expectCharted(screen, [WIDE]);
  await shoot(page, 'only-one');

  await screen.chooseForRuns('Select all');
  await expectCharted(screen, RUN_NAMES);

  await screen.chooseForRuns('Select none');
  await expect(page.getByRole('main')).toContainText('No run is visible');

  await screen.chooseForRuns('Select latest…');
  const dialog = page.getByRole('dialog', { name: 'Select latest runs' });
  await dialog.getByRole('spinbutton').fill('2');
  await dialog.getByRole('button', { name: 'Select' }).click();
  await expectCharted(screen, [WIDE, TEST]);
});

test('a directory switches all runs below it', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await page.getByRole('button', { name: 'Tree by directory' }).click();
  await expect(page.getByRole('treegrid', { name: 'Runs' })).toBeVisible();
  await screen.folderBox('2026-02-10').uncheck();
  await expectCharted(screen, [DENSE, WIDE, TEST]);
  await screen.runBox(TEST).uncheck();
  await expectCharted(screen, [DENSE, WIDE]);
  await expect(screen.folderBox('2026-02-11')).toHaveJSProperty('indeterminate', true);
  await page.getByRole('button', { name: 'Close 2026-02-11' }).click();
  await expect(screen.runBox(WIDE)).toHaveCount(0);
  await shoot(page, 'tree');
});

test('the choice is in the address and survives a reload', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await screen.runBox(FIRST).uncheck();
  await screen.runBox(TEST).uncheck();
  await expectCharted(screen, [SECOND, DENSE, WIDE]);
  await expect.poll(() => screen.words().get('hide')).toBe(`${FIRST},${TEST}`);
  await page.reload();
  await expect(screen.runBox(FIRST)).not.toBeChecked();
  await expectCharted(screen, [SECOND, DENSE, WIDE]);
});

test('pointing at a run brings it to the top of the values', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await screen.runRow(WIDE).hover();
  await expect.poll(async () => (await screen.runsIn('train/loss'))[0]).toBe(WIDE);
});
