// @vitest-environment happy-dom
// Step selector, limits for several charts and notes in the dashboard, with a made-up page and chart engine.
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakePage, fakeRun, fakeTag } from '../fake-page.svelte';
import FakePageHost from '../FakePageHost.svelte';
import { EverythingIsSeen, FakeCharts, wireSeries } from '../fakes';

let charts: FakeCharts;

beforeEach(() => {
  charts = new FakeCharts();
  localStorage.clear();
  vi.stubGlobal('IntersectionObserver', EverythingIsSeen);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const runs = [fakeRun(0, 'a'), fakeRun(1, 'b')];
const tags = [fakeTag('train/loss', [0, 1]), fakeTag('val/loss', [0, 1])];
const series = (scale: number) => [
  wireSeries([5 * scale, 4 * scale, 3 * scale], { run: 0 }),
  wireSeries([2 * scale, 2 * scale, 2 * scale], { run: 1 }),
];

/** The dashboard with data, once everything is loaded that comes later. */
async function show(page = fakePage(tags, runs)) {
  page.view.ignoreOutliers = false;
  render(FakePageHost, { page: page.page, makeChart: charts.make });
  flushSync();
  page.lines.answer('train/loss', series(1));
  page.lines.answer('val/loss', series(10));
  await waitFor(() => {
    expect(page.commands.all.some(({ id }) => id === 'scalar.step-selector')).toBe(true);
  });
  flushSync();
  return page;
}

const chartOf = (title: string) => charts.of(title);
const at = (value: readonly number[]) => ({
  run: [0, 1],
  x: [1, 1],
  step: [1, 1],
  wall_s: [1001, 1001],
  relative_s: [1, 1],
  value: [...value],
  smoothed: null,
});
const cellsOf = (title: string) => {
  const region = screen.getByRole('region', { name: `Values of ${title} at the step selector` });
  return within(region)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      [...(row as HTMLTableRowElement).cells].map((cell) =>
        cell.textContent.trim().replaceAll('\u00a0', ' '),
      ),
    );
};

describe('the step selector', () => {
  test('is in all charts, asks once for all of them, and a marker that is dragged moves all', async () => {
    const page = await show();
    page.statistics.values.set('train/loss', at([4, 2]));
    page.statistics.values.set('val/loss', at([40, 20]));
    page.view.smoothing = { kind: 'none', amount: 0 };
    page.view.selected = { from: 1, to: null };
    flushSync();
    expect(chartOf('train/loss').options.selected).toEqual({ from: 1, to: null });
    await waitFor(() => {
      expect(cellsOf('val/loss').map((cells) => cells.slice(0, 3))).toEqual([
        ['a', '40', '1'],
        ['b', '20', '1'],
      ]);
    });
    expect(page.statistics.requests).toHaveLength(1);
    expect(page.statistics.requests[0]!.queries).toMatchObject([
      { tag: 'train/loss', runs: [0, 1], x: 'step', at: 1 },
      { tag: 'val/loss', runs: [0, 1], x: 'step', at: 1 },
    ]);
    chartOf('val/loss').callbacks.onSelected!({ from: 1.7, to: null });
    flushSync();
    expect(page.view.selected).toEqual({ from: 2, to: null });
    expect(chartOf('train/loss').options.selected).toEqual({ from: 2, to: null });
  });

  test('shows mean and deviation of groups before their members', async () => {
    const page = await show();
    page.statistics.values.set('train/loss', at([1, 3]));
    page.view.smoothing = { kind: 'none', amount: 0 };
    page.runs.groups = [{ key: 'g', label: 'both', runs: [0, 1] }];
    page.view.grouping = { by: { kind: 'label' }, center: 'mean', band: 'std', areMembersShown: true };
    page.view.selected = { from: 1, to: null };
    flushSync();
    await waitFor(() => {
      expect(cellsOf('train/loss').map(([name, value]) => [name, value])).toEqual([
        ['both (2)', '2 ± 1.4'],
        ['a', '1'],
        ['b', '3'],
      ]);
    });
  });

  test('a range of smoothed lines says so', async () => {
    const page = await show();
    page.view.smoothing = { kind: 'ema', amount: 0.6 };
    page.view.selected = { from: 1, to: 1200 };
    flushSync();
    await fireEvent.click(screen.getByRole('button', { name: 'More for train/loss' }));
    await fireEvent.click(
      await screen.findByRole('menuitemcheckbox', { name: 'Range of the smoothed lines' }),
    );
    flushSync();
    expect(screen.getAllByRole('button', { name: 'Step 1 – 1,200, smoothed' })).toHaveLength(2);
    page.view.smoothing = { kind: 'none', amount: 0 };
    flushSync();
    expect(screen.getAllByRole('button', { name: 'Step 1 – 1,200' })).toHaveLength(2);
  });

  test('is not in a card with another axis', async () => {
    const page = fakePage(tags, runs);
    const line = {
      tag: 'train/loss',
      formula: '',
      label: '',
      axis: 'left',
      color: '',
      dash: 'auto',
      widthPx: 1,
      smoothing: null,
    } as const;
    page.view.charts = [
      { id: 'c', title: 'Mine', lines: [line], baseline: null, x: { axis: 'relative', tag: '' } },
    ];
    page.view.pins = ['chart:c'];
    page.view.selected = { from: 1, to: null };
    await show(page);
    expect(chartOf('Mine').options.selected).toBeNull();
    expect(chartOf('val/loss').options.selected).toEqual({ from: 1, to: null });
  });
});

describe('limits for several charts', () => {
  test('come from the first rule that matches, after those of the card', async () => {
    const page = await show();
    page.view.yRules = [
      { pattern: 'val/*', range: [0, 7] },
      { pattern: '*', range: [0, 9] },
    ];
    flushSync();
    expect(chartOf('train/loss').options.yRange).toEqual([0, 9]);
    expect(chartOf('val/loss').options.yRange).toEqual([0, 7]);
    page.view.cards = { 'val/loss': { yRange: [1, 2] } };
    flushSync();
    expect(chartOf('val/loss').options.yRange).toEqual([1, 2]);
  });

  test('that are shared fit all of the charts, and follow their data', async () => {
    const page = await show();
    page.view.yRules = [{ pattern: '*/loss', range: null }];
    flushSync();
    const [low, high] = chartOf('train/loss').options.yRange!;
    expect(low).toBeLessThanOrEqual(2);
    expect(high).toBeGreaterThanOrEqual(50);
    expect(chartOf('val/loss').options.yRange).toEqual([low, high]);
    page.lines.answer('val/loss', series(100));
    flushSync();
    expect(chartOf('train/loss').options.yRange![1]).toBeGreaterThanOrEqual(500);
  });

  test('a zoom of x keeps them, one of y replaces them until it is reset', async () => {
    const page = await show();
    page.view.yRules = [{ pattern: '*', range: [0, 9] }];
    flushSync();
    chartOf('val/loss').callbacks.onView!({ x: [0, 1], y: [0, 9] });
    flushSync();
    expect(page.view.cards).toEqual({});
    chartOf('val/loss').callbacks.onView!({ x: [0, 1], y: [2, 3] });
    flushSync();
    expect(chartOf('val/loss').options.yRange).toEqual([2, 3]);
    chartOf('val/loss').callbacks.onView!({ x: null, y: null });
    flushSync();
    expect(chartOf('val/loss').options.yRange).toEqual([0, 9]);
    expect(page.view.cards).toEqual({});
  });
});

describe('notes on points', () => {
  const note = { id: 'n', tag: 'val/loss', run: 'b', step: 2, text: 'Here' };

  async function goToNote({ commands }: Awaited<ReturnType<typeof show>>): Promise<void> {
    commands.get('scalar.annotations')!.run();
    await fireEvent.click(await screen.findByRole('button', { name: /^Here/ }));
    flushSync();
  }

  test('are marks on every chart that has the line, unless they are hidden', async () => {
    const page = await show();
    page.workspace.annotations = [note];
    flushSync();
    expect(chartOf('val/loss').options.marks).toEqual([{ id: 'n', key: '1', x: 2, text: 'Here' }]);
    expect(chartOf('train/loss').options.marks).toEqual([]);
    page.view.showAnnotations = false;
    flushSync();
    expect(chartOf('val/loss').options.marks).toEqual([]);
  });

  test('a point that is clicked gets one, and a refusal keeps what was typed', async () => {
    const page = await show();
    chartOf('val/loss').callbacks.onPoint!({ key: '0', index: 1, x: 1 });
    flushSync();
    const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    await fireEvent.input(text, { target: { value: ' Bump ' } });
    page.workspace.refusal = 'The disk is full';
    await fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('The disk is full'));
    expect(text.value).toBe(' Bump ');
    page.workspace.refusal = '';
    await fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull());
    expect(page.workspace.annotations).toMatchObject([{ tag: 'val/loss', run: 'a', step: 1, text: 'Bump' }]);
  });

  test('what somebody else made of a note meanwhile is shown before it is replaced', async () => {
    const page = await show();
    page.workspace.annotations = [note];
    flushSync();
    chartOf('val/loss').callbacks.onMark!('n');
    flushSync();
    const text = screen.getByRole('textbox', { name: 'Note' });
    await fireEvent.input(text, { target: { value: 'Mine' } });
    page.workspace.annotations = [{ ...note, text: 'Theirs' }];
    await fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Theirs'));
    expect(page.workspace.applied).toEqual([]);
    await fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(page.workspace.annotations).toMatchObject([{ id: 'n', text: 'Mine' }]));
  });

  test('the way to a note brings its run to light, and is forgotten when its chart is left', async () => {
    const page = await show();
    page.workspace.annotations = [note];
    page.runs.groups = [{ key: 'g', label: 'both', runs: [0, 1] }];
    page.view.grouping = { by: { kind: 'label' }, center: 'mean', band: 'std', areMembersShown: false };
    page.runs.setSelected([1], false);
    page.runs.archived = [1];
    await goToNote(page);
    expect(page.view.grouping.areMembersShown).toBe(true);
    expect(page.runs.visibleIds).toEqual([0, 1]);
    expect([page.view.showArchived, page.view.fullScreenCard]).toEqual([true, 'val/loss']);
    expect(page.announced).toEqual([]);
    page.view.fullScreenCard = null;
    flushSync();
    page.view.grouping = null;
    page.view.fullScreenCard = 'val/loss';
    flushSync();
    expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
  });

  test('a filter that leaves its run out is named, and not thrown away', async () => {
    const page = await show();
    page.workspace.annotations = [note];
    page.view.runFilter = '^a';
    page.runs.isMatching = ({ name }) => name === 'a';
    await goToNote(page);
    expect(page.view.runFilter).toBe('^a');
    await waitFor(() => {
      expect(page.announced).toEqual(['The note is on b, which the filter of runs leaves out']);
    });
    page.lines.answer('val/loss', series(100));
    flushSync();
    expect(page.announced).toHaveLength(1);
  });

  test('a group has no point that a note could be on', async () => {
    const page = await show();
    chartOf('val/loss').callbacks.onPoint!({ key: 'group 0 g', index: 1, x: 1 });
    flushSync();
    expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
    expect(page.workspace.applied).toEqual([]);
  });
});
