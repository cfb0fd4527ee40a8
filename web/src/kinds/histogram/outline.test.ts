import { describe, expect, test } from 'vitest';
import { densityAt, heightOf, outlineOf } from './outline';
import { histograms } from './test-histograms.fixture';
import { axisOf, coordinates } from './value-axis';

const LINEAR = { low: 0, high: 10, linearWidth: 0 };
const whole = { shown: [0, 10], cells: 20 } as const;

const areaBelow = (outline: { x: Float64Array; density: Float64Array }): number =>
  outline.density.reduce((sum, one) => sum + one, 0) * (outline.x[1]! - outline.x[0]!);

describe('the outline of a histogram', () => {
  test('is a density: of as many values, wide buckets are lower than narrow ones', () => {
    const outline = outlineOf(
      histograms([
        [0, 2, 10],
        [2, 10, 10],
      ]),
      0,
      LINEAR,
      whole,
    )!;
    expect(densityAt(outline, 1)).toBeCloseTo(0.5 / 2, 12);
    expect(densityAt(outline, 6)).toBeCloseTo(0.5 / 8, 12);
    expect(areaBelow(outline)).toBeCloseTo(1, 12);
    expect(outline.highest).toBeCloseTo(0.25, 12);
  });

  test('buckets narrower than a cell are added up, and one without a width is in one cell', () => {
    const narrow = Array.from({ length: 100 }, (_, i) => [i / 100, (i + 1) / 100, 1] as const);
    const outline = outlineOf(histograms(narrow), 0, LINEAR, whole)!;
    expect(densityAt(outline, 0.25)).toBeCloseTo(1, 12);
    expect(areaBelow(outline)).toBeCloseTo(1, 12);
    const single = outlineOf(histograms([[3.2, 3.2, 7]]), 0, LINEAR, whole)!;
    expect(densityAt(single, 3.2)).toBeCloseTo(2, 12);
    expect(areaBelow(single)).toBeCloseTo(1, 12);
  });

  test('buckets that are given from right to left hold the same', () => {
    const one = outlineOf(histograms([[2, 4, 5]]), 0, LINEAR, whole);
    expect(outlineOf(histograms([[4, 2, 5]]), 0, LINEAR, whole)).toEqual(one);
  });

  test('zoomed in, it keeps its densities', () => {
    const all = histograms([
      [0, 2, 10],
      [2, 10, 10],
    ]);
    const outline = outlineOf(all, 0, LINEAR, { shown: [1, 3], cells: 20 })!;
    expect(densityAt(outline, 1.5)).toBeCloseTo(0.25, 12);
    expect(densityAt(outline, 2.5)).toBeCloseTo(0.0625, 12);
  });

  test('is as high beside wide ones as alone, and where it holds nothing it is 0', () => {
    const narrow = histograms([
      [0.1, 0.2, 3],
      [0.2, 0.3, 0],
      [0.3, 0.4, 1],
    ]);
    for (const high of [0.4, 1000]) {
      const { x, density } = outlineOf(narrow, 0, { ...LINEAR, high }, { shown: [0, high], cells: 96 })!;
      const at = (coordinate: number): number => densityAt({ x, density, highest: 0 }, coordinate);
      expect([0.15, 0.25, 0.35].map(at)).toEqual([expect.closeTo(7.5, 9), 0, expect.closeTo(2.5, 9)]);
      expect(Math.min(...density.filter((one) => one > 0))).toBeCloseTo(2.5, 9);
    }
  });

  test('there is none of nothing, of counts that are not numbers, and of edges without a place', () => {
    const none = histograms([], [[0, 1, 0]], [[0, 1, NaN]], [[-Infinity, 1, 5]]);
    for (let i = 0; i < 4; i++) expect(outlineOf(none, i, LINEAR, whole)).toBeNull();
  });

  test('edges at the ends of what doubles can hold have a place', () => {
    const wide = histograms([
      [-1e308, -1, 1],
      [-1, 1, 8],
      [1, 1e308, 1],
    ]);
    for (const isSymlog of [false, true]) {
      const axis = axisOf([wide], isSymlog);
      const outline = outlineOf(wide, 0, axis, { shown: coordinates(axis), cells: 64 })!;
      expect(areaBelow(outline)).toBeCloseTo(1, 9);
    }
  });
});

test('heights are shares of the highest, or of its logarithm over four decades', () => {
  expect(heightOf(0.5, 2, false)).toBe(0.25);
  expect(heightOf(0.02, 2, true)).toBeCloseTo(0.5, 12);
  expect(heightOf(2e-6, 2, true)).toBe(0);
  expect(heightOf(0, 2, true)).toBe(0);
});
