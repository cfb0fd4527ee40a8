// Charts that should be compared by eye need the same vertical axis: limits by a pattern of tags, fixed or shared.
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures';
import { Screen } from './screen';

const dialog = ({ page }: Screen): Locator => page.getByRole('dialog', { name: 'Limits for several charts' });

async function openRules(screen: Screen): Promise<void> {
  await screen.page.getByRole('button', { name: /^Limits for several charts/ }).click();
  await expect(dialog(screen)).toBeVisible();
}

/** What the y axis shows: typed limits begin with what is there, so an open end of them says it. */
async function limitsOf(screen: Screen, tag: string): Promise<{ low: number; high: number }> {
  const { page } = screen;
  const read = async (box: 'From' | 'To', impossible: string) => {
    await screen
      .card(tag)
      .getByRole('button', { name: `More for ${tag}` })
      .click();
    await page.getByRole('menuitem', { name: 'Limits…', exact: true }).click();
    const typed = page.getByRole('dialog', { name: 'Limits of the y axis' });
    await typed.getByRole('textbox', { name: box === 'From' ? 'To' : 'From' }).fill('');
    await typed.getByRole('textbox', { name: box }).fill(impossible);
    await typed.getByRole('button', { name: 'Set limits' }).click();
    const said = (await typed.getByRole('alert').textContent()) ?? '';
    await page.keyboard.press('Escape');
    await expect(typed).toBeHidden();
    const [, low = '', high = ''] = /shows (\S+) to (\S+)\)/.exec(said) ?? [];
    return box === 'From' ? Number(high) : Number(low);
  };
  return { high: await read('From', '1e12'), low: await read('To', '-1e12') };
}

test('charts that match share limits that fit all of them; fixed ones come from the first rule that matches', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  await logs.write('a', { 'train/loss': [1, 2, 3], 'val/loss': [10, 20, 30], accuracy: [0.1, 0.2] });
  const screen = new Screen(page);
  await screen.open(`${server.url}#scalars&smoothing=none&ignoreoutliers=0`, 'train/loss');
  await screen.waitForChart('val/loss');
  expect((await limitsOf(screen, 'train/loss')).high).toBeLessThan(5);

  await openRules(screen);
  await dialog(screen).getByRole('textbox', { name: 'Pattern of tags' }).fill('*/loss');
  await expect(dialog(screen).getByText('2 charts follow this rule')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await limitsOf(screen, 'train/loss')).high).toBeGreaterThan(29);
  const shared = await limitsOf(screen, 'train/loss');
  expect(shared.low).toBeLessThan(1.1);
  await expect.poll(() => limitsOf(screen, 'val/loss')).toEqual(shared);
  expect((await limitsOf(screen, 'accuracy')).high).toBeLessThan(1);
  await shoot(page, 'shared');

  await openRules(screen);
  await dialog(screen).getByRole('button', { name: 'Add a rule' }).click();
  const second = dialog(screen).getByRole('group', { name: 'Rule 2' });
  await second.getByRole('textbox', { name: 'Pattern of tags' }).fill('train/*');
  await second.getByRole('combobox', { name: 'Limits' }).selectOption('fixed');
  await second.getByRole('textbox', { name: 'From' }).fill('0');
  await expect(second.getByText('Both limits are needed')).toBeVisible();
  await second.getByRole('textbox', { name: 'To' }).fill('8');
  await expect(second.getByText('0 charts follow this rule')).toBeVisible();
  await second.getByRole('button', { name: 'Earlier' }).click();
  const first = dialog(screen).getByRole('group', { name: 'Rule 1' });
  await expect(first.getByText('1 chart follows this rule')).toBeVisible();
  await shoot(page, 'rules');
  await page.keyboard.press('Escape');
  await expect.poll(() => limitsOf(screen, 'train/loss')).toEqual({ low: 0, high: 8 });

  // The link carries them.
  await page.reload();
  await screen.waitForChart('train/loss');
  await expect.poll(async () => await limitsOf(screen, 'train/loss')).toEqual({ low: 0, high: 8 });
});

test('a zoom goes back to the rule, and limits of the card come first', async ({ page, logs, server }) => {
  await logs.write('a', { loss: [1, 2, 3, 2, 1, 2, 3] });
  const screen = new Screen(page);
  await screen.open(`${server.url}#scalars&smoothing=none&ylimits=0..40,loss`, 'loss');
  await expect.poll(async () => await limitsOf(screen, 'loss')).toEqual({ low: 0, high: 40 });
  const place = await screen.placeIn(screen.chart('loss'), 0.1, 0.6);
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  await page.mouse.move(place.x + 200, place.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await limitsOf(screen, 'loss')).high).toBeLessThan(40);
  await screen.chart('loss').dblclick();
  await expect.poll(async () => await limitsOf(screen, 'loss')).toEqual({ low: 0, high: 40 });

  await screen.card('loss').getByRole('button', { name: 'More for loss' }).click();
  await page.getByRole('menuitem', { name: 'Limits…', exact: true }).click();
  await page.getByRole('textbox', { name: 'From' }).fill('1');
  await page.getByRole('textbox', { name: 'To' }).fill('2');
  await page.getByRole('button', { name: 'Set limits' }).click();
  await expect.poll(() => limitsOf(screen, 'loss')).toEqual({ low: 1, high: 2 });
});
