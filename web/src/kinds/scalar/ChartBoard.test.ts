// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakePage, fakeRun, fakeTag } from './fake-page.svelte';
import FakePageHost from './FakePageHost.svelte';
import { EverythingIsSeen, FakeCharts, wireSeries } from './fakes';

let charts: FakeCharts;

beforeEach(() => {
  charts = new FakeCharts();
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
  render(FakePageHost, { page: page.page, makeChart: charts.make });
  flushSync();
  return page;
}

const chartOf = (title: string) => charts.of(title);
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
  expect(await screen.findByText(/1 chart is hidden: none of the visible runs has data for it/)).toBeTruthy();
});

test('without visible runs one button brings them back', async () => {
  const page = show();
  page.runs.selectedIds = new Set();
  await tick();
  await fireEvent.click(await screen.findByRole('button', { name: 'Select all runs' }));
  expect(page.runs.visibleIds).toEqual([0, 1]);
});

test('a run filter that matches nothing can be cleared where the charts were', async () => {
  const page = show();
  page.view.runFilter = 'nothing';
  page.runs.isMatching = () => false;
  await tick();
  expect(screen.queryByRole('button', { name: 'Select all runs' })).toBeNull();
  await fireEvent.click(await screen.findByRole('button', { name: 'Clear the run filter' }));
  expect(page.view.runFilter).toBe('');
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
  expect(page.lines.requests).toContainEqual({
    source: { tag: 'loss', formula: '', baseline: null, x: null, smoothing: null },
    widthPx: 320,
    xRange: [10, 20],
  });
});

test('what comes from the loader is drawn, in the look of its runs', async () => {
  const page = show();
  page.lines.answer('train/loss', both());
  await tick();
  expect(chartOf('train/loss').series.map(({ key, label }) => [key, label])).toEqual([
    ['0', 'baseline'],
    ['1', 'wide'],
  ]);
});

test('a live change of the run table does not draw the same lines again', async () => {
  const page = show();
  page.lines.answer('train/loss', both());
  await tick();
  const drawn = chartOf('train/loss').series;
  page.runs.all = [...runs, fakeRun(2, 'new')];
  await tick();
  expect(chartOf('train/loss').series).toBe(drawn);
});

test('pointing at a run highlights it and draws no lines again', async () => {
  const page = show();
  for (const tag of ['train/loss', 'train/acc']) page.lines.answer(tag, both());
  await tick();
  const before = charts.all.map((chart) => chart.seriesCalls);
  page.runs.highlighted = 1;
  await tick();
  expect(chartOf('train/loss').highlight).toBe('1');
  expect(charts.all.map((chart) => chart.seriesCalls)).toEqual(before);
});

test('while zoomed, a card knows how far its data went before', async () => {
  const page = show();
  page.lines.answer('loss', [wireSeries([1, 2, 3], { steps: [0, 50, 100] })]);
  await tick();
  chartOf('loss').callbacks.onView?.({ x: [40, 60], y: null });
  await tick();
  page.lines.answer('loss', [wireSeries([1, 2, 3], { steps: [39, 50, 61] })]);
  await tick();
  expect(chartOf('loss').options.xLimits).toEqual([0, 100]);
  page.view.xAxis = 'wall';
  await tick();
  expect(chartOf('loss').options.xLimits).toEqual([-Infinity, Infinity]);
});

const upTo = (end: number, run = 0) => wireSeries([1, 2, 3], { run, steps: [0, end / 2, end] });

test('a view that shows the end goes on with it in all cards, once, as wide as it was', async () => {
  const page = show();
  for (const tag of ['loss', 'train/loss']) page.lines.answer(tag, [upTo(100)]);
  await tick();
  chartOf('loss').callbacks.onView?.({ x: [60, 100], y: null });
  await tick();
  for (const tag of ['loss', 'train/loss']) page.lines.answer(tag, [upTo(107)]);
  await tick();
  expect(page.view.xRange).toEqual([67, 107]);
  // It asks for a little more than it shows, or it would hear of one new point only.
  expect(page.lines.requests[0]!.xRange![1]).toBeGreaterThan(107);
  page.lines.answer('loss', [upTo(108)]);
  expect(page.view.xRange).toEqual([68, 108]);
  // What was asked for has changed by that; growth that comes meanwhile counts, too.
  page.lines.answer('loss', [upTo(108)], { isStale: true });
  page.lines.answer('loss', [upTo(120)]);
  expect(page.view.xRange).toEqual([80, 120]);
});

test('a view in the middle stays, and so does one at the end when a longer run is added or a drag goes on', async () => {
  const page = show();
  page.lines.answer('train/loss', [upTo(100)]);
  await tick();
  const chart = chartOf('train/loss');
  chart.callbacks.onView?.({ x: [40, 60], y: null });
  page.lines.answer('train/loss', [upTo(110)]);
  expect(page.view.xRange).toEqual([40, 60]);
  chart.callbacks.onView?.({ x: [60, 110], y: null });
  page.lines.answer('train/loss', [upTo(110), upTo(500, 1)]);
  expect(page.view.xRange).toEqual([60, 110]);
  chart.callbacks.onView?.({ x: [450, 500], y: null });
  await fireEvent.pointerDown(chart.host);
  page.lines.answer('train/loss', [upTo(110), upTo(510, 1)]);
  expect(page.view.xRange).toEqual([450, 500]);
});

test('a zoom of y is in the view, with few digits, and resetting ends it', async () => {
  const page = show();
  const chart = chartOf('loss');
  chart.callbacks.onView?.({ x: [10.123456, 90.87654], y: [0.123456789, 0.987654321] });
  await tick();
  expect(page.view.xRange).toEqual([10.12, 90.88]);
  expect(page.view.cards).toEqual({ loss: { yRange: [0.1235, 0.9877] } });
  expect(chart.options.yRange).toEqual([0.1235, 0.9877]);
  expect(cardOf('loss').textContent).not.toContain('Fixed y limits');
  chart.callbacks.onView?.({ x: null, y: null });
  expect(page.view.cards).toEqual({});
});

test('after a zoom of y the typed limits hold again', async () => {
  const page = show();
  page.view.cards = { loss: { yRange: [0, 7], yScale: 'symlog' } };
  await tick();
  chartOf('loss').callbacks.onView?.({ x: null, y: [1, 2] });
  expect(page.view.cards['loss']!.yRange).toEqual([1, 2]);
  chartOf('loss').callbacks.onView?.({ x: null, y: null });
  expect(page.view.cards).toEqual({ loss: { yRange: [0, 7], yScale: 'symlog' } });
});

test('a zoom that came by a link can be reset', async () => {
  const page = fakePage(tags, runs);
  page.view.xRange = [1, 2];
  page.view.cards = { loss: { yRange: [3, 4] } };
  show(page);
  await fireEvent.click(cardOf('loss').querySelector('[aria-label="Fit to data"]')!);
  expect(page.view.cards).toEqual({});
});

test('typed limits of y outlive a double click', async () => {
  const page = show();
  page.view.cards = { loss: { yRange: [0, 7] } };
  await tick();
  const chart = chartOf('loss');
  // As the engine does it: first itself, then the word.
  chart.setOptions({ xRange: null, yRange: null });
  chart.callbacks.onView?.({ x: null, y: null });
  await tick();
  expect(chart.options.yRange).toEqual([0, 7]);
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
  for (const tag of ['train/loss', 'train/acc']) page.lines.answer(tag, both());
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

const names = (card: HTMLElement) =>
  [...card.querySelectorAll('tbody tr:not([hidden]) th')].map((cell) => cell.textContent);

test('the line that the keyboard is on comes first', async () => {
  const page = show();
  page.lines.answer('train/loss', both());
  await tick();
  const chart = chartOf('train/loss');
  chart.callbacks.onHover?.({ ...chart.hoverAt(1), nearestKey: '1' });
  expect(names(cardOf('train/loss'))).toEqual(['wide', 'baseline']);
});

test('the cursor stays while the pointer is in the card, with live values in the same order', async () => {
  const page = show();
  page.lines.answer('train/loss', both());
  await tick();
  const chart = chartOf('train/loss');
  const card = cardOf('train/loss');
  const heading = () => card.querySelector('thead')!.textContent;
  await fireEvent.pointerEnter(card);
  const far = (key: string) => (key === '1' ? 1 : 90);
  const at = chart.hoverAt(1);
  const points = at.points.map((point) => ({ ...point, distancePx: far(point.key) }));
  chart.callbacks.onHover?.({ ...at, points, pointerPx: { left: 5, top: 5 }, nearestKey: '1' });
  chart.callbacks.onHover?.(null);
  expect(heading()).toContain('Step 1');
  expect(chart.cursor).toBe(1);
  page.lines.answer('train/loss', [
    wireSeries([3, 7, 2, 1], { run: 0 }),
    wireSeries([5, 8, 4, 3], { run: 1 }),
  ]);
  await tick();
  expect(names(card)).toEqual(['wide', 'baseline']);
  expect(card.querySelector('tbody td.value')!.textContent).toBe('8');
  await fireEvent.pointerLeave(card);
  expect(heading()).toContain('Last values');
  expect(chart.cursor).toBeNull();
  expect(page.runs.highlighted).toBeNull();
});

test('a drag takes the cursor away', async () => {
  const page = show();
  page.lines.answer('train/loss', both());
  await tick();
  const chart = chartOf('train/loss');
  await fireEvent.pointerEnter(cardOf('train/loss'));
  chart.callbacks.onHover?.({ ...chart.hoverAt(1), pointerPx: { left: 5, top: 5 } });
  await fireEvent.pointerDown(chart.host);
  chart.callbacks.onHover?.(null);
  expect(cardOf('train/loss').querySelector('thead')!.textContent).toContain('Last values');
});

test('an error is shown in the card, with another try', async () => {
  const page = show();
  page.lines.answer('loss', [], { error: 'The disk is on fire' });
  await tick();
  expect(cardOf('loss').textContent).toContain('The disk is on fire');
  await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(page.lines.retries).toBe(1);
});

test('an error does not take away what is drawn already', async () => {
  const page = show();
  page.lines.answer('loss', [wireSeries([1, 2])], { error: 'The disk is on fire' });
  await tick();
  expect(chartOf('loss').series).toHaveLength(1);
  expect(cardOf('loss').textContent).toContain('Not up to date');
});

test('a range without points says so and offers the way back', async () => {
  const page = show();
  page.view.xRange = [1, 2];
  await tick();
  page.lines.answer('loss', []);
  await tick();
  expect(cardOf('loss').textContent).toContain('No points in this range');
  await fireEvent.click(screen.getByRole('button', { name: 'Show everything' }));
  expect(page.view.xRange).toBeNull();
});

test('neighbours of the range are no points in it', async () => {
  const page = show();
  page.view.xRange = [21, 49];
  await tick();
  page.lines.answer('loss', [wireSeries([1, 2], { steps: [20, 50] })]);
  await tick();
  expect(cardOf('loss').textContent).toContain('No points in this range');
  page.view.xRange = [10, 49];
  await tick();
  expect(cardOf('loss').textContent).not.toContain('No points in this range');
});

test('outliers are announced, and one click shows them in this card only', async () => {
  const page = show();
  for (const tag of ['loss', 'train/loss']) page.lines.answer(tag, [wireSeries([1, 2], { yCore: [1, 2] })]);
  await tick();
  expect(chartOf('loss').options.yCore).toEqual([1, 2]);
  chartOf('loss').callbacks.onClipped?.({ above: 3, below: 0 });
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: '3 points above the axis' }));
  expect(chartOf('loss').options.yCore).toBeNull();
  expect(chartOf('train/loss').options.yCore).toEqual([1, 2]);
});

/** Commands come a little later than the cards. */
async function showWithCommands() {
  const page = show();
  const areThere = () => ['cards.pin', 'scalar.smoothing'].every((id) => page.commands.get(id) !== undefined);
  await vi.waitFor(() => expect(areThere()).toBe(true), { timeout: 20_000 });
  return page;
}

test('commands act on the card under the pointer', async () => {
  const page = await showWithCommands();
  const run = (id: string) => page.commands.all.find((command) => command.id.endsWith(`.${id}`))!.run();
  const available = (id: string) =>
    page.commands.all.find((command) => command.id.endsWith(`.${id}`))!.isAvailable!();
  expect(available('pin')).toBe(false);
  await fireEvent.pointerOver(cardOf('train/acc'));
  expect(available('pin')).toBe(true);
  run('pin');
  expect(page.view.pins).toEqual(['train/acc']);
  run('y-scale');
  expect(page.view.cards).toEqual({ 'train/acc': { yScale: 'log' } });
  run('full-screen');
  expect(page.view.fullScreenCard).toBe('train/acc');
});

test('commands are for the card that had the focus last while the palette has it', async () => {
  const page = await showWithCommands();
  await fireEvent.pointerOver(cardOf('train/acc'));
  chartOf('train/loss').host.focus();
  const elsewhere = document.body.appendChild(document.createElement('input'));
  elsewhere.focus();
  page.commands.get('cards.pin')!.run();
  elsewhere.remove();
  expect(page.view.pins).toEqual(['train/loss']);
});

test('a highlight goes with the chart that the pointer was on', async () => {
  const page = show();
  page.lines.answer('train/loss', both());
  await tick();
  const hovered = chartOf('train/loss');
  hovered.callbacks.onHover?.({ ...hovered.hoverAt(1), nearestKey: '1' });
  expect(page.runs.highlighted).toBe(1);
  page.view.tagFilter = 'acc';
  await tick();
  expect(page.runs.highlighted).toBeNull();
});

test('a highlight goes with the row that the pointer was on', async () => {
  const page = show();
  page.lines.answer('train/loss', both());
  await tick();
  await fireEvent.pointerOver(cardOf('train/loss').querySelector('tbody th')!);
  expect(page.runs.highlighted).toBe(0);
  page.view.tagFilter = 'acc';
  await tick();
  expect(page.runs.highlighted).toBeNull();
});

test('the keys of a focused chart are in the registry, for the help, and cannot be run', async () => {
  const page = await showWithCommands();
  const listed = page.commands.all.filter(({ group }) => group === 'Focused chart');
  expect(listed.flatMap(({ keys }) => keys)).toContain('Home');
  expect(listed.some(({ isAvailable }) => isAvailable!())).toBe(false);
});

test('from the smoothing slider the keys still act on the card, and Esc goes back to it', async () => {
  const page = await showWithCommands();
  chartOf('train/acc').host.focus();
  page.commands.get('scalar.smoothing')!.run();
  // The pane is a chunk of its own and comes a little later.
  const slider = await screen.findByRole('slider', { name: /^Smoothing/ });
  await vi.waitFor(() => expect(document.activeElement).toBe(slider));
  page.commands.get('cards.pin')!.run();
  expect(page.view.pins).toEqual(['train/acc']);
  await fireEvent.keyDown(slider, { key: 'Escape' });
  expect(document.activeElement!.getAttribute('aria-label')).toBe('train/acc');
});

test('j and k walk through the charts and stop at the ends', async () => {
  const page = await showWithCommands();
  const run = (id: string) => page.commands.all.find((command) => command.id === `cards.${id}`)!.run();
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

test('commands go with the dashboard', async () => {
  const page = await showWithCommands();
  expect(page.commands.all.length).toBeGreaterThan(0);
  cleanup();
  expect(page.commands.all).toEqual([]);
  expect(charts.all.every((chart) => chart.isDestroyed)).toBe(true);
  expect(page.lines.subscriptions.size).toBe(0);
});

/** The dialog is a chunk of its own and comes a little later. */
async function openFullScreen(page: ReturnType<typeof show>): Promise<HTMLElement> {
  page.view.fullScreenCard = 'train/loss';
  return screen.findByRole('region', { name: 'Values of all visible runs' });
}

test('in full screen the commands of the registry run by their keys, on this card', async () => {
  const page = await showWithCommands();
  const themed = vi.fn();
  const sidebar = vi.fn();
  page.commands.register({ id: 'shell.theme', title: 'Theme', keys: ['t'], group: 'General', run: themed });
  page.commands.register({
    id: 'shell.side-bar',
    title: 'Runs',
    keys: ['b'],
    group: 'General',
    run: sidebar,
  });
  await openFullScreen(page);
  const host = chartOf('train/loss').host;
  for (const key of ['p', 'l', 't', 'b', 'j']) await fireEvent.keyDown(host, { key });
  expect(page.view.pins).toEqual(['train/loss']);
  expect(page.view.cards).toEqual({ 'train/loss': { yScale: 'log' } });
  expect(themed).toHaveBeenCalledTimes(1);
  expect(sidebar).not.toHaveBeenCalled();
  await fireEvent.keyDown(host, { key: 'v' });
  expect(screen.queryByRole('region', { name: 'Values of all visible runs' })).toBeNull();
  // The dialog itself has the focus until there is something to focus.
  await fireEvent.keyDown(screen.getByRole('dialog', { name: 'train/loss' }), { key: 'f' });
  expect(page.view.fullScreenCard).toBeNull();
});

test('in full screen a copy that failed is called one, and said inside the dialog', async () => {
  const page = show();
  await openFullScreen(page);
  vi.stubGlobal('navigator', { userAgent: '' });
  Object.assign(document, { execCommand: () => false });
  await fireEvent.keyDown(chartOf('train/loss').host, { key: 'c' });
  await vi.waitFor(() => expect(page.announced).toEqual(['The browser did not let us copy']));
  const dialog = screen.getByRole('dialog', { name: 'train/loss' });
  await vi.waitFor(() =>
    expect(dialog.querySelector('[aria-live]')!.textContent).toBe('The browser did not let us copy'),
  );
});

test('full screen writes a screenful of runs and says how many there are more', async () => {
  const many = Array.from({ length: 450 }, (_, i) => fakeRun(i));
  const ids = many.map(({ id }) => id);
  const page = show(fakePage([fakeTag('train/loss', ids)], many));
  const table = await openFullScreen(page);
  page.lines.answer(
    'train/loss',
    ids.map((run) => wireSeries([1, 2], { run })),
  );
  await tick();
  expect(table.querySelectorAll('tbody tr')).toHaveLength(40);
  expect(table.textContent).toContain('410 more runs');
  await fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await vi.waitFor(() => expect(table.querySelectorAll('tbody tr')).toHaveLength(200));
  await fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await vi.waitFor(() => expect(table.querySelectorAll('tbody tr')).toHaveLength(450));
  expect(table.textContent).not.toContain('more runs');
});

test('full screen shows the values of all runs, whatever the limit of rows is', async () => {
  const page = show();
  page.view.tooltipRows = 1;
  const table = await openFullScreen(page);
  page.lines.answer('train/loss', both());
  await tick();
  expect(document.activeElement).toBe(chartOf('train/loss').host);
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
  expect(page.lines.subscriptions.size).toBe(1);
  tell([{ target: document.querySelector('[data-card]')!, isIntersecting: false }]);
  flushSync();
  expect(page.lines.subscriptions.size).toBe(0);
  expect(chartOf('loss').isDestroyed).toBe(false);
  page.runs.highlighted = 0;
  flushSync();
  expect(chartOf('loss').highlight).toBeNull();
});

test('the smoothing of the view is named on the card', () => {
  show();
  expect(cardOf('loss').textContent).toContain('EMA 0.6');
});
