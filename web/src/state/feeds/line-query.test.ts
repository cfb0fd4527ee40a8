import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  drawnMembers,
  drawnRuns,
  lineX,
  MOST_MEMBERS,
  queryShape,
  roundedRange,
  xKeyOf,
  type ShapeOptions,
} from './line-query';

const options: ShapeOptions = {
  widthPx: 500,
  xRange: null,
  x: { axis: 'step', tag: '' },
  xScale: 'linear',
  baseline: null,
  smoothing: { kind: 'ema', amount: 0.6 },
  showSuperseded: false,
};

describe('queryShape', () => {
  test('asks for at least a bucket per pixel, and the same after a small resize', () => {
    const shape = queryShape(options);
    expect(shape.buckets).toBeGreaterThanOrEqual(500);
    expect(queryShape({ ...options, widthPx: 510 })).toEqual(shape);
  });

  test('asks for the same after a small pan', () => {
    const shape = queryShape({ ...options, xRange: [1010, 2010] });
    expect(queryShape({ ...options, xRange: [1020, 2020] }).x_range).toEqual(shape.x_range);
  });

  test('never asks for less than what is seen, nor for much more', () => {
    const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(number, fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (from, span) => {
        const to = from + span;
        fc.pre(to > from);
        const [low, high] = roundedRange([from, to], false);
        const tiny = span * 1e-9;
        expect(low).toBeLessThanOrEqual(from + tiny);
        expect(high).toBeGreaterThanOrEqual(to - tiny);
        expect(high - low).toBeLessThanOrEqual((to - from) * 1.5 + 1e-6);
        const { buckets } = queryShape({ ...options, xRange: [from, to] });
        // As fine as the pixels of what is seen.
        expect((buckets! * (to - from)) / (high - low)).toBeGreaterThanOrEqual(500 - 1e-6);
      }),
    );
  });

  test('no smoothing is asked for as such, however it was said', () => {
    expect(queryShape({ ...options, smoothing: { kind: 'none', amount: 0.5 } }).smoothing).toBeNull();
    expect(queryShape({ ...options, smoothing: { kind: 'ema', amount: 0 } }).smoothing).toBeNull();
  });

  test('stays below the server’s limit', () => {
    expect(queryShape({ ...options, widthPx: 50_000 }).buckets).toBe(8192);
    expect(queryShape({ ...options, widthPx: 0 }).buckets).toBeGreaterThan(0);
  });
});

describe('what a line is drawn over', () => {
  const view = { xAxis: 'relative', xTag: '' } as const;

  test('is the view’s axis, unless the line has its own', () => {
    expect(lineX(null, view)).toEqual({ axis: 'relative', tag: '' });
    expect(lineX({ axis: 'metric', tag: 'tokens' }, view)).toEqual({ axis: 'metric', tag: 'tokens' });
  });

  test('is the step as long as no metric was chosen', () => {
    expect(lineX(null, { xAxis: 'metric', xTag: '' })).toEqual({ axis: 'step', tag: '' });
  });

  test('a tag is only asked for with a metric', () => {
    expect(lineX(null, { xAxis: 'wall', xTag: 'tokens' })).toEqual({ axis: 'wall', tag: '' });
    expect(queryShape(options)).not.toHaveProperty('x_tag');
    const metric = { ...options, x: { axis: 'metric', tag: 'tokens' } } as const;
    expect(queryShape(metric)).toMatchObject({ x: 'metric', x_tag: 'tokens' });
    expect(xKeyOf(metric.x)).not.toBe(xKeyOf({ axis: 'metric', tag: 'epoch' }));
  });

  test('a baseline is part of the shape', () => {
    const baseline = { run: 3, mode: 'ratio' } as const;
    expect(queryShape({ ...options, baseline })).toMatchObject({ baseline });
  });
});

const group = (key: string, runs: readonly number[]) => ({ group: { key, label: key, runs }, runs });
const runs = {
  visibleIds: [1, 2, 3, 4],
  visibleGroups: [group('a', [1, 2]), group('b', [3])],
  ungroupedVisibleIds: [4],
};

test('without groups every visible run is a line', () => {
  expect(drawnRuns(runs, null)).toEqual([1, 2, 3, 4]);
});

test('with groups their members are drawn behind them, before the runs in no group', () => {
  expect(drawnRuns(runs, { areMembersShown: true })).toEqual([1, 3, 2, 4]);
  expect(drawnRuns(runs, { areMembersShown: false })).toEqual([4]);
});

test('of very many members some of each group are drawn', () => {
  const large = Array.from({ length: 10_000 }, (_, i) => i);
  const drawn = drawnMembers([large, [20_000], [20_001, 20_002]]);
  expect(drawn.size).toBe(MOST_MEMBERS);
  expect([20_000, 20_001, 20_002].every((run) => drawn.has(run))).toBe(true);
});

test('a run in two groups is drawn once', () => {
  expect([
    ...drawnMembers([
      [1, 2],
      [2, 1],
    ]),
  ]).toEqual([1, 2]);
});
