// A slow server, and one that fails: what is waited for says so in the place where it will be, and nothing moves when it comes.
import type { Locator, Page, Route } from '@playwright/test';
import { expect, test } from './media-logs';

test.use({ expectedErrors: [/Failed to load resource/] });

/** Holds all answers below these paths until they are let go. */
async function hold(page: Page, paths: RegExp): Promise<(isAnswered?: boolean) => Promise<void>> {
  const held: Route[] = [];
  let isOver = false;
  await page.route(paths, (route) => {
    if (isOver) return route.continue();
    held.push(route);
    return undefined;
  });
  return async (isAnswered = true) => {
    isOver = isAnswered;
    // A request that is about to come would not fail but be held.
    if (!isAnswered) await expect.poll(() => held.length).toBeGreaterThan(0);
    for (const route of held.splice(0)) await (isAnswered ? route.continue() : route.abort());
  };
}

function loading(within: Locator): Locator {
  return within.locator('[data-loading]').filter({ visible: true });
}

test('pictures: a place for each run, then for each picture, and another try after a failure', async ({
  page,
  media,
  shoot,
}) => {
  const letSeriesGo = await hold(page, /api\/v1\/media\/series/);
  const letPicturesGo = await hold(page, /api\/v1\/images\//);
  await page.goto(`${media.url}#images&tagFilter=other`);
  const section = page.getByRole('region', { name: 'other/pictures', exact: true });
  await expect(loading(section)).toHaveCount(2);
  const list = section.getByRole('list');
  await expect(list).toHaveAttribute('aria-busy', 'true');
  const place = await list.getByRole('listitem').first().boundingBox();
  await shoot(page, 'series');

  await letSeriesGo();
  const pictures = section.getByRole('button', { name: /^[ab], step 40$/ });
  await expect(pictures).toHaveCount(2);
  await expect(loading(section)).toHaveCount(2);
  await expect(list).toHaveAttribute('aria-busy', 'false');
  await expect(pictures.first()).toHaveAttribute('aria-busy', 'true');
  expect(await list.getByRole('listitem').first().boundingBox()).toEqual(place);
  await shoot(page, 'pictures');

  await letPicturesGo(false);
  const again = section.getByRole('button', { name: 'Try again', exact: true });
  await expect(again).toHaveCount(2);
  expect(await list.getByRole('listitem').first().boundingBox()).toEqual(place);
  await shoot(page, 'failed');
  await letPicturesGo();
  // Each in its own tile: a button that is pressed goes away a moment later.
  for (const tile of await list.getByRole('listitem').all())
    await tile.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(section.locator('canvas:visible')).toHaveCount(2);
  await expect(section.locator('[data-loading]')).toHaveCount(0);

  // The picture that is there stays while the next one is on its way.
  await page.unroute(/api\/v1\/images\//);
  const letNextGo = await hold(page, /api\/v1\/images\//);
  await page.getByRole('slider', { name: 'Step of everything', exact: true }).press('Home');
  await expect(loading(section)).toHaveCount(2);
  await expect(section.locator('canvas:visible')).toHaveCount(2);
  await shoot(page, 'next');
  await letNextGo();
  await expect(section.getByRole('button', { name: /^[ab], step 0$/ })).toHaveCount(2);
  await expect(section.locator('[data-loading]')).toHaveCount(0);
});

test('steps that cannot be asked for are asked for again, also at once', async ({ page, media }) => {
  const letSeriesGo = await hold(page, /api\/v1\/media\/series/);
  await page.goto(`${media.url}#timeseries&media=kinds:image`);
  const card = page.getByRole('article', { name: 'other/pictures', exact: true });
  await expect(loading(card)).toHaveCount(2);
  // Held again until somebody presses: it is not the timer that asks.
  await letSeriesGo(false);
  const again = card.getByRole('button', { name: 'Try again', exact: true });
  await expect(again).toHaveCount(2);
  await again.first().click();
  await letSeriesGo();
  await expect(card.locator('canvas:visible')).toHaveCount(2);
  await expect(again).toHaveCount(0);
});

test('texts, and two of them compared', async ({ page, media, shoot }) => {
  const letTextsGo = await hold(page, /api\/v1\/text\//);
  await page.goto(`${media.url}#text`);
  const panel = page.getByRole('article', { name: 'notes/plan of a', exact: true });
  await expect(loading(panel)).toHaveCount(1);
  await expect(panel.locator('[aria-busy="true"]')).toHaveCount(1);
  await shoot(page, 'text');
  await letTextsGo(false);
  // Pressed while answers are held again: else the page's own next try may take the button away.
  await panel.getByRole('button', { name: 'Try again', exact: true }).click();
  await letTextsGo();
  await expect(panel).toContainText('The plan at step 40');

  await page.unroute(/api\/v1\/text\//);
  const letComparedGo = await hold(page, /api\/v1\/text\/item.*step=0/);
  await page.goto('about:blank');
  await page.goto(`${media.url}#text&media=texts:a;notes/plan/text_summary;;0$a;;;40&full=viewer:texts`);
  const dialog = page.getByRole('dialog', { name: 'Compare notes/plan', exact: true });
  await expect(dialog.getByRole('status')).toContainText('Comparing …');
  await letComparedGo(false);
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  await letComparedGo();
  await expect(dialog.getByRole('status')).toContainText('+1 word');
});
