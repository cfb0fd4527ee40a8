import { expect, test } from 'vitest';
import { histograms } from './test-histograms.fixture';
import { axisOf, coordinateOf, coordinates, valueAt, valueTicks } from './value-axis';

test('the axis spans what holds something', () => {
  const all = histograms(
    [
      [-5, -4, 0],
      [-1, 0, 2],
    ],
    [
      [0, 3, 1],
      [3, 1e308, 0],
    ],
  );
  expect(axisOf([all], false)).toEqual({ low: -1, high: 3, linearWidth: 0 });
});

test('one value has room around it, and nothing has an axis too', () => {
  expect(axisOf([histograms([[4, 4, 9]])], false)).toMatchObject({ low: 2, high: 6 });
  expect(axisOf([histograms([[0, 0, 9]])], false)).toMatchObject({ low: -0.5, high: 0.5 });
  expect(axisOf([histograms([])], false)).toMatchObject({ low: -0.5, high: 0.5 });
});

test('a symmetric logarithm is linear where half of the values are, whatever the farthest is', () => {
  const decades = Array.from({ length: 18 }, (_, i) => [10 ** (i - 12), 10 ** (i - 11), 100] as const);
  const all = [histograms([[-1e-12, 1e-12, 900], ...decades])];
  const { linearWidth } = axisOf(all, true);
  expect(linearWidth).toBeGreaterThan(1e-4);
  expect(linearWidth).toBeLessThan(1e-2);
});

test('on a symmetric logarithm values come back from their coordinates, and ticks are at round ones', () => {
  const axis = axisOf([histograms([[-1e-3, 1e-3, 5]], [[-10, 1000, 5]])], true);
  expect(axis.linearWidth).toBeGreaterThan(0);
  for (const value of [-10, -0.01, 0, 0.5, 1000])
    expect(valueAt(axis, coordinateOf(axis, value))).toBeCloseTo(value, 9);
  const { major } = valueTicks(axis)(coordinates(axis), 8);
  expect(major.map(({ label }) => label)).toContain('0');
  for (const { value } of major) {
    expect(value).toBeGreaterThanOrEqual(coordinates(axis)[0]);
    expect(value).toBeLessThanOrEqual(coordinates(axis)[1]);
  }
});
