import { expect, test } from 'vitest';
import { quantileLines, quantileName } from './quantiles';
import { statistics } from './test-histograms.fixture';

const nine = (from: number): number[] => Array.from({ length: 9 }, (_, i) => from + i);

test('nine lines, and bands between the pairs', () => {
  const all = statistics({ quantiles: nine(0) }, { quantiles: nine(10) });
  const { series } = quantileLines(all, all.step, '#123456');
  expect(series).toHaveLength(9);
  expect([...series[4]!.y]).toEqual([4, 14]);
  expect([...series[1]!.band!.high]).toEqual([7, 17]);
  expect(series.filter(({ band }) => band !== undefined)).toHaveLength(4);
  expect([0, 1, 4, 8].map(quantileName)).toEqual(['least', '6.68 %', 'median', 'greatest']);
});

test('a histogram of nothing has no points, and breaks the lines', () => {
  const all = statistics({ quantiles: nine(0) }, { quantiles: nine(NaN), total: 0 }, { quantiles: nine(2) });
  const { series, indices } = quantileLines(all, all.step, '#123456');
  expect(indices).toEqual([0, 2]);
  expect([...series[4]!.x]).toEqual([0, 2]);
  expect(series[4]!.breaks).toEqual([1]);
});
