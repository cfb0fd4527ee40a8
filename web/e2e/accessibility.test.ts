// What axe finds wrong: nothing serious, in any look of the page.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { Screen } from './screen';

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    grave.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    ),
  ).toEqual([]);
}

test('light: charts, palette, full screen, help and the tree of runs', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(training.url, 'train/loss');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Tree by directory' }).click();
  await screen.runFilter.fill('(');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await screen.runFilter.fill('');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('listbox', { name: 'Results' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await screen.card('train/loss').getByRole('button', { name: 'Full screen' }).click();
  await expect(page.getByRole('dialog', { name: 'train/loss' }).locator('tbody tr')).not.toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard and pointer' })).toBeVisible();
  await expectAccessible(page);
});

test.describe('dark', () => {
  test.use({ colorScheme: 'dark' });

  test('dark: charts and palette', async ({ page, training }) => {
    await new Screen(page).open(training.url, 'train/loss');
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('listbox', { name: 'Results' })).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('phone: charts and the sheet of runs', async ({ page, training }) => {
    await new Screen(page).open(training.url, 'train/loss');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Runs/ }).tap();
    await expect(page.getByRole('dialog', { name: 'Runs' })).toBeVisible();
    await expectAccessible(page);
  });
});

test('nothing there yet', async ({ page, server }) => {
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'No event files yet' })).toBeVisible();
  await expectAccessible(page);
});
