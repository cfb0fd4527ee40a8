// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fitView } from './fit';
import { makeLayout } from './layout';
import { LinePass } from './draw-lines';
import { RecordingContext } from './recording-context';
import {
  makeTestChart,
  openTestChart,
  pointer,
  press,
  strokes,
  testOptions,
  testSeries,
  type TestChart,
} from './test-series';
import type { ChartSeries, Hover } from './types';

let page: TestChart;

function open(...parts: Parameters<typeof openTestChart>): void {
  page = openTestChart(...parts);
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  page.close();
  vi.useRealTimers();
});

describe('drawing', () => {
  test('raw values are faint, the line over them is not', () => {
    open([testSeries({ y: [1, 2, 3], raw: [1, 3, 2], color: '#abc' })]);
    const [raw, line] = strokes(page.data, '#abc');
    expect(raw!.globalAlpha).toBeLessThan(0.5);
    expect(line!.globalAlpha).toBe(1);
  });

  test('bulk lines are one device pixel wide', () => {
    open(Array.from({ length: 50 }, (_, i) => testSeries({ key: String(i), y: [i, 1, 2], color: '#abc' })));
    expect(new Set(strokes(page.data, '#abc').map((call) => call.lineWidth))).toEqual(new Set([1]));
  });

  test('a line without a width is not drawn', () => {
    open([testSeries({ y: [1, 2, 3], color: '#abc', widthPx: 0 })]);
    expect(strokes(page.data, '#abc')).toEqual([]);
  });

  test('lines of one colour share a path', () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      testSeries({ key: String(i), y: [i, 1, 2], color: i % 2 ? '#odd' : '#even' }),
    );
    open(many);
    expect(strokes(page.data, '#odd')).toHaveLength(1);
    expect(strokes(page.data, '#even')).toHaveLength(1);
  });

  test('a superseded branch is dashed and fainter', () => {
    open([testSeries({ y: [1, 2, 3], color: '#abc', isFaint: true })]);
    const [stroke] = strokes(page.data, '#abc');
    expect(stroke!.dash.length).toBeGreaterThan(0);
    expect(stroke!.globalAlpha).toBeLessThan(0.6);
  });

  test('a single point is a dot', () => {
    open([testSeries({ y: [5], color: '#abc' })]);
    const dots = page.data.named('arc').filter((call) => call.fillStyle === '#abc');
    expect(dots).toHaveLength(1);
    expect(Number.isFinite(dots[0]!.args[0])).toBe(true);
  });

  test('a point between two NaNs is a dot, too', () => {
    const values = Array.from({ length: 200 }, (_, i) => (i === 99 || i === 101 ? NaN : 1));
    open([testSeries({ y: values, color: '#abc' })]);
    expect(page.data.named('arc')).toHaveLength(1);
  });

  test('NaN breaks the line and is marked by a triangle where the line was', () => {
    open([testSeries({ y: [1, 2, NaN, 2, 1], color: '#abc' })], { yRange: [0, 4] });
    const triangles = page.data.named('closePath').filter((call) => call.fillStyle === '#abc');
    expect(triangles).toHaveLength(1);
    const at = page.data.calls.findIndex((call) => call.name === 'closePath');
    const tip = page.data.calls[at - 3]!;
    expect(tip.name).toBe('moveTo');
    const view = page.chart.view;
    expect(view.y).toEqual([0, 4]);
    // Half way up, minus the height of the tip.
    const clip = page.data.named('rect')[0]!.args as [number, number, number, number];
    expect((tip.args[1] as number) + 4.5).toBeCloseTo(clip[1] + clip[3] / 2, 0);
  });

  test('infinities are marked on the edge they left through', () => {
    open([testSeries({ y: [1, Infinity, 2, -Infinity, 1], color: '#abc' })]);
    const clip = page.data.named('rect')[0]!.args as [number, number, number, number];
    const ends = page.data.calls
      .flatMap((call, i) => (call.name === 'closePath' ? [page.data.calls[i - 3]!.args[1] as number] : []))
      .sort((a, b) => a - b);
    expect(ends).toHaveLength(2);
    expect(ends[0]).toBeCloseTo(clip[1], 0);
    expect(ends[1]).toBeCloseTo(clip[1] + clip[3], 0);
  });

  test('a log axis says how many points it cannot show', () => {
    open([testSeries({ y: [-1, 0, 1, 10] })], { yScale: 'log' });
    expect(page.data.texts()).toContain('2 points at 0 or below not shown (log axis)');
  });

  test('an owner who takes the count says it in its own words', () => {
    const onDropped = vi.fn();
    open([testSeries({ y: [-1, 0, 1, 10] })], { yScale: 'log' }, { onDropped });
    expect(onDropped).toHaveBeenLastCalledWith(2);
    expect(page.data.texts().some((text) => text.includes('not shown'))).toBe(false);
  });

  test('outliers that are left out are announced, and when they are back', () => {
    const onClipped = vi.fn();
    const values = Array.from({ length: 50 }, (_, i) => (i === 20 ? 900 : 1 + (i % 7) / 10));
    open([testSeries({ y: values })], { yCore: [1, 1.6] }, { onClipped });
    expect(onClipped).toHaveBeenLastCalledWith({ above: 1, below: 0 });
    page.chart.setOptions({ yCore: null });
    page.clock.runAll();
    expect(onClipped).toHaveBeenLastCalledWith({ above: 0, below: 0 });
  });

  test.each<[string, readonly ChartSeries[]]>([
    ['no series', []],
    ['an empty series', [testSeries({ y: [] })]],
    ['only NaN', [testSeries({ y: [NaN, NaN] })]],
    ['a constant', [testSeries({ y: [3, 3, 3] })]],
    ['enormous values', [testSeries({ y: [-1e308, 1e308] })]],
  ])('never draws at a place that is no number: %s', (_, series) => {
    open(series);
    const numbers = page.data.calls.flatMap((call) => call.args.filter((arg) => typeof arg === 'number'));
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(page.data.isBalanced).toBe(true);
  });

  test('grid lines lie in the middle of pixels', () => {
    open([testSeries({ y: [1, 2, 3] })]);
    const firstStroke = page.data.calls.findIndex((call) => call.name === 'stroke');
    const grid = page.data.calls.slice(0, firstStroke).filter((call) => call.name === 'moveTo');
    expect(grid.length).toBeGreaterThan(3);
    for (const { args } of grid) {
      expect((args as number[]).filter((value) => value % 1 === 0.5)).toHaveLength(1);
    }
  });

  test('many points per pixel are merged without losing the highest and the lowest', () => {
    const values = Array.from({ length: 50_000 }, (_, i) =>
      i === 31_234 ? 90 : i === 8_765 ? -70 : Math.sin(i),
    );
    const line = testSeries({ y: values, color: '#abc' });
    const options = testOptions();
    const context = new RecordingContext();
    const fit = fitView([line], options);
    const layout = makeLayout(context.asCanvas, { width: 400, height: 240, ratio: 1 }, fit, options, 0);
    expect(new LinePass([line], layout).drawSlice(context.asCanvas, null)).toBe(true);
    const ys = context.named('lineTo').map((call) => call.args[1] as number);
    expect(ys.length).toBeLessThan(400 * 2 * 2 + 20);
    expect(Math.min(...ys)).toBeCloseTo(layout.yScale.pxFromValue(90), 6);
    expect(Math.max(...ys)).toBeCloseTo(layout.yScale.pxFromValue(-70), 6);
    page = makeTestChart();
  });
});

describe('many lines', () => {
  const many = (count: number): ChartSeries[] =>
    Array.from({ length: count }, (_, k) =>
      testSeries({ key: String(k), y: Array.from({ length: 400 }, (_, i) => k + i), color: '#abc' }),
    );

  test('are drawn over several frames on a layer of their own and shown growing at first', () => {
    open([]);
    page.chart.setSeries(many(400));
    page.clock.runFrame();
    expect(page.clock.hasFrame).toBe(true);
    expect(page.data.named('drawImage').length).toBeGreaterThan(0);
    expect(strokes(page.data, '#abc')).toEqual([]);
    page.clock.runAll();
    const drawn = page.contexts.slice(2).flatMap((context) => context.named('moveTo'));
    expect(drawn).toHaveLength(400);
  });

  test('while zooming the last picture is stretched; it is drawn anew when the hand rests', () => {
    open(many(400));
    const strokesBefore = page.contexts.slice(2).flatMap((context) => context.named('stroke')).length;
    page.data.forget();
    press(page, '+');
    page.clock.runAll();
    const strokesMoving = page.contexts.slice(2).flatMap((context) => context.named('stroke')).length;
    expect(strokesMoving).toBe(strokesBefore);
    const image = page.data.named('drawImage').at(-1)!.args as number[];
    // Twice as wide as what it was taken from.
    expect(image[7]! / image[3]!).toBeCloseTo(2, 1);
    vi.advanceTimersByTime(200);
    page.clock.runAll();
    const strokesAfter = page.contexts.slice(2).flatMap((context) => context.named('stroke')).length;
    expect(strokesAfter).toBeGreaterThan(strokesMoving);
  });
});

describe('live data', () => {
  const run = (length: number): ChartSeries => testSeries({ y: Array.from({ length }, (_, i) => i) });

  test('the view follows the end when it was at the end', () => {
    open([run(10)]);
    page.chart.setSeries([run(20)]);
    expect(page.chart.view.x).toEqual([0, 19]);
  });

  test('the view stays when the user chose it', () => {
    open([run(10)], { xRange: [2, 5] });
    page.chart.setSeries([run(20)]);
    expect(page.chart.view.x).toEqual([2, 5]);
  });

  test('the values under a resting pointer are told again', () => {
    const hovers: (Hover | null)[] = [];
    open([testSeries({ y: [1, 1, 1] })], {}, { onHover: (hover) => hovers.push(hover) });
    pointer(page.host, 'pointermove', 200, 100);
    page.clock.runAll();
    page.chart.setSeries([testSeries({ y: [2, 2, 2] })]);
    page.clock.runAll();
    expect(hovers.map((hover) => hover!.points[0]!.y)).toEqual([1, 2]);
  });

  test('setting the same options again draws nothing', () => {
    open([run(10)]);
    page.chart.setOptions({ xRange: null, yScale: 'linear', theme: { ...testOptions().theme } });
    expect(page.clock.hasFrame).toBe(false);
  });
});

describe('size', () => {
  test('tells how many columns are worth fetching, in steps', () => {
    const onPlotWidth = vi.fn();
    open([testSeries({ y: [1, 2, 3] })], {}, { onPlotWidth });
    expect(onPlotWidth).toHaveBeenCalledTimes(1);
    expect(page.chart.plotWidthPx % 64).toBe(0);
    expect(page.chart.plotWidthPx).toBeGreaterThanOrEqual(340);
    page.resize(404, 240);
    page.clock.runAll();
    expect(onPlotWidth).toHaveBeenCalledTimes(1);
    page.resize(900, 240);
    page.clock.runAll();
    expect(onPlotWidth).toHaveBeenCalledTimes(2);
  });

  test('a chart that was drawn is drawn again at once when its size changes', () => {
    open([testSeries({ y: [1, 2, 3], color: '#abc' })]);
    page.data.forget();
    page.resize(500, 300);
    expect(strokes(page.data, '#abc').length).toBeGreaterThan(0);
  });

  test('after destroy nothing is drawn and the host is empty', () => {
    open([testSeries({ y: [1, 2, 3] })]);
    page.chart.setSeries([]);
    page.chart.destroy();
    expect(page.clock.hasFrame).toBe(false);
    expect(page.host.querySelector('canvas')).toBeNull();
  });
});
