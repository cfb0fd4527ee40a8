// Somebody puts charts together: by dragging one card onto another, by menus, by formulas; and passes them on.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { Screen, valuesIn } from './screen';

class Charts {
  readonly screen: Screen;

  constructor(readonly page: Page) {
    this.screen = new Screen(page);
  }

  get editor() {
    return this.page.getByRole('dialog', { name: /^(New|Edit) chart$/ });
  }

  get preview() {
    return this.editor.getByRole('region', { name: 'Preview' });
  }

  line(number: number) {
    return this.editor.getByRole('listitem', { name: new RegExp(`^Line ${number}: `) });
  }

  formula(number: number) {
    return this.editor.getByRole('combobox', { name: `Formula of line ${number}` });
  }

  get message() {
    return this.page.getByRole('group', { name: 'Message' });
  }

  /** What dragging and menus need comes after the first charts. */
  async waitUntilReady(): Promise<void> {
    await this.page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(this.page.getByRole('menuitem', { name: 'New chart…' })).toBeVisible();
    await this.page.keyboard.press('Escape');
  }

  async open(url: string): Promise<void> {
    await this.screen.open(url, 'train/loss');
    await this.waitUntilReady();
  }

  async choose(card: string, item: string): Promise<void> {
    await this.screen
      .card(card)
      .getByRole('button', { name: `More for ${card}` })
      .click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  async drag(card: string, onto: string): Promise<void> {
    const { page, screen } = this;
    const other = (await screen.card(onto).boundingBox())!;
    await screen.takeCard(card);
    await page.mouse.move(other.x + other.width / 2, other.y + 90, { steps: 4 });
  }

  async newChart(): Promise<void> {
    await this.page.getByRole('button', { name: 'Add', exact: true }).click();
    await this.page.getByRole('menuitem', { name: 'New chart…' }).click();
    await expect(this.editor).toBeVisible();
  }

  async newFormula(text: string): Promise<void> {
    await this.newChart();
    await this.editor.getByRole('button', { name: 'Add formula' }).click();
    await expect(this.formula(1)).toBeFocused();
    await this.formula(1).fill(text);
  }

  titles() {
    return this.screen.titlesIn('My charts');
  }
}

test('a card dropped on another makes a chart of both, which can be undone', async ({
  page,
  training,
  shoot,
}) => {
  const charts = new Charts(page);
  await charts.open(training.url);
  await charts.drag('train/loss', 'train/accuracy');
  await expect(page.getByText('Combine with train/accuracy')).toBeVisible();
  await shoot(page, 'dragging');
  await page.mouse.up();
  const title = 'train/accuracy, train/loss';
  await expect(charts.titles()).toHaveText([title]);
  await charts.message.getByRole('button', { name: 'Undo' }).click();
  await expect(charts.titles()).toHaveCount(0);
  await charts.drag('train/loss', 'train/accuracy');
  await page.mouse.up();
  await expect(charts.titles()).toHaveText([title]);
  await charts.screen.waitForChart(title);
  for (const tag of ['train/loss', 'train/accuracy']) {
    await expect
      .poll(async () => (await charts.screen.runsIn(title)).some((run) => run.endsWith(`· ${tag}`)))
      .toBe(true);
  }
  await shoot(page, 'combined');
  // Both are still where they were.
  await expect(charts.screen.titlesIn('train')).toHaveText(['accuracy', 'loss']);
  await page.reload();
  await expect(charts.titles()).toHaveText([title]);
});

test('the same without a mouse: “Combine with…” takes several tags', async ({ page, training }) => {
  const charts = new Charts(page);
  await charts.open(`${training.url}#timeseries&section=Losses,train/loss`);
  await charts.choose('train/loss', 'Combine with…');
  await expect(charts.line(1)).toContainText('train/loss');
  await charts.editor.getByRole('button', { name: 'Add tags…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add tags' });
  await expect(dialog.getByRole('checkbox', { name: 'train/loss' })).toBeDisabled();
  await expect(dialog.getByRole('textbox', { name: 'Search tags' })).toBeFocused();
  await page.keyboard.type('val');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Add 2 tags' }).press('Enter');
  await charts.editor.getByRole('button', { name: 'Create' }).press('Enter');
  // In the section of the card that it was made from, and the keyboard is there.
  const made = charts.screen.group('Losses').getByRole('article').nth(1);
  await expect(made).toHaveAttribute('aria-label', /^train\/loss, val\/.*, val\/.*$/);
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest('[data-card]')?.getAttribute('data-card')),
    )
    .toMatch(/^chart:/);
});

test('a chart is made from a formula, which is completed, checked and corrected', async ({
  page,
  training,
  shoot,
}) => {
  const charts = new Charts(page);
  await charts.open(training.url);
  // By the palette, as everything else.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search commands, tags and runs' })).toBeFocused();
  await page.keyboard.type('new chart');
  await page.keyboard.press('Enter');
  await expect(charts.editor.getByRole('button', { name: 'Create' })).toBeDisabled();
  await charts.editor.getByRole('button', { name: 'Add formula' }).click();
  await expect(charts.formula(1)).toBeFocused();
  await page.keyboard.type('ema(vlos');
  await expect(page.getByRole('option', { name: 'val/loss' })).toBeVisible();
  await shoot(page, 'completion');
  await page.keyboard.press('Enter');
  await expect(charts.formula(1)).toHaveValue('ema(val/loss');
  await page.keyboard.type(', 0.9) train/loss');
  await expect(charts.line(1)).toContainText(/\(at character 20\)/);
  await charts.formula(1).fill('val/los - train/loss');
  await expect(charts.line(1)).toContainText('There is no tag `val/los`');
  await shoot(page, 'formula-error');
  await charts.formula(1).fill('val/loss - train/loss');
  await expect(charts.line(1)).not.toContainText('There is no tag');
  await expect.poll(async () => (await valuesIn(charts.preview)).length).toBe(4);
  await charts.editor.getByRole('textbox', { name: 'Title' }).fill('Gap');
  await charts.editor.getByRole('button', { name: 'Create' }).click();
  await expect(charts.titles()).toHaveText(['Gap']);
  await charts.screen.waitForChart('Gap');
  await expect.poll(() => charts.screen.words().getAll('charts').join()).toContain('Gap');
  await page.reload();
  await charts.screen.waitForChart('Gap');
  await expect.poll(() => charts.screen.values('Gap')).toHaveLength(4);
});

test('the editor gives a line the right axis, a look, a label and another place', async ({
  page,
  training,
  shoot,
}) => {
  const charts = new Charts(page);
  await charts.open(training.url);
  await charts.newChart();
  await charts.editor.getByRole('button', { name: 'Add tags…' }).click();
  const tags = page.getByRole('dialog', { name: 'Add tags' });
  await tags.getByRole('checkbox', { name: 'train/loss' }).check();
  await tags.getByRole('checkbox', { name: 'learning_rate' }).check();
  await tags.getByRole('button', { name: 'Add 2 tags' }).click();
  await charts.line(2).getByRole('radio', { name: 'Right axis' }).check();
  await charts.line(2).getByRole('textbox', { name: 'Label' }).fill('rate');
  await charts
    .line(2)
    .getByRole('button', { name: /^Look and smoothing/ })
    .click();
  await charts.line(2).getByRole('radio', { name: 'One for all' }).check();
  await charts.line(2).getByLabel('Colour of all runs').fill('#118822');
  await charts.line(2).getByRole('combobox', { name: 'Dashes' }).selectOption('Dotted');
  await charts.line(2).getByRole('radio', { name: 'Thick' }).check();
  await charts.line(2).getByRole('combobox', { name: 'Smoothing' }).selectOption('None');
  // Five runs have the one, four the other.
  await expect(charts.preview).toContainText('9 lines');
  await shoot(page, 'editor');
  await charts.line(2).getByRole('button', { name: 'Move line 2 up' }).click();
  await expect(charts.line(1)).toHaveAttribute('aria-label', 'Line 1: rate');
  await expect(charts.line(1).getByRole('button', { name: 'Move line 1 down' })).toBeFocused();
  await charts.editor.getByRole('combobox', { name: 'Horizontal axis' }).selectOption('Relative time');
  await charts.editor.getByRole('button', { name: 'Create' }).click();
  await expect(charts.titles()).toHaveText(['rate, train/loss']);
  await charts.screen.waitForChart('rate, train/loss');
  await expect(page.getByText('were not saved')).toHaveCount(0);
  for (const word of ['right', '118822', 'dotted', 'rate', 'relative']) {
    await expect.poll(() => charts.screen.words().getAll('charts').join()).toContain(word);
  }

  // What is not saved is not lost either.
  await charts.choose('rate, train/loss', 'Edit chart…');
  await charts.line(2).getByRole('button', { name: 'Remove line 2' }).click();
  await expect(charts.line(2)).toHaveCount(0);
  await charts.editor.getByRole('button', { name: 'Reset' }).click();
  await expect(charts.line(2)).toBeVisible();
  await charts.editor.getByRole('textbox', { name: 'Title' }).fill('Kept');
  await page.keyboard.press('Escape');
  await expect(charts.editor).toHaveCount(0);
  await expect(charts.titles()).toHaveText(['rate, train/loss']);
  await charts.message.getByRole('button', { name: 'Back to them' }).click();
  await expect(charts.editor.getByRole('textbox', { name: 'Title' })).toHaveValue('Kept');
  await charts.editor.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(charts.titles()).toHaveText(['Kept']);
});

test('a chart in full screen is edited and deleted from there', async ({ page, training }) => {
  const charts = new Charts(page);
  const specs = [{ id: 'mine', title: 'Mine', lines: ['train/loss'] }];
  await page.goto(
    `${training.url}#timeseries&full=chart:mine&charts=${encodeURIComponent(JSON.stringify(specs))}`,
  );
  const full = page.getByRole('dialog', { name: 'Mine', exact: true });
  const choose = async (item: string): Promise<void> => {
    await full.getByRole('button', { name: 'More for Mine' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await expect(full).toBeVisible();
  await choose('Edit chart…');
  await charts.editor.getByRole('button', { name: 'Add formula' }).click();
  await charts.formula(2).fill('train/loss / 2');
  await charts.editor.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(charts.editor).toHaveCount(0);
  await expect(full).toContainText('10 lines');
  await expect(page.getByText('were not saved')).toHaveCount(0);
  await choose('Delete chart');
  await expect(full).toHaveCount(0);
  await expect(charts.titles()).toHaveCount(0);
  await charts.message.filter({ hasText: 'Deleted' }).getByRole('button', { name: 'Undo' }).click();
  await expect(charts.titles()).toHaveText(['Mine']);
});

test('a chart is duplicated, and deleted until that is undone', async ({ page, training }) => {
  const charts = new Charts(page);
  await charts.open(training.url);
  await charts.newFormula('train/loss * 2');
  await charts.editor.getByRole('textbox', { name: 'Title' }).fill('Twice');
  await charts.editor.getByRole('button', { name: 'Create' }).click();
  await charts.choose('Twice', 'Duplicate');
  await expect(charts.titles()).toHaveText(['Twice', 'Twice (copy)']);
  await charts.choose('Twice', 'Delete chart');
  await expect(charts.titles()).toHaveText(['Twice (copy)']);
  await charts.message.filter({ hasText: 'Deleted' }).getByRole('button', { name: 'Undo' }).click();
  await expect(charts.titles()).toHaveText(['Twice', 'Twice (copy)']);
});

test('a chart goes out as a file and comes back, and no bad file does harm', async ({ page, training }) => {
  const charts = new Charts(page);
  await charts.open(training.url);
  await charts.newFormula('train/loss - val/loss');
  await charts.editor.getByRole('textbox', { name: 'Title' }).fill('Gap');
  await charts.editor.getByRole('button', { name: 'Create' }).click();
  const saved = page.waitForEvent('download');
  await charts.choose('Gap', 'Save as chart file');
  const file = await saved;
  expect(file.suggestedFilename()).toBe('Gap.chart.json');
  const text = await readFile(await file.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    format: 'sightline-chart',
    version: 1,
    title: 'Gap',
    lines: [{ formula: 'train/loss - val/loss' }],
  });
  await charts.choose('Gap', 'Delete chart');

  const openFile = async (name: string, content: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Open chart file…' }).click();
    const buffer = Buffer.from(content);
    await (await chooser).setFiles({ name, mimeType: 'application/json', buffer });
  };
  await openFile('gap.json', text);
  await expect(charts.titles()).toHaveText(['Gap']);
  await openFile('cut.json', text.slice(0, 60));
  await expect(charts.message.filter({ hasText: 'cut.json was not opened' })).toContainText('damaged');
  await openFile('new.json', text.replace('"version": 1', '"version": 9'));
  await expect(charts.message.filter({ hasText: 'new.json was not opened' })).toContainText('newer version');
  // The same again is a chart beside it: nothing is written over.
  await openFile('gap.json', text);
  await expect(charts.titles()).toHaveText(['Gap', 'Gap']);
});

test('what cannot be computed is said in its chart; the others stay', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  for (const run of ['a', 'b']) {
    await logs.write(run, { loss: [1, 2, 3, 4], zero: [0, 0, 1, 2] });
    await logs.write(run, { late: [1, 2] }, { firstStep: 100 });
  }
  const charts = new Charts(page);
  const specs = [
    { id: 'div', title: 'Ratio', lines: [{ formula: 'loss / zero' }] },
    { id: 'gone', title: 'Gone', lines: ['loss', { formula: 'nothing + 1' }] },
    { id: 'far', title: 'Far', lines: [{ formula: 'loss + late' }] },
    { id: 'tag', title: 'Lost tag', lines: ['no/such/tag'] },
  ];
  await charts.screen.open(
    `${server.url}#timeseries&charts=${encodeURIComponent(JSON.stringify(specs))}`,
    'loss',
  );
  await expect(charts.screen.card('Ratio')).toContainText('4 points in 2 runs not finite: division by zero');
  await expect(charts.screen.card('Gone')).toContainText('There is no tag “nothing”');
  await expect.poll(() => charts.screen.values('Gone')).toHaveLength(2);
  await expect(charts.screen.card('Far')).toContainText('share no stretch of steps');
  await expect(charts.screen.card('Lost tag')).toContainText('There is no tag “no/such/tag” in this log');
  await shoot(page, 'bad-input');
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

  test('the editor fits, and makes a chart', async ({ page, training, shoot }) => {
    const charts = new Charts(page);
    await charts.open(training.url);
    await charts.newChart();
    await charts.editor.getByRole('button', { name: 'Add tags…' }).tap();
    await page.getByRole('checkbox', { name: 'val/loss' }).tap();
    await shoot(page, 'phone-tags');
    await page
      .getByRole('dialog', { name: 'Add tags' })
      .getByRole('button', { name: 'Add', exact: true })
      .tap();
    await charts
      .line(1)
      .getByRole('button', { name: /^Look and smoothing/ })
      .tap();
    await expect.poll(async () => (await valuesIn(charts.preview)).length).toBeGreaterThan(0);
    await shoot(page, 'phone-editor');
    const overflow = await charts.editor.evaluate((dialog) =>
      [dialog, ...dialog.querySelectorAll('.body, form')].some(
        (box) => box.scrollWidth > box.clientWidth + 1,
      ),
    );
    expect(overflow).toBe(false);
    await charts.editor.getByRole('button', { name: 'Create' }).tap();
    await expect(charts.titles()).toHaveText(['val/loss']);
  });
});
