import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChartCallbacks, ChartOptions } from '../../chart/types';
import { fakePage, fakeRun, fakeTag } from './fake-page.svelte';
import FakePageHost from './FakePageHost.svelte';
import { FakeChart, wireSeries } from './fakes';

/** Every card is in view as soon as it is watched. */
class EverythingIsSeen {
  constructor(readonly onSeen: (entries: { target: Element; isIntersecting: boolean }[]) => void) {}
  observe(target: Element): void {
    this.onSeen([{ target, isIntersecting: true }]);
  }
  unobserve(): void {}
  disconnect(): void {}
}

let charts: FakeChart[];
const makeChart = (host: HTMLElement, callbacks: ChartCallbacks, options: ChartOptions) => {
  const chart = new FakeChart(host, callbacks, options);
  charts.push(chart);
  return chart;
};

beforeEach(() => {
  charts = [];
  vi.stubGlobal('IntersectionObserver', EverythingIsSeen);
  // Budgets are measured: with time standing still everything fits into one frame.
  vi.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const runs = [fakeRun(0, 'baseline'), fakeRun(1, 'wide')];
const tags = [fakeTag('loss', [0]), fakeTag('train/acc', [0, 1]), fakeTag('train/loss', [0, 1])];

function show(page = fakePage(tags, runs)) {
  render(FakePageHost, { page: page.page, makeChart });
  flushSync();
  return page;
}

const chartOf = (tag: string) => charts.findLast(({ host }) => host.getAttribute('aria-label') === tag)!;
const cardOf = (tag: string) => screen.getAllByRole('article', { name: tag })[0]!;
const titles = () => screen.getAllByRole('article').map((card) => card.querySelector('h3')!.textContent);
const both = () => [wireSeries([3, 2, 1], { run: 0 }), wireSeries([5, 4, 3], { run: 1 })];

test('there is a card for every tag, in groups, with folded titles', () => {
  show();
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent.trim())).toEqual([
    'loss',
    'train',
  ]);
  expect(titles()).toEqual(['loss', 'acc', 'loss']);
});

test('tags without data in the visible runs are hidden and counted', async () => {
  const page = show();
  page.runs.selectedIds = new Set([1]);
  await tick();
  expect(titles()).toEqual(['acc', 'loss']);
  expect(screen.getByText(/1 without data hidden/)).toBeTruthy();
});

test('without any data for the visible runs the page says so', async () => {
  const page = show(fakePage([fakeTag('loss', [0])], runs));
  page.runs.selectedIds = new Set([1]);
  await tick();
  expect(screen.getByText(/1 chart is hidden: none of the visible runs has data for it/)).toBeTruthy();
});

test('without visible runs one button brings them back', async () => {
  const page = show();
  page.runs.selectedIds = new Set();
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: 'Select all runs' }));
  expect(page.runs.visibleIds).toEqual([0, 1]);
});

test('a filter makes one flat list with whole tags', async () => {
  const page = show();
  page.view.tagFilter = 'loss';
  await tick();
  expect(titles()).toEqual(['loss', 'train/loss']);
  expect(screen.getByRole('heading', { name: 'Matching charts' })).toBeTruthy();
});

test('a closed group has no cards and is remembered', async () => {
  const page = show();
  await fireEvent.click(screen.getByRole('button', { name: 'train' }));
  expect(page.view.groups).toEqual({ train: true });
  expect(titles()).toEqual(['loss']);
});

test('pinned cards stand on top, in the order in which they were pinned', async () => {
  const page = show();
  page.view.pins = ['train/loss', 'loss', 'gone'];
  await tick();
  expect(titles().slice(0, 2)).toEqual(['train/loss', 'loss']);
  await fireEvent.click(screen.getByRole('button', { name: 'Unpin all' }));
  expect(page.view.pins).toEqual([]);
});

test('a card asks for the width of its plot and the shared range', async () => {
  const page = show();
  page.view.xRange = [10, 20];
  await tick();
  expect(page.scalars.requests).toContainEqual({ tag: 'loss', widthPx: 320, xRange: [10, 20] });
});

test('what comes from the loader is drawn, in the look of its runs', async () => {
  const page = show();
  page.scalars.answer('train/loss', both());
  await tick();
  expect(chartOf('train/loss').series.map(({ key, label }) => [key, label])).toEqual([
    ['0', 'baseline'],
    ['1', 'wide'],
  ]);
});

test('a live change of the run table does not draw the same lines again', async () => {
  const page = show();
  page.scalars.answer('train/loss', both());
  await tick();
  const drawn = chartOf('train/loss').series;
  page.runs.all = [...runs, fakeRun(2, 'new')];
  await tick();
  expect(chartOf('train/loss').series).toBe(drawn);
});

test('zooming x in one chart zooms all of them; y stays its own', async () => {
  show();
  chartOf('loss').callbacks.onView?.({ x: [1, 2], y: [0, 5] });
  await tick();
  expect(chartOf('train/loss').options.xRange).toEqual([1, 2]);
  expect(chartOf('train/loss').options.yRange).toBeNull();
  expect(chartOf('loss').options.yRange).toEqual([0, 5]);
});

test('resetting a card goes back to everything', async () => {
  const page = show();
  chartOf('loss').callbacks.onView?.({ x: [1, 2], y: [0, 5] });
  await tick();
  await fireEvent.click(cardOf('loss').querySelector('[aria-label="Fit to data"]')!);
  expect(page.view.xRange).toBeNull();
  expect(chartOf('loss').options.yRange).toBeNull();
});

test('the cursor of one chart is shown in all others, with values, and highlights the nearest run', async () => {
  const page = show();
  for (const tag of ['train/loss', 'train/acc']) page.scalars.answer(tag, both());
  await tick();
  const hovered = chartOf('train/loss');
  const hover = { ...hovered.hoverAt(1), pointerPx: { left: 5, top: 5 }, nearestKey: '1' };
  hovered.callbacks.onHover?.(hover);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(chartOf('train/acc').cursor).toBe(1);
  expect(hovered.cursor).toBeNull();
  expect(page.runs.highlighted).toBe(1);
  await tick();
  expect(chartOf('train/acc').highlight).toBe('1');
  expect(cardOf('train/acc').querySelector('thead')!.textContent).toContain('Step 1');
  hovered.callbacks.onHover?.(null);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(chartOf('train/acc').cursor).toBeNull();
  expect(cardOf('train/acc').querySelector('thead')!.textContent).toContain('Last values');
});

test('an error is shown in the card, with another try', async () => {
  const page = show();
  page.scalars.answer('loss', [], { error: 'The disk is on fire' });
  await tick();
  expect(cardOf('loss').textContent).toContain('The disk is on fire');
  await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(page.scalars.retries).toBe(1);
});

test('an error does not take away what is drawn already', async () => {
  const page = show();
  page.scalars.answer('loss', [wireSeries([1, 2])], { error: 'The disk is on fire' });
  await tick();
  expect(chartOf('loss').series).toHaveLength(1);
  expect(cardOf('loss').textContent).toContain('Not up to date');
});

test('a range without points says so and offers the way back', async () => {
  const page = show();
  page.view.xRange = [1, 2];
  await tick();
  page.scalars.answer('loss', []);
  await tick();
  expect(cardOf('loss').textContent).toContain('No points in this range');
  await fireEvent.click(screen.getByRole('button', { name: 'Show everything' }));
  expect(page.view.xRange).toBeNull();
});

test('outliers are announced, and one click shows them in this card only', async () => {
  const page = show();
  for (const tag of ['loss', 'train/loss']) page.scalars.answer(tag, [wireSeries([1, 2], { yCore: [1, 2] })]);
  await tick();
  expect(chartOf('loss').options.yCore).toEqual([1, 2]);
  chartOf('loss').callbacks.onClipped?.({ above: 3, below: 0 });
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: '3 points above the axis' }));
  expect(chartOf('loss').options.yCore).toBeNull();
  expect(chartOf('train/loss').options.yCore).toEqual([1, 2]);
});

test('commands act on the card under the pointer', async () => {
  const page = show();
  const run = (id: string) => page.commands.all.find((command) => command.id === `scalars.${id}`)!.run();
  const available = (id: string) =>
    page.commands.all.find((command) => command.id === `scalars.${id}`)!.isAvailable!();
  expect(available('pin')).toBe(false);
  await fireEvent.pointerOver(cardOf('train/acc'));
  expect(available('pin')).toBe(true);
  run('pin');
  expect(page.view.pins).toEqual(['train/acc']);
  run('y-scale');
  expect(page.view.cards).toEqual({ 'train/acc': { yScale: 'log' } });
  run('full-screen');
  expect(page.view.fullScreenTag).toBe('train/acc');
});

test('j and k walk through the charts and stop at the ends', async () => {
  const page = show();
  const run = (id: string) => page.commands.all.find((command) => command.id === `scalars.${id}`)!.run();
  const focused = () => document.activeElement?.getAttribute('aria-label');
  // Without a layout every place is at 0; the walk begins at a card that has the focus.
  chartOf('loss').host.focus();
  run('next-card');
  expect(focused()).toBe('train/acc');
  run('next-card');
  run('next-card');
  expect(focused()).toBe('train/loss');
  run('previous-card');
  expect(focused()).toBe('train/acc');
});

test('commands go with the dashboard', () => {
  const page = show();
  expect(page.commands.all.length).toBeGreaterThan(0);
  cleanup();
  expect(page.commands.all).toEqual([]);
  expect(charts.every((chart) => chart.isDestroyed)).toBe(true);
  expect(page.scalars.subscriptions.size).toBe(0);
});

test('full screen shows the values of all runs, whatever the limit of rows is', async () => {
  const page = show();
  page.view.tooltipRows = 1;
  page.view.fullScreenTag = 'train/loss';
  await tick();
  page.scalars.answer('train/loss', both());
  await tick();
  const table = screen.getByRole('region', { name: 'Values of all visible runs' });
  expect([...table.querySelectorAll('tbody tr')].map((row) => row.querySelector('th')!.textContent)).toEqual([
    'baseline',
    'wide',
  ]);
});

test('a card that only keeps its picture asks for nothing', async () => {
  let tell: (entries: { target: Element; isIntersecting: boolean }[]) => void = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class extends EverythingIsSeen {
      constructor(onSeen: typeof tell) {
        super(onSeen);
        tell = onSeen;
      }
    },
  );
  const page = show(fakePage([fakeTag('loss', [0])], runs));
  expect(page.scalars.subscriptions.size).toBe(1);
  tell([{ target: document.querySelector('[data-card]')!, isIntersecting: false }]);
  flushSync();
  expect(page.scalars.subscriptions.size).toBe(0);
  expect(chartOf('loss').isDestroyed).toBe(false);
});

test('the smoothing of the view is named on the card', () => {
  show();
  expect(cardOf('loss').textContent).toContain('EMA 0.6 over all points');
});
