// Pictures, texts and tables among the charts of the Time Series page: switched by kind, pinned, arranged, in full screen.
import type { Locator } from '@playwright/test';
import { expectAccessible } from './accessible';
import { expect, test } from './media-logs';
import { Screen } from './screen';

test('cards of other kinds stand below the charts of their prefix, and are switched by kind', async ({
  page,
  media,
}) => {
  const screen = new Screen(page);
  await screen.open(`${media.url}#timeseries`, 'train/loss');
  await expect(screen.card('train/samples')).toBeVisible();
  await expect(screen.titlesIn('train')).toHaveText(['loss', 'samples']);
  await expect(screen.titlesIn('other')).toHaveText(['pictures']);
  await expect(screen.titlesIn('notes')).toHaveText(['plan']);
  // Whoever comes for the loss sees it first.
  await expect(page.locator('[data-scroller] h2 .name')).toHaveText(['train', 'other', 'notes']);
  const facts = page.getByRole('toolbar', { name: 'Charts', exact: true }).getByRole('status');
  await expect(facts).toHaveText(/1\s+chart\s+· 2 images\s+· 1 text/);
  const chips = page.getByRole('group', { name: 'Kinds of cards', exact: true });
  await expect(chips.getByRole('button')).toHaveText(['All', 'Scalars', 'Images', 'Text']);
  // Between the panes there is little room: the chips go below, the filter stays wide enough to type in.
  for (const width of [1400, 1100, 900]) {
    await page.setViewportSize({ width, height: 800 });
    const filter = screen.tagFilter.locator('xpath=ancestor::*[contains(@class, "filter")]');
    await expect.poll(async () => (await filter.boundingBox())!.width).toBeGreaterThanOrEqual(160);
    await expect(chips.getByRole('button', { name: 'Text', exact: true })).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page);

  await chips.getByRole('button', { name: 'Images', exact: true }).click();
  await expect(screen.card('train/loss')).toHaveCount(0);
  await expect(facts).toHaveText(/^\s*2 images\s*$/);
  await expect(screen.titlesIn('train')).toHaveText(['samples']);
  await chips.getByRole('button', { name: 'Scalars', exact: true }).click();
  await expect(screen.titlesIn('train')).toHaveText(['loss', 'samples']);
  await expect(screen.group('notes')).toHaveCount(0);
  await expect.poll(() => screen.words().get('media')).toBe('kinds:scalar,image');
  await page.reload();
  await expect(screen.titlesIn('train')).toHaveText(['loss', 'samples']);
  await chips.getByRole('button', { name: 'All', exact: true }).click();
  await expect(screen.group('notes')).toBeVisible();
  await expect.poll(() => screen.words().get('media')).toBeNull();

  // The filter of tags is about all of them; the Scalars dashboard has scalars only.
  await screen.tagFilter.fill('samples');
  await expect(screen.titlesIn('Matching cards')).toHaveText(['train/samples']);
  await chips.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(page.getByText('1 card matches “samples”, of kinds that are switched off')).toBeVisible();
  await page.getByRole('button', { name: 'Show all kinds', exact: true }).click();
  await expect(screen.titlesIn('Matching cards')).toHaveText(['train/samples']);
  await screen.tagFilter.fill('');
  await page.getByRole('button', { name: 'Scalars', exact: true }).first().click();
  await expect(screen.titlesIn('train')).toHaveText(['loss']);
  await expect(chips).toHaveCount(0);
});

test('they are pinned, moved into sections, seen in full screen and on their own dashboard', async ({
  page,
  media,
}) => {
  const screen = new Screen(page);
  await screen.open(`${media.url}#timeseries`, 'train/loss');
  const card = screen.card('train/samples');
  await expect(card.getByRole('button', { name: 'a, step 40', exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(screen.titlesIn('Pinned')).toHaveText(['train/samples']);
  await expect.poll(() => screen.words().get('pins')).toContain('image:train/samples');
  await card.getByRole('button', { name: 'Unpin', exact: true }).click();
  await expect(screen.group('Pinned')).toHaveCount(0);

  await card.getByRole('button', { name: 'More for train/samples', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add to section…' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('textbox').fill('Mine');
  await page.keyboard.press('Enter');
  await expect(screen.titlesIn('Mine')).toHaveText(['train/samples']);
  await expect(screen.titlesIn('train')).toHaveText(['loss']);

  await card.getByRole('button', { name: 'Full screen', exact: true }).click();
  const full = page.getByRole('dialog', { name: 'train/samples', exact: true });
  await expect(full.getByRole('button', { name: 'a, step 40', exact: true })).toBeVisible();
  await expect.poll(() => page.url()).toContain('image');
  await page.keyboard.press(',');
  await expect(full.getByRole('button', { name: 'a, step 30', exact: true })).toBeVisible();
  await page.keyboard.press('p');
  await expect(full.getByRole('button', { name: 'Unpin', exact: true })).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await expect(full).toHaveCount(0);

  await card.getByRole('button', { name: 'More for train/samples', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Open in Images', exact: true }).click();
  await expect(page.getByRole('toolbar', { name: 'Images', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'train/samples', exact: true })).toBeFocused();
  await expect(page.getByRole('region', { name: 'train/samples', exact: true })).toBeInViewport();
});

test('a link opens the viewer over them before a card is near; Esc lets go of what is selected in a card', async ({
  page,
  media,
}) => {
  await page.goto(`${media.url}#timeseries&media=kinds:scalar,open:a;train/samples;;30&full=viewer:pictures`);
  const viewer = page.getByRole('dialog', { name: 'Pictures: train/samples', exact: true });
  await expect(viewer.getByRole('application', { name: /a, step 30$/ })).toBeVisible();
  await page.keyboard.press(',');
  await expect(viewer.getByRole('application', { name: /a, step 20$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();

  await page.getByRole('group', { name: 'Kinds of cards' }).getByRole('button', { name: 'All' }).click();
  const card = new Screen(page).card('train/samples');
  await card.getByRole('button', { name: 'a, step 40', exact: true }).focus();
  await page.keyboard.press('x');
  const selected = card.getByRole('toolbar', { name: 'Selected pictures', exact: true });
  await expect(selected).toContainText('1 selected');
  await page.keyboard.press('Escape');
  await expect(selected).toBeHidden();
});

test('what is closed is left in the history, too: Back leads to what was before it, Forward opens it again', async ({
  page,
  media,
}) => {
  const screen = new Screen(page);
  await page.goto(`${media.url}#text`);
  await page.getByRole('button', { name: 'Time series', exact: true }).click();
  await screen.waitForChart('train/loss');
  await screen.card('train/samples').getByRole('button', { name: 'Full screen', exact: true }).click();
  const full = page.getByRole('dialog', { name: 'train/samples', exact: true });
  const viewer = page.getByRole('dialog', { name: 'Pictures: train/samples', exact: true });
  const pane = viewer.getByRole('application', { name: /a, step 30$/ });
  await full.getByRole('button', { name: 'a, step 40', exact: true }).click();
  await expect(viewer.getByRole('application', { name: /a, step 40$/ })).toBeVisible();
  await page.keyboard.press(',');
  await expect(pane).toBeVisible();
  await expect.poll(() => screen.words().get('media')).toContain('open:a;train/samples;;30');
  await page.reload();
  await expect(pane).toBeVisible();
  await page.goBack();
  await expect(viewer).toBeHidden();
  await expect(full).toBeVisible();
  await page.goForward();
  await expect(pane).toBeVisible();

  // Closed one after the other.
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect.poll(() => screen.words().get('full')).toBe('image:train/samples');
  await full.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(full).toHaveCount(0);
  await expect.poll(() => screen.words().get('full')).toBeNull();
  await page.goForward();
  await expect(full).toBeVisible();
  await page.goForward();
  await expect(pane).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect.poll(() => screen.words().get('full')).toBe('image:train/samples');
  await page.keyboard.press('Escape');
  await expect(full).toHaveCount(0);
  await expect.poll(() => screen.words().get('full')).toBeNull();
  await page.goBack();
  await expect(page.getByRole('toolbar', { name: 'Text', exact: true })).toBeVisible();
  await page.goForward();
  await screen.waitForChart('train/loss');
  await expect(full).toHaveCount(0);
});

test('the bar of steps stays as it is under what covers the page', async ({ page, media }) => {
  const screen = new Screen(page);
  await screen.open(`${media.url}#timeseries`, 'train/loss');
  const card = screen.card('train/samples');
  const picture = card.getByRole('button', { name: 'a, step 40', exact: true });
  const speed = page.getByRole('combobox', { name: 'Steps per second', exact: true });
  await speed.selectOption('1/s');
  await picture.click();
  const viewer = page.getByRole('dialog', { name: 'Pictures: train/samples', exact: true });
  await expect(viewer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(speed.locator('option:checked')).toHaveText('1/s');

  // A card in full screen has a bar of its own; the page behind it is as high as before.
  const scroller = page.locator('[data-scroller]').first();
  const height = () => scroller.evaluate((element) => element.clientHeight);
  const before = await height();
  await card.getByRole('button', { name: 'Full screen', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'train/samples', exact: true })).toBeVisible();
  expect(await height()).toBe(before);
});

test('“Open in Images” says when the filter hides the tag, and can clear it', async ({ page, media }) => {
  const screen = new Screen(page);
  await screen.open(`${media.url}#timeseries`, 'train/loss');
  await screen.card('train/samples').getByRole('button', { name: 'Pin', exact: true }).click();
  await screen.tagFilter.fill('other');
  await expect(screen.titlesIn('Matching cards')).toHaveText(['other/pictures']);
  await screen.card('train/samples').getByRole('button', { name: 'More for train/samples' }).click();
  await page.getByRole('menuitem', { name: 'Open in Images', exact: true }).click();
  await expect(page.getByText('The filter of tags hides train/samples', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filter', exact: true }).click();
  await expect(page.getByRole('region', { name: 'train/samples', exact: true })).toBeFocused();
});

test('the settings have those of pictures where pictures are shown', async ({ page, media }) => {
  const screen = new Screen(page);
  await screen.open(`${media.url}#timeseries`, 'train/loss');
  const pane = page.getByRole('complementary', { name: 'Chart settings', exact: true });
  if (!(await pane.isVisible()))
    await page.getByRole('button', { name: 'Chart settings', exact: true }).click();
  const pictures = pane.getByRole('region', { name: 'Pictures', exact: true });
  await pictures.getByRole('combobox', { name: 'False colour', exact: true }).selectOption('Viridis');
  await expect.poll(() => screen.words().get('media')).toContain('viridis');
  await pictures.getByRole('button', { name: 'Reset tone and colours', exact: true }).click();
  await expect.poll(() => screen.words().get('media')).toBeNull();
  const chips = page.getByRole('group', { name: 'Kinds of cards', exact: true });
  await chips.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(pictures).toHaveCount(0);
});

test('on phones nothing touches, and the dashboards show that there are more of them', async ({
  page,
  media,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${media.url}#timeseries&media=kinds:image`);
  const screen = new Screen(page);
  const box = async (locator: Locator) => (await locator.boundingBox())!;
  const bar = page.getByRole('toolbar', { name: 'Step', exact: true });
  const speed = bar.getByRole('combobox', { name: 'Steps per second', exact: true });
  await expect(speed).toBeVisible();
  expect((await box(speed)).y).toBeGreaterThanOrEqual((await box(bar)).y + 4);
  const chips = page.getByRole('group', { name: 'Kinds of cards', exact: true });
  const field = await box(screen.tagFilter.locator('xpath=ancestor::*[contains(@class, "filter")]'));
  expect((await box(chips)).y).toBeGreaterThanOrEqual(field.y + field.height + 4);
  // The strip fades at its end; the last dashboard comes out of it.
  const strip = page.getByRole('navigation', { name: 'Dashboards', exact: true });
  await expect(strip).toHaveCSS('mask-image', /linear-gradient/);
  await strip.evaluate((element) => (element.scrollLeft = 1e4));
  const last = strip.getByRole('button').last();
  const end = await box(strip);
  await expect
    .poll(async () => (await box(last)).x + (await box(last)).width)
    .toBeLessThanOrEqual(end.x + end.width - 28);
});
