// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeScale, type ScaleKind } from '../base/scale';
import { fitView, tidyRange } from './fit';
import { testOptions, testSeries } from './test-series';
import type { Range } from './types';

function expectSound(range: Range, kind: ScaleKind, linearWidth: number): void {
  expect(Number.isFinite(range[0]) && Number.isFinite(range[1])).toBe(true);
  expect(range[0]).toBeLessThan(range[1]);
  const scale = makeScale(kind, range, [0, 500], linearWidth);
  expect(Number.isFinite(scale.slope) && scale.slope > 0).toBe(true);
}

const anyValue = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 1, NaN, Infinity, -Infinity, 1e308, -1e308, 5e-324),
);
const ySeries = fc.array(fc.array(anyValue, { maxLength: 12 }), { maxLength: 4 });
const yScale = fc.constantFrom<ScaleKind>('linear', 'log', 'symlog');

describe('fitView', () => {
  test('never gives an empty, endless or undefined range, whatever the data', () => {
    fc.assert(
      fc.property(
        ySeries,
        yScale,
        fc.constantFrom<'linear' | 'log'>('linear', 'log'),
        fc.option(fc.tuple(anyValue, anyValue)),
        (lines, y, x, core) => {
          const series = lines.map((values, i) => testSeries({ key: String(i), y: values }));
          const fit = fitView(series, testOptions({ xScale: x, yScale: y, yCore: core }));
          expectSound(fit.x, x, 1);
          expectSound(fit.y, y, fit.linearWidth);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a range that the user asked for is made usable, never thrown away', () => {
    fc.assert(
      fc.property(anyValue, anyValue, yScale, (a, b, kind) => {
        expectSound(tidyRange([a, b], kind), kind, 1);
      }),
      { numRuns: 500 },
    );
    expect(tidyRange([2, 5], 'linear')).toEqual([2, 5]);
    expect(tidyRange([5, 2], 'linear')).toEqual([2, 5]);
  });

  test('x goes from the first to the last point and follows new ones', () => {
    const before = fitView([testSeries({ y: [1, 2, 3] })], testOptions());
    const after = fitView([testSeries({ y: [1, 2, 3, 4, 5] })], testOptions());
    expect(before.x).toEqual([0, 2]);
    expect(after.x).toEqual([0, 4]);
  });

  test('y fits what the x range shows, not what lies outside', () => {
    const series = [testSeries({ y: [100, 1, 2, 1, 100] })];
    const { y } = fitView(series, testOptions({ xRange: [1, 3] }));
    expect(y[0]).toBeGreaterThan(0);
    expect(y[1]).toBeLessThan(3);
  });

  test('all values, raw and smoothed, have room above and below', () => {
    const series = [testSeries({ y: [2, 2, 2], raw: [1, 2, 5] })];
    const { y } = fitView(series, testOptions());
    expect(y[0]).toBeLessThan(1);
    expect(y[1]).toBeGreaterThan(5);
  });

  test('outliers are left out and counted', () => {
    const values = Array.from({ length: 100 }, (_, i) => 1 + (i % 10) / 10);
    values[40] = 500;
    values[41] = 600;
    values[60] = -300;
    const fit = fitView([testSeries({ y: values })], testOptions({ yCore: [1, 1.9] }));
    expect(fit.y[1]).toBeLessThan(3);
    expect(fit.clipped).toEqual({ above: 2, below: 1 });
  });

  test('a clean line keeps its ends although outliers are ignored', () => {
    const values = Array.from({ length: 101 }, (_, i) => i);
    const fit = fitView([testSeries({ y: values })], testOptions({ yCore: [5, 95] }));
    expect(fit.clipped).toEqual({ above: 0, below: 0 });
    expect(fit.y[0]).toBeLessThanOrEqual(0);
    expect(fit.y[1]).toBeGreaterThanOrEqual(100);
  });

  test('a core without height hides nothing', () => {
    const fit = fitView([testSeries({ y: [0, 0, 0, 1, 0] })], testOptions({ yCore: [0, 0] }));
    expect(fit.y[1]).toBeGreaterThan(1);
  });

  test('a log axis fits the positive values and counts the others once', () => {
    const series = [testSeries({ y: [-1, 0, 0.01, 10], raw: [-1, 0, 0.02, 9] })];
    const fit = fitView(series, testOptions({ yScale: 'log' }));
    expect(fit.y[0]).toBeGreaterThan(0.005);
    expect(fit.y[0]).toBeLessThan(0.01);
    expect(fit.dropped).toEqual({ x: 0, y: 2 });
  });

  test('a log x axis begins at the first positive step', () => {
    const fit = fitView([testSeries({ y: [1, 2, 3, 4] })], testOptions({ xScale: 'log' }));
    expect(fit.x).toEqual([1, 3]);
    expect(fit.dropped.x).toBe(1);
  });
});
