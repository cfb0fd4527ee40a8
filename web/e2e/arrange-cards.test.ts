// Somebody finds the charts that matter: filters them, closes groups, pins some, looks at one in full screen.
import { expect, test } from './fixtures';
import { Screen } from './screen';

test('an expression keeps the charts whose tags match', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await screen.tagFilter.fill('(train|val)/loss$');
  await expect(screen.titlesIn('Matching charts')).toHaveText(['train/loss', 'val/loss']);
  await shoot(page, 'filtered');
  await screen.tagFilter.fill('[');
  await expect(page.getByRole('alert')).toBeVisible();
  await screen.tagFilter.fill('no such tag');
  await expect(page.getByRole('main')).toContainText('No chart matches “no such tag”');
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(screen.titlesIn('train')).toHaveText(['accuracy', 'loss']);
});

test('a closed group stays closed after a reload', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  const toggle = screen.group('train').getByRole('button', { name: 'train', exact: true });
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(screen.titlesIn('train')).toHaveCount(0);
  await expect.poll(() => screen.words().get('closed')).toBe('train');
  await page.reload();
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.click();
  await expect(screen.titlesIn('train')).toHaveText(['accuracy', 'loss']);
});

test('pinned cards stand on top until they are unpinned', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await screen.card('train/loss').getByRole('button', { name: 'Pin', exact: true }).click();
  await screen.card('train/accuracy').getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(screen.titlesIn('Pinned')).toHaveText(['train/loss', 'train/accuracy']);
  await screen.waitForChart('train/loss');
  await shoot(page, 'pinned');
  await page.reload();
  await expect(screen.titlesIn('Pinned')).toHaveText(['train/loss', 'train/accuracy']);
  await screen.card('train/loss').getByRole('button', { name: 'Unpin', exact: true }).click();
  await expect(screen.titlesIn('Pinned')).toHaveText(['train/accuracy']);
  await page.getByRole('button', { name: 'Unpin all' }).click();
  await expect(screen.group('Pinned')).toHaveCount(0);
});

test('full screen opens one card; Esc and Back leave it', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  const full = page.getByRole('dialog', { name: 'train/loss' });
  await screen.card('train/loss').getByRole('button', { name: 'Full screen' }).click();
  await expect(full.locator('tbody tr:not([hidden])')).toHaveCount(5);
  await expect.poll(() => screen.words().get('full')).toBe('train/loss');
  await shoot(page, 'full-screen');
  await page.keyboard.press('Escape');
  await expect(full).toHaveCount(0);
  await expect.poll(() => screen.words().get('full')).toBeNull();

  await screen.card('train/loss').getByRole('button', { name: 'Full screen' }).click();
  await expect(full).toBeVisible();
  await page.goBack();
  await expect(full).toHaveCount(0);
  await screen.waitForChart('train/loss');

  // A link to a card opens it.
  await page.goto(`${training.url}#timeseries&full=val/loss`);
  await expect(page.getByRole('dialog', { name: 'val/loss' })).toBeVisible();
});

const cardsIn = (screen: Screen, section: string) =>
  screen
    .group(section)
    .locator('[data-card]')
    .evaluateAll((all) => all.map((slot) => slot.getAttribute('data-card')));

async function makeSection(screen: Screen, name: string): Promise<void> {
  await screen.page.getByRole('button', { name: 'Add', exact: true }).click();
  await screen.page.getByRole('menuitem', { name: 'New section…' }).click();
  await screen.page.getByRole('textbox', { name: 'Name' }).fill(name);
  await screen.page.keyboard.press('Enter');
  await expect(screen.group(name)).toBeVisible();
}

async function chooseForCard(screen: Screen, tag: string, item: string): Promise<void> {
  await screen
    .card(tag)
    .getByRole('button', { name: `More for ${tag}` })
    .click();
  await screen.page.getByRole('menuitem', { name: item }).click();
}

async function addTo(screen: Screen, tag: string, section: string): Promise<void> {
  await chooseForCard(screen, tag, 'Add to section…');
  await screen.page.getByRole('list', { name: 'Sections' }).getByRole('button', { name: section }).click();
  await expect.poll(() => cardsIn(screen, section)).toContain(tag);
}

test('a section is made, filled by the menu, renamed, moved and deleted', async ({
  page,
  training,
  shoot,
}) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await makeSection(screen, 'Losses');
  await expect(screen.group('Losses')).toContainText('Empty so far');
  await addTo(screen, 'val/loss', 'Losses');
  await addTo(screen, 'train/loss', 'Losses');
  // A card has one place.
  await expect(screen.titlesIn('train')).toHaveText(['accuracy']);
  await shoot(page, 'section');
  await expect.poll(() => screen.words().getAll('section')).toEqual(['Losses,val/loss,train/loss']);
  await page.reload();
  await expect.poll(() => cardsIn(screen, 'Losses')).toEqual(['val/loss', 'train/loss']);

  await makeSection(screen, 'Other');
  const chooseForSection = async (section: string, item: string): Promise<void> => {
    await screen
      .group(section)
      .getByRole('button', { name: `More for ${section}`, exact: true })
      .click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await chooseForSection('Other', 'Move up');
  await expect.poll(() => screen.words().getAll('section')).toEqual(['Other', 'Losses,val/loss,train/loss']);
  await chooseForSection('Losses', 'Rename…');
  await page.getByRole('textbox', { name: 'Name' }).fill('Final, really');
  await page.keyboard.press('Enter');
  await expect.poll(() => cardsIn(screen, 'Final, really')).toEqual(['val/loss', 'train/loss']);
  await chooseForSection('Final, really', 'Delete section');
  await expect(screen.titlesIn('train')).toHaveText(['accuracy', 'loss']);
  await page.getByRole('group', { name: 'Message' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => cardsIn(screen, 'Final, really')).toEqual(['val/loss', 'train/loss']);
});

async function dragHead(screen: Screen, tag: string, to: { x: number; y: number }): Promise<void> {
  await screen.takeCard(tag);
  await screen.page.mouse.move(to.x, to.y, { steps: 4 });
}

test('cards are dragged into a section and into another order', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&section=Losses,val/loss`, 'train/loss');
  const boxOf = async (tag: string) => (await screen.card(tag).boundingBox())!;
  const first = await boxOf('val/loss');
  await dragHead(screen, 'train/loss', { x: first.x + 10, y: first.y + 80 });
  await expect(page.getByText('Move to “Losses”')).toBeVisible();
  await shoot(page, 'dragging');
  await page.mouse.up();
  await expect.poll(() => cardsIn(screen, 'Losses')).toEqual(['train/loss', 'val/loss']);
  const last = await boxOf('val/loss');
  await dragHead(screen, 'train/loss', { x: last.x + last.width - 10, y: last.y + 80 });
  await page.mouse.up();
  await expect.poll(() => cardsIn(screen, 'Losses')).toEqual(['val/loss', 'train/loss']);

  // Esc leaves everything as it was.
  await dragHead(screen, 'train/loss', { x: first.x + 10, y: first.y + 80 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await cardsIn(screen, 'Losses')).toEqual(['val/loss', 'train/loss']);

  const zone = page.getByText('Drop here for a new section');
  await dragHead(screen, 'train/loss', { x: first.x, y: first.y });
  const box = (await zone.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10, { steps: 3 });
  await page.mouse.up();
  await page.getByRole('textbox', { name: 'Name' }).fill('Another');
  await page.keyboard.press('Enter');
  await expect.poll(() => cardsIn(screen, 'Another')).toEqual(['train/loss']);
  await expect.poll(() => cardsIn(screen, 'Losses')).toEqual(['val/loss']);
});

test('keys move the focused card, and the menu makes it wide', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  await screen.open(
    `${training.url}#timeseries&section=Losses,train/loss,val/loss&section=More,learning_rate`,
    'train/loss',
  );
  await screen.waitForArranging('train/loss');
  await screen.chart('train/loss').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => cardsIn(screen, 'Losses')).toEqual(['val/loss', 'train/loss']);
  await expect(screen.chart('train/loss')).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => cardsIn(screen, 'More')).toEqual(['train/loss', 'learning_rate']);
  await expect(screen.chart('train/loss')).toBeFocused();
  await chooseForCard(screen, 'train/loss', 'Move later');
  await expect.poll(() => cardsIn(screen, 'More')).toEqual(['learning_rate', 'train/loss']);

  const width = async () => (await screen.card('train/loss').boundingBox())!.width;
  const narrow = await width();
  await screen.card('train/loss').getByRole('button', { name: 'More for train/loss' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Two columns' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(width).toBeGreaterThan(1.9 * narrow);
  await expect.poll(() => screen.words().get('spans')).toBe('2:train/loss');
  await shoot(page, 'wide');
  // More columns than there are never push the others off the page.
  await page.setViewportSize({ width: 700, height: 900 });
  await expect.poll(width).toBeLessThan(700);
});

test.describe('with a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

  test('a card is held for a moment, then dragged', async ({ page, training, shoot }) => {
    const screen = new Screen(page);
    await screen.open(`${training.url}#timeseries&section=Losses,val/loss,train/loss`, 'val/loss');
    const client = await page.context().newCDPSession(page);
    const touch = (type: string, points: { x: number; y: number }[]) =>
      client.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points });
    await screen.waitForArranging('val/loss');
    const head = (await screen.card('val/loss').getByRole('heading', { level: 3 }).boundingBox())!;
    const start = { x: head.x + 10, y: head.y + 8 };
    await touch('touchStart', [start]);
    await expect(page.getByText('Drop here for a new section')).toBeVisible();
    const other = (await screen.card('val/loss').boundingBox())!;
    const below = { x: 300, y: Math.min(other.y + other.height + 120, 700) };
    await touch('touchMove', [{ x: start.x, y: start.y + 20 }]);
    await touch('touchMove', [below]);
    await shoot(page, 'held');
    await touch('touchEnd', []);
    await expect.poll(() => cardsIn(screen, 'Losses')).toEqual(['train/loss', 'val/loss']);
  });
});
