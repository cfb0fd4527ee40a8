// Nothing moves while a page fills: what comes late finds its place kept, or comes before what would stand below it.
import type { Page } from '@playwright/test';
import { LONGEST_SETTLING_MS } from '../src/board/tags/settling';
import { expect, test } from './media-logs';

const LATE = /\/(media\/series|images\/thumbnail|text\/item|assets\/tag-cards)/;

/** Answers that fill the page come when the test says so. */
async function holdAnswers(page: Page): Promise<() => void> {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  await page.route(LATE, async (route) => {
    await gate;
    await route.continue();
  });
  return open;
}

/** What a page waits for at most ends with the answers, not with the patience of a busy machine. */
async function stopSettlingTime(page: Page): Promise<void> {
  await page.addInitScript((longestMs) => {
    const { setTimeout } = window;
    const setMost = (run: TimerHandler, afterMs?: number, ...more: unknown[]): number =>
      afterMs === longestMs ? 0 : setTimeout(run, afterMs, ...more);
    Object.assign(window, { setTimeout: setMost });
  }, LONGEST_SETTLING_MS);
}

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        if (!entry.hadRecentInput) shifts.push(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** After two frames: entries are told after the frame that they are about. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0);
  });

test('pages whose answers come late do not jump', async ({ page, media }) => {
  const names = Array.from({ length: 9 }, (_, i) => `single/p${i}`);
  await media.write('one', [0, 1], { images: names });
  const long = Array.from({ length: 40 }, (_, i) => `Paragraph ${i}`).join('\n\n');
  await media.write('one', [0], { texts: { 'words/a': long, 'words/b': 'short', 'words/c': 'short' } });
  await page.setViewportSize({ width: 1400, height: 900 });
  await watchShifts(page);
  await stopSettlingTime(page);
  const pages = [
    {
      hash: '#images&tagFilter=single',
      early: page.getByRole('region', { name: 'single/p8', exact: true }),
      late: page.getByRole('list', { name: 'single/p8', exact: true }).getByRole('button').first(),
    },
    {
      hash: '#text&tagFilter=words',
      // Kept back until what is above it has come: it has its place, but no role.
      early: page.locator('[data-media-tag^="words/c"]'),
      late: page.getByText('short').first(),
    },
    {
      hash: '#timeseries',
      early: page.locator('[data-card]').first(),
      late: page.getByRole('article', { name: 'train/samples', exact: true }),
    },
  ];
  for (const { hash, early, late } of pages) {
    const release = await holdAnswers(page);
    await page.goto('about:blank');
    // Not until it has loaded: what is held may be part of that.
    await page.goto(`${media.url}${hash}`, { waitUntil: 'commit' });
    await expect(early).toBeAttached();
    await shiftOf(page);
    await expect(late).toHaveCount(0);
    release();
    await expect(late).toBeVisible();
    await expect(page.locator('[data-loading]')).toHaveCount(0);
    expect(await shiftOf(page), hash).toBeLessThan(0.05);
    await page.unroute(LATE);
  }
});
