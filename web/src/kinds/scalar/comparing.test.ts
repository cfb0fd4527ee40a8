// @vitest-environment happy-dom
// Cards with several lines, groups of runs, an x axis of their own, a baseline.
import { lineOfTag } from '../../board/cards/card-spec';
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChartSpec, Grouping, LineSpec } from '../../state/types';
import { fakePage, fakeRun, fakeTag } from './fake-page.svelte';
import FakePageHost from './FakePageHost.svelte';
import { EverythingIsSeen, FakeCharts, wireGroup, wireSeries } from './fakes';

let charts: FakeCharts;

beforeEach(() => {
  charts = new FakeCharts();
  vi.stubGlobal('IntersectionObserver', EverythingIsSeen);
  vi.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const runs = [fakeRun(0, 'base'), fakeRun(1, 'wide/a'), fakeRun(2, 'wide/b')];
const tags = [fakeTag('loss', [0, 1, 2]), fakeTag('val', [0, 1, 2])];
const line = (more: Partial<LineSpec>): LineSpec => ({ ...lineOfTag(''), ...more });

function show(page = fakePage(tags, runs)) {
  render(FakePageHost, { page: page.page, makeChart: charts.make });
  flushSync();
  return page;
}

/** A page with one chart made by hand, pinned. */
function showChart(chart: Partial<ChartSpec>) {
  const page = fakePage(tags, runs);
  page.view.charts = [{ id: 'c', title: 'Mine', lines: [], baseline: null, x: null, ...chart }];
  page.view.pins = ['chart:c'];
  return show(page);
}

const chartOf = (title: string) => charts.of(title);
const cardOf = (title: string) => screen.getAllByRole('article', { name: title })[0]!;
const rowsOf = (title: string) =>
  [...cardOf(title).querySelectorAll<HTMLTableRowElement>('tbody tr:not([hidden])')].map((row) =>
    [...row.cells].map((cell) => cell.textContent),
  );

describe('a chart with several lines', () => {
  const lines = [
    lineOfTag('loss'),
    line({ formula: 'loss - val', label: 'gap', axis: 'right', color: '#ff0000', widthPx: 3 }),
    line({ tag: 'val', dash: 'dotted' }),
  ];

  test('asks for each of them, and names and styles them', async () => {
    const page = showChart({ lines });
    expect(page.lines.requests.map(({ source }) => source.tag || source.formula)).toEqual(
      expect.arrayContaining(['loss', 'loss - val', 'val']),
    );
    page.lines.answer('loss', [wireSeries([1, 2])]);
    page.lines.answer('loss - val', [wireSeries([0, 1])]);
    page.lines.answer('val', [wireSeries([1, 1])]);
    await tick();
    const drawn = chartOf('Mine').series;
    expect(drawn.map(({ label }) => label)).toEqual(['base · loss', 'base · gap', 'base · val']);
    expect(new Set(drawn.map(({ key }) => key)).size).toBe(3);
    expect(drawn[0]).toMatchObject({ dash: null });
    expect(drawn[1]).toMatchObject({ axis: 'right', color: '#ff0000', widthPx: 3 });
    expect(drawn[1]!.dash).not.toBeNull();
    expect(drawn[2]!.dash).toEqual([2, 3]);
    expect(chartOf('Mine').options.right).toMatchObject({ label: 'gap' });
    expect(chartOf('Mine').options.yLabel).toBe('loss, val');
  });

  test('has no second axis when none of its lines exists', async () => {
    const page = showChart({ lines });
    for (const name of ['loss', 'val']) page.lines.answer(name, [wireSeries([1, 2])]);
    await tick();
    expect(chartOf('Mine').options.right).not.toBeNull();
    page.lines.answer('loss - val', []);
    await tick();
    expect(chartOf('Mine').options.right).toBeNull();
  });

  test('shows the lines that are there while others are still on their way', async () => {
    const page = showChart({ lines });
    page.lines.answer('loss', [wireSeries([1, 2])]);
    await tick();
    expect(chartOf('Mine').series.length).toBe(1);
    expect(cardOf('Mine').querySelector('.skeleton')).toBeNull();
  });

  test('follows its spec when lines are added and taken away', async () => {
    const page = showChart({ lines: lines.slice(0, 1) });
    page.lines.answer('loss', [wireSeries([1, 2])]);
    const [chart] = page.view.charts;
    page.view.charts = [{ ...chart!, lines }];
    await tick();
    page.lines.answer('val', [wireSeries([1, 1])]);
    await tick();
    expect(chartOf('Mine').series.map(({ label }) => label)).toEqual(['base · loss', 'base · val']);
    page.view.charts = [{ ...chart!, lines: lines.slice(0, 1) }];
    await tick();
    expect(chartOf('Mine').series.map(({ label }) => label)).toEqual(['base']);
  });

  test('the line under the pointer stands out, not the first one of its run', async () => {
    const page = showChart({ lines: [lineOfTag('loss'), lineOfTag('val')] });
    page.lines.answer('loss', [wireSeries([1, 2])]);
    page.lines.answer('val', [wireSeries([1, 1])]);
    await tick();
    const chart = chartOf('Mine');
    const key = chart.series[1]!.key;
    const hover = chart.hoverAt(1);
    chart.callbacks.onHover?.({ ...hover, nearestKey: key, pointerPx: { left: 1, top: 1 } });
    await tick();
    expect(chart.highlight).toBe(key);
    expect(page.runs.highlighted).toBe(0);
  });
});

describe('what the server has to say', () => {
  const formula = 'loss - nothing';

  test('is the card’s message when there is no line', async () => {
    const page = showChart({ lines: [line({ formula })] });
    page.lines.answer(formula, [], {
      notes: [{ query: 0, run: null, is_error: true, text: 'There is no tag `nothing`' }],
    });
    await tick();
    expect(cardOf('Mine').querySelector('.message')!.textContent).toContain('There is no tag “nothing”');
  });

  test('is a line above the chart when there are some', async () => {
    const page = showChart({ lines: [line({ formula })] });
    const note = { query: 0, run: null, is_error: false, text: '3 points not finite' };
    page.lines.answer(formula, [wireSeries([1, 2])], { notes: [note] });
    await tick();
    expect(cardOf('Mine').querySelector('.notes')!.textContent).toContain('3 points not finite');
  });

  test('a baseline that is not there is said so', async () => {
    const page = show();
    page.view.baseline = { run: 'gone', mode: 'difference' };
    page.lines.answer('loss', [wireSeries([1, 2])]);
    await tick();
    expect(cardOf('loss').textContent).toContain('The baseline “gone” is not in this log');
  });
});

test('a baseline is said above the chart and beside its axis', async () => {
  const page = show();
  page.view.baseline = { run: 'base', mode: 'ratio' };
  page.lines.answer('loss', [wireSeries([1, 2])]);
  await tick();
  expect(cardOf('loss').querySelector('.notes')!.textContent).toContain('× base');
  expect(chartOf('loss').options.yLabel).toBe('× base');
});

describe('x axes', () => {
  const metric = { axis: 'metric', tag: 'tokens' } as const;
  const overTokens = wireSeries([5, 6], { x: Float64Array.of(100, 300) });

  test('a metric is drawn by its own column and named', async () => {
    const page = show();
    page.view.xAxis = 'metric';
    page.view.xTag = 'tokens';
    await tick();
    page.lines.answer('loss', [overTokens], { xKey: 'metric tokens' });
    await tick();
    const chart = chartOf('loss');
    expect([...chart.series[0]!.x]).toEqual([100, 300]);
    expect(chart.options).toMatchObject({ xKind: 'metric', xLabel: 'tokens' });
    chart.callbacks.onHover?.(chart.hoverAt(300));
    expect(cardOf('loss').querySelector('thead')!.textContent).toContain('tokens 300');
  });

  test('what was fetched for steps is not drawn over a metric', async () => {
    const page = show();
    page.lines.answer('loss', [wireSeries([5, 6])]);
    page.view.xAxis = 'metric';
    page.view.xTag = 'tokens';
    page.lines.answer('loss', [wireSeries([5, 6])], { isStale: true });
    await tick();
    expect(chartOf('loss').series).toEqual([]);
    expect(cardOf('loss').querySelector('.skeleton')).not.toBeNull();
  });

  test('the cursor of another axis means nothing, and neither does its zoom', async () => {
    const page = showChart({ lines: [lineOfTag('loss')], x: metric });
    for (const one of charts.all) one.cursor = null;
    page.view.xRange = [0, 1];
    await tick();
    expect(chartOf('Mine').options.xRange).toBeNull();
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => (callback(), 1));
    const plain = chartOf('loss');
    plain.callbacks.onHover?.({ ...plain.hoverAt(1), x: 1 });
    expect(chartOf('val').cursor).toBe(1);
    expect(chartOf('Mine').cursor).toBeNull();
  });

  test('a card with its own axis zooms alone', async () => {
    const page = showChart({ lines: [lineOfTag('loss')], x: metric });
    page.lines.answer('loss', [overTokens], { xKey: 'metric tokens' });
    await tick();
    chartOf('Mine').callbacks.onView?.({ x: [100, 200], y: null });
    await tick();
    expect(page.view.xRange).toBeNull();
    expect(chartOf('Mine').options.xRange).toEqual([100, 200]);
    const asked = page.lines.requests.filter(({ source }) => source.x !== null);
    expect(asked.some(({ xRange }) => xRange?.[0] === 100)).toBe(true);
  });
});

describe('groups', () => {
  const GROUPING: Grouping = {
    by: { kind: 'folder', depth: 1 },
    center: 'mean',
    band: 'std',
    areMembersShown: true,
  };
  const wide = { key: 'wide', label: 'Wide', runs: [1, 2] };

  async function showGroups(grouping = GROUPING) {
    const page = fakePage(tags, runs);
    page.view.grouping = grouping;
    page.runs.groups = [wide];
    show(page);
    // What groups need is a chunk of its own.
    await vi.waitFor(() => expect(page.lines.groupsAskedFor('loss')).toEqual([[[1, 2]]]));
    page.lines.answerGroups('loss', [wireGroup([1, 2], [3, 4])]);
    page.lines.answer(
      'loss',
      [0, 1, 2].map((run) => wireSeries([run, run], { run })),
    );
    await tick();
    return page;
  }

  test('are one line with a band, their members faint behind, other runs lines of their own', async () => {
    await showGroups();
    const drawn = chartOf('loss').series;
    expect(
      drawn.map(({ label, isBackground = false, band }) => [label, isBackground, band !== undefined]),
    ).toEqual([
      ['wide/a', true, false],
      ['wide/b', true, false],
      ['Wide', false, true],
      ['base', false, false],
    ]);
    expect(drawn[2]!.color).toBe('color of wide');
  });

  test('the strip shows centre, band and members, and not the members themselves', async () => {
    await showGroups();
    expect(rowsOf('loss').map((cells) => cells.slice(0, 4))).toEqual([
      ['Wide', '4.0000', '± 1', '2'].map((text) => expect.stringContaining(text.slice(0, 1)) as string),
      ['base', '0', '', ''],
    ]);
    expect(rowsOf('loss')[0]!.slice(2, 4)).toEqual(['± 1', '2']);
  });

  test('say aloud how many runs a value is made from', async () => {
    await showGroups();
    const chart = chartOf('loss');
    chart.callbacks.onHover?.(chart.hoverAt(1));
    await vi.waitFor(() => expect(document.body.textContent).toContain('Wide 4 ± 1 from 2 runs'));
  });

  test('a group whose runs have nothing of the tag is not asked for', async () => {
    const page = fakePage([fakeTag('loss', [1]), fakeTag('other', [0])], runs);
    page.view.grouping = GROUPING;
    page.runs.groups = [wide];
    show(page);
    await vi.waitFor(() => expect(page.lines.groupsAskedFor('loss').length).toBe(1));
    expect(page.lines.groupsAskedFor('other')).toEqual([[]]);
  });

  test('the run table’s highlight finds the member, or its group where members are not drawn', async () => {
    const page = await showGroups();
    page.runs.highlighted = 2;
    await tick();
    expect(chartOf('loss').highlight).toBe('2');
    page.lines.answer('loss', [wireSeries([0], { run: 0 })]);
    page.runs.highlighted = 1;
    await tick();
    expect(chartOf('loss').highlight).toBe('group 0 wide');
  });

  test('pointing at a group’s row highlights its line', async () => {
    const page = await showGroups();
    await fireEvent.pointerOver(cardOf('loss').querySelector('tbody th')!);
    expect(chartOf('loss').highlight).toBe('group 0 wide');
    expect(page.runs.highlighted).toBeNull();
    expect(page.runs.highlightedGroup).toBe('wide');
    await fireEvent.pointerLeave(cardOf('loss').querySelector('tbody')!);
    expect(chartOf('loss').highlight).toBeNull();
    expect(page.runs.highlightedGroup).toBeNull();
  });

  test('that are pointed at elsewhere stand out here', async () => {
    const page = await showGroups();
    page.runs.highlightedGroup = 'wide';
    await tick();
    expect(chartOf('loss').highlight).toBe('group 0 wide');
    page.runs.highlightedGroup = null;
    await tick();
    expect(chartOf('loss').highlight).toBeNull();
  });

  test('are gone without a trace when runs are single again', async () => {
    const page = await showGroups();
    page.view.grouping = null;
    page.runs.groups = [];
    await tick();
    expect(chartOf('loss').series.map(({ label, isBackground }) => [label, isBackground])).toEqual([
      ['base', undefined],
      ['wide/a', undefined],
      ['wide/b', undefined],
    ]);
    expect(cardOf('loss').querySelector('.has-groups')).toBeNull();
  });

  test('too many members are drawn in part, and the card says so', async () => {
    const page = await showGroups();
    page.lines.answerGroups('loss', [wireGroup([1, 2], [3, 4], { runs: 1000 })]);
    await tick();
    expect(cardOf('loss').textContent).toContain('2 of 1,000 members drawn');
  });
});
