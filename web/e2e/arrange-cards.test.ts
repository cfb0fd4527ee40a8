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
