// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LinePass } from './draw-lines';
import { fitView } from './fit';
import { makeLayout } from './layout';
import { RecordingContext } from './recording-context';
import { drag, openTestChart, pointer, testOptions, testSeries, type TestChart } from './test-series';
import { traceBand } from './trace-band';
import { makeScale } from '../base/scale';
import type { ChartCallbacks, Hover } from './types';

let page: TestChart | null = null;

function open(...parts: Parameters<typeof openTestChart>): TestChart {
  page = openTestChart(...parts);
  return page;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  page?.close();
  page = null;
  vi.useRealTimers();
});

const group = testSeries({
  key: 'group',
  y: [2, 2, 2, 2],
  color: '#group',
  band: { low: [1, 1, 1, 1], high: [3, 3, 3, 3] },
});

function bandCalls(low: readonly number[], high: readonly number[], kind: 'linear' | 'log' = 'linear') {
  const context = new RecordingContext();
  const x = Float64Array.from(low, (_, i) => i);
  const xScale = makeScale('linear', [0, 10], [0, 100]);
  const yScale = makeScale(kind, kind === 'log' ? [1, 100] : [0, 10], [100, 0]);
  const band = { low: Float64Array.from(low), high: Float64Array.from(high) };
  traceBand(context.asCanvas, x, band, 0, low.length, xScale, yScale);
  return context;
}

describe('bands', () => {
  test('go along the upper side and back along the lower', () => {
    const context = bandCalls([1, 2], [3, 4]);
    expect(
      context.calls.map(({ name, args }) => [name, ...args.map((arg) => Math.round(arg as number))]),
    ).toEqual([['moveTo', 0, 70], ['lineTo', 10, 60], ['lineTo', 10, 80], ['lineTo', 0, 90], ['closePath']]);
  });

  test.each([NaN, Infinity, -Infinity])('are broken where an end is %s', (hole) => {
    expect(bandCalls([1, 1, hole, 1, 1], [2, 2, 2, 2, 2]).named('closePath')).toHaveLength(2);
    expect(bandCalls([1, 1, 1, 1, 1], [2, 2, hole, 2, 2]).named('closePath')).toHaveLength(2);
  });

  test('and their lines end where no member goes on', () => {
    const series = testSeries({ key: 'g', y: [2, 2, 2, 2], band: { low: [1, 1, 1, 1], high: [3, 3, 3, 3] } });
    const drawn = (breaks: readonly number[]): RecordingContext => {
      const context = new RecordingContext();
      const broken = { ...series, breaks };
      const options = testOptions();
      const size = { width: 400, height: 300, ratio: 1 };
      const layout = makeLayout(context.asCanvas, size, fitView([broken], options), options, 0);
      new LinePass([broken], layout).drawSlice(context.asCanvas, null);
      return context;
    };
    expect(drawn([]).named('closePath')).toHaveLength(1);
    expect(drawn([2]).named('closePath')).toHaveLength(2);
    expect(drawn([2]).named('moveTo').length).toBeGreaterThan(drawn([]).named('moveTo').length);
  });

  test('one point long are a bar', () => {
    const [bar] = bandCalls([1, NaN], [3, 3]).named('rect');
    expect(bar!.args[3]).toBeCloseTo(20, 9);
  });

  test('on a log axis reach the bottom where the lower end is not positive', () => {
    const ys = bandCalls([-1, -1], [10, 10], 'log').named('lineTo');
    expect(Math.max(...ys.map((call) => call.args[1] as number))).toBeGreaterThan(100);
    expect(bandCalls([-2, -2], [-1, -1], 'log').calls).toEqual([]);
  });

  test('of many points are merged without losing their height', () => {
    const count = 5000;
    const high = Array.from({ length: count }, (_, i) => (i === 2500 ? 9 : 5));
    const low = Array.from({ length: count }, (_, i) => (i === 1200 ? 1 : 4));
    const context = new RecordingContext();
    traceBand(
      context.asCanvas,
      Float64Array.from(high, (_, i) => i),
      { low: Float64Array.from(low), high: Float64Array.from(high) },
      0,
      count,
      makeScale('linear', [0, count - 1], [0, 100]),
      makeScale('linear', [0, 10], [100, 0]),
    );
    const ys = context.named('lineTo').map((call) => call.args[1] as number);
    expect(ys.length).toBeLessThan(220);
    expect(Math.min(...ys)).toBeCloseTo(10, 9);
    expect(Math.max(...ys)).toBeCloseTo(90, 9);
  });

  test('are filled in the colour of their line, faint, below all lines and above members', () => {
    const { data } = open([
      testSeries({ key: 'other', y: [1, 2, 3, 4], color: '#other' }),
      group,
      testSeries({ key: 'member', y: [2, 3, 2, 3], color: '#member', isBackground: true }),
    ]);
    const order = data.calls.filter(({ name, ...pen }) =>
      name === 'fill'
        ? pen.fillStyle === '#group'
        : name === 'stroke' && /#(other|group|member)/.test(pen.strokeStyle),
    );
    expect(order[0]).toMatchObject({ name: 'stroke', strokeStyle: '#member' });
    expect(order[0]!.globalAlpha).toBeLessThan(0.5);
    expect(order[1]).toMatchObject({ name: 'fill', fillStyle: '#group' });
    expect(order[1]!.globalAlpha).toBeLessThan(0.3);
    expect(order.slice(2).some(({ name }) => name === 'stroke')).toBe(true);
  });

  test('count in the fit of y', () => {
    const [low, high] = fitView([group], testOptions()).y;
    expect(low).toBeLessThanOrEqual(1);
    expect(high).toBeGreaterThanOrEqual(3);
  });

  test('that nearly touch zero do not stretch a log axis over empty decades', () => {
    const line = testSeries({ y: [10, 10], band: { low: [1e-12, 5], high: [20, 15] } });
    const { y, dropped } = fitView([line], testOptions({ yScale: 'log' }));
    expect(y[0]).toBeGreaterThan(0.5);
    expect(y[1]).toBeGreaterThanOrEqual(20);
    expect(dropped.y).toBe(0);
  });

  test('far out of the core are ignored like outliers', () => {
    const line = testSeries({ y: [1, 2, 3, 4], band: { low: [0, 1, 2, 3], high: [2, 900, 4, 5] } });
    expect(fitView([line], testOptions({ yCore: [1, 4] })).y[1]).toBeLessThan(6);
    expect(fitView([line], testOptions()).y[1]).toBeGreaterThan(900);
  });
});

describe('members behind a group', () => {
  const member = testSeries({ key: 'member', y: [9, 9, 9, 9], color: '#member', isBackground: true });

  test('are fitted, but neither hovered nor walked to', () => {
    let hover: Hover | null = null;
    const { chart, host, clock } = open([member, group], {}, { onHover: (next) => (hover = next) });
    expect(chart.view.y[1]).toBeGreaterThan(9);
    pointer(host, 'pointermove', 200, 20);
    clock.runAll();
    expect(hover!.nearestKey).toBe('group');
    expect(chart.hoverAt(1).points.map(({ key }) => key)).toEqual(['group']);
    chart.moveCursor(-1);
    clock.runAll();
    expect(hover!.nearestKey).toBe('group');
  });

  test('leave the look of the lines in front as it is', () => {
    const members = Array.from({ length: 300 }, (_, i) =>
      testSeries({ key: String(i), y: [i, i], color: '#member', isBackground: true }),
    );
    const line = testSeries({ key: 'line', y: [1, 2], raw: [1, 2], color: '#line', dash: [4, 2] });
    const { contexts } = open([...members, line]);
    const strokes = contexts.flatMap((context) => context.named('stroke'));
    const own = strokes.filter(({ strokeStyle }) => strokeStyle === '#line');
    expect(own.some(({ dash }) => dash.length > 0)).toBe(true);
    // Raw values, and the line as more than a hairline.
    expect(own.length).toBeGreaterThan(2);
  });
});

test('a line with a width of its own is a true stroke of that width', () => {
  const { data } = open([testSeries({ y: [1, 2], color: '#wide', widthPx: 3 })]);
  const strokes = data.named('stroke').filter(({ strokeStyle }) => strokeStyle === '#wide');
  expect(strokes.map(({ lineWidth }) => lineWidth)).toEqual([3]);
});

test('the pens of a figure are true strokes', () => {
  const context = new RecordingContext();
  const series = [testSeries({ y: [1, 2, 3], raw: [1, 3, 2], color: '#a' })];
  const options = testOptions();
  const layout = makeLayout(
    context.asCanvas,
    { width: 400, height: 300, ratio: 2 },
    fitView(series, options),
    options,
    0,
  );
  new LinePass(series, layout, { linePx: 4, thinPx: 2 }).drawSlice(context.asCanvas, null);
  expect(context.named('stroke').map(({ lineWidth }) => lineWidth)).toEqual([2, 4]);
});

describe('the second y axis', () => {
  const left = testSeries({ key: 'loss', y: [0, 1, 2, 3, 4], color: '#loss' });
  const right = testSeries({ key: 'lr', y: [1000, 2000, 3000, 4000, 5000], color: '#lr', axis: 'right' });
  const axis = { scale: 'linear', range: null, core: null, label: '' } as const;

  test('has a fit of its own', () => {
    const { chart } = open([left, right], { right: axis });
    expect(chart.view.y[1]).toBeLessThan(5);
    expect(chart.view.yRight![0]).toBeLessThanOrEqual(1000);
    expect(chart.view.yRight![1]).toBeGreaterThanOrEqual(5000);
  });

  test('is not there unless asked for: all lines are on the first', () => {
    const { chart } = open([left, right]);
    expect(chart.view.y[1]).toBeGreaterThan(5000);
    expect(chart.view.yRight).toBeNull();
  });

  test('has its labels on the right, where there is room for them, and no grid', () => {
    const { data, chart } = open([left, right], { right: axis });
    const labels = data
      .named('fillText')
      .filter(({ args }) => (args[1] as number) > 300 && (args[2] as number) < 200);
    expect(labels.map(({ args }) => args[0])).toContain('4000');
    const widthWith = chart.plotWidthPx;
    chart.setOptions({ right: null });
    expect(chart.plotWidthPx).toBeGreaterThanOrEqual(widthWith);
  });

  test('is what its lines are drawn and hovered by', () => {
    const flat = testSeries({ key: 'lr', y: [5000, 5000, 5000, 5000, 5000], color: '#lr', axis: 'right' });
    let nearest: string | null = null;
    const { data, host, clock } = open(
      [left, flat],
      { right: { ...axis, range: [0, 10_000] }, yRange: [0, 4] },
      { onHover: (hover) => (nearest = hover?.nearestKey ?? null) },
    );
    const clip = data.named('rect').at(-1)!.args as [number, number, number, number];
    const middle = clip[1] + clip[3] / 2;
    const from = data.calls.findLastIndex(
      ({ name, strokeStyle }) => name === 'stroke' && strokeStyle === '#lr',
    );
    expect(data.calls[from - 1]!.args[1]).toBeCloseTo(middle, 6);
    pointer(host, 'pointermove', clip[0] + 20, middle + 2);
    clock.runAll();
    expect(nearest).toBe('lr');
  });

  test('up and down go by what is seen, not by the numbers', () => {
    let hover: Hover | null = null;
    const { host, clock } = open(
      [left, right],
      { right: { ...axis, range: [0, 1e6] }, yRange: [-1, 5] },
      { onHover: (next) => (hover = next) },
    );
    const press = (key: string): void => {
      host.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      clock.runAll();
    };
    press('End');
    expect(hover!.nearestKey).toBe('loss');
    press('ArrowDown');
    expect(hover!.nearestKey).toBe('lr');
  });

  test('a box zooms both by the same fractions, and the owner is told', () => {
    const onView = vi.fn<NonNullable<ChartCallbacks['onView']>>();
    const { host, data } = open(
      [left, right],
      { right: { ...axis, range: [0, 100] }, yRange: [0, 10], xRange: [0, 4] },
      { onView },
    );
    const clip = data.named('rect').at(-1)!.args as [number, number, number, number];
    const at = (share: number): number => clip[1] + clip[3] * share;
    drag(host, [150, at(0.2)], [250, at(0.6)]);
    const [view] = onView.mock.lastCall!;
    expect(view.y![0]).toBeCloseTo(4, 6);
    expect(view.y![1]).toBeCloseTo(8, 6);
    expect(view.yRight![0]).toBeCloseTo(40, 6);
    expect(view.yRight![1]).toBeCloseTo(80, 6);
    host.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    expect(onView).toHaveBeenLastCalledWith({ x: null, y: null, yRight: null });
  });

  test('the margin of an axis zooms that axis alone', () => {
    const onView = vi.fn<NonNullable<ChartCallbacks['onView']>>();
    const { host } = open(
      [left, right],
      { right: { ...axis, range: [0, 100] }, yRange: [0, 10] },
      { onView },
    );
    drag(host, [392, 40], [392, 100]);
    expect(onView.mock.lastCall![0].y).toEqual([0, 10]);
    expect(onView.mock.lastCall![0].yRight).not.toEqual([0, 100]);
    drag(host, [4, 40], [4, 100]);
    expect(onView.mock.lastCall![0].y).not.toEqual([0, 10]);
  });

  test('ignores outliers on its own', () => {
    const onClipped = vi.fn();
    const wild = testSeries({ key: 'lr', y: [1, 2, 900, 2, 1], axis: 'right' });
    const { chart } = open([left, wild], { right: { ...axis, core: [1, 2] } }, { onClipped });
    expect(chart.view.yRight![1]).toBeLessThan(10);
    expect(chart.view.y[1]).toBeGreaterThan(3.9);
    expect(onClipped).toHaveBeenLastCalledWith({ above: 1, below: 0 });
  });

  test('may be logarithmic', () => {
    const { data } = open([left, right], { right: { ...axis, scale: 'log' } });
    expect(data.texts()).toContain('2000');
  });
});

test('axes have names; too long ones end with an ellipsis', () => {
  const { data } = open([testSeries({ y: [1, 2] }), testSeries({ key: 'b', y: [1, 2], axis: 'right' })], {
    xLabel: 'tokens',
    yLabel: 'loss '.repeat(60),
    right: { scale: 'linear', range: null, core: null, label: 'rate' },
  });
  expect(data.texts()).toContain('tokens');
  expect(data.texts()).toContain('rate');
  const name = data.texts().find((text) => text.startsWith('loss'))!;
  expect(name.endsWith('…')).toBe(true);
  expect(name.length * 6).toBeLessThanOrEqual(240);
  expect(
    data
      .named('rotate')
      .slice(-2)
      .map(({ args }) => Math.sign(args[0] as number)),
  ).toEqual([-1, 1]);
});
