// The one bar for the step of everything: it moves all pictures, by pointer, keys and typing, alone and with the charts.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './media-logs';
import { Screen } from './screen';

const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Step', exact: true });
const stepBox = (page: Page): Locator => bar(page).getByRole('textbox', { name: 'Step', exact: true });
const button = (page: Page, name: string): Locator => bar(page).getByRole('button', { name, exact: true });
/** The tile of one run, by the step that it says it shows. */
const tile = (page: Page, run: string, step: number): Locator =>
  page
    .getByRole('list', { name: 'train/samples', exact: true })
    .getByRole('button', { name: `${run}, step ${step}`, exact: true });
const asked = (screen: Screen): string => screen.words().get('media') ?? '';

test('every step is reached by slider, typing, keys and play, and a link remembers it', async ({
  page,
  media,
}) => {
  const screen = new Screen(page);
  await page.goto(`${media.url}#images`);
  await expect(tile(page, 'a', 40)).toBeVisible();
  await expect(tile(page, 'b', 40)).toBeVisible();
  await expect(stepBox(page)).toHaveValue('40');
  await expect(bar(page)).toContainText('5 of 5');
  await expect(button(page, 'Latest: follow new values')).toHaveAttribute('aria-pressed', 'true');

  // Typed: the nearest one. What has no value there shows the one before it.
  await stepBox(page).fill('12');
  await stepBox(page).press('Enter');
  await expect(tile(page, 'a', 10)).toBeVisible();
  await expect(tile(page, 'b', 0)).toBeVisible();
  await expect(stepBox(page)).toHaveValue('10');
  await expect.poll(() => asked(screen)).toBe('step:10');
  await expect(button(page, 'Latest: follow new values')).toHaveAttribute('aria-pressed', 'false');
  await stepBox(page).fill('nonsense');
  await stepBox(page).press('Enter');
  await expect(stepBox(page)).toHaveValue('10');
  await stepBox(page).blur();

  await page.keyboard.press('.');
  await expect(tile(page, 'b', 20)).toBeVisible();
  await page.keyboard.press(',');
  await expect(tile(page, 'a', 10)).toBeVisible();
  await button(page, 'Next step').click();
  await expect(tile(page, 'a', 20)).toBeVisible();

  const slider = bar(page).getByRole('slider', { name: 'Step of everything', exact: true });
  await slider.press('End');
  await expect(tile(page, 'a', 40)).toBeVisible();
  await expect(button(page, 'Next step')).toBeDisabled();
  await slider.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', 'step 30');
  await slider.press('Home');
  await expect(tile(page, 'a', 0)).toBeVisible();

  await bar(page).getByRole('combobox', { name: 'Steps per second', exact: true }).selectOption('30/s');
  await button(page, 'Play').click();
  await expect(tile(page, 'a', 40)).toBeVisible();
  await expect(button(page, 'Play')).toBeVisible();
  await expect(bar(page)).toContainText('5 of 5');

  // From the end it begins anew; a step by hand ends it.
  await bar(page).getByRole('combobox', { name: 'Steps per second', exact: true }).selectOption('1/s');
  await bar(page).getByRole('combobox', { name: 'Steps per second', exact: true }).blur();
  await page.keyboard.press('Space');
  await expect(button(page, 'Pause')).toBeVisible();
  await stepBox(page).fill('30');
  await stepBox(page).press('Enter');
  await expect(button(page, 'Play')).toBeVisible();
  await expect.poll(() => asked(screen)).toBe('step:30');
  await page.reload();
  await expect(tile(page, 'a', 30)).toBeVisible();
  await button(page, 'Latest: follow new values').click();
  await expect(tile(page, 'a', 40)).toBeVisible();
  await expect.poll(() => asked(screen)).toBe('');
});

test('linked with the charts’ selector, both move together', async ({ page, media }) => {
  const screen = new Screen(page);
  const selected = (): string | null => screen.words().get('select');
  await page.goto(`${media.url}#images&media=step:20`);
  await expect(tile(page, 'a', 20)).toBeVisible();
  await button(page, 'Link with the charts’ step selector').click();
  await expect.poll(selected).toBe('20');
  await page.keyboard.press('.');
  await expect.poll(selected).toBe('30');

  // In the charts it is the same step; what is chosen there is shown by the pictures.
  await page.getByRole('button', { name: 'Time series', exact: true }).click();
  await screen.waitForChart('train/loss');
  await expect(tile(page, 'a', 30)).toBeVisible();
  await screen.chart('train/loss').focus();
  await page.keyboard.press('[');
  await expect.poll(async () => Number(selected()) < 30).toBe(true);
  await expect(tile(page, 'b', 20)).toBeVisible();
  await expect(tile(page, 'a', 30)).toHaveCount(0);
});

test('a picture at the end follows the training, one at a chosen step stays', async ({ page, media }) => {
  await page.goto(`${media.url}#images`);
  await expect(tile(page, 'a', 40)).toBeVisible();
  await media.write('a', [50]);
  await expect(tile(page, 'a', 50)).toBeVisible();
  await expect(tile(page, 'b', 40)).toBeVisible();
  await expect(bar(page)).toContainText('6 of 6');
  await button(page, 'Previous step').click();
  await button(page, 'Previous step').click();
  await expect(tile(page, 'a', 30)).toBeVisible();
  await media.write('a', [60]);
  await expect(bar(page)).toContainText('4 of 7');
  await expect(tile(page, 'a', 30)).toBeVisible();
});

test('among charts the bar knows the steps of all cards, also of those that nobody has seen yet', async ({
  page,
  media,
}) => {
  const screen = new Screen(page);
  const names = Array.from({ length: 30 }, (_, i) => `many/t${i}`);
  for (const [i, name] of names.entries()) await media.write('wide', [i, 1000 + i], { images: [name] });
  await page.goto(`${media.url}#timeseries&tagFilter=many/`);
  await expect(screen.titlesIn('Matching cards').first()).toBeVisible();
  await expect(bar(page)).toContainText('60 of 60');
  await expect(stepBox(page)).toHaveValue('1,029');
  await stepBox(page).fill('1017');
  await stepBox(page).press('Enter');
  await expect(stepBox(page)).toHaveValue('1,017');
  await expect.poll(() => asked(screen)).toBe('step:1017');
  await expect(bar(page)).toContainText('48 of 60');

  // So many series that the server joins them.
  for (let run = 0; run < 8; run++) await media.write(`r${run}`, [2000 + run], { images: names });
  await page.goto(`${media.url}#timeseries&media=kinds:image&tagFilter=many/`);
  await page.reload();
  await expect(bar(page)).toContainText('68 of 68');
  await stepBox(page).fill('1017');
  await stepBox(page).press('Enter');
  await expect.poll(() => asked(screen)).toBe('kinds:image,step:1017');
  await expect(stepBox(page)).toHaveValue('1,017');

  // Only what is shown, whatever was shown elsewhere before.
  await page.getByRole('button', { name: 'Images', exact: true }).first().click();
  await expect(page.getByRole('toolbar', { name: 'Images', exact: true })).toBeVisible();
  await expect(bar(page)).toContainText('of 68');
  await page.goto(`${media.url}#timeseries&tagFilter=train/samples`);
  await expect(bar(page)).toContainText('5 of 5');
});
