import { lineOfTag } from '../../board/cards/card-spec';
import { expect, test } from 'vitest';
import { cardSeriesFrom } from './card-series';
import { summaryOf, trendOf } from './chart-summary';
import { wireSeries } from './fakes';
import { SeriesByKey } from './value-rows';

const summary = (count: number) => {
  const wire = Array.from({ length: count }, (_, run) => wireSeries([3, 2, 1], { run }));
  const lookOf = (run: number) => ({ label: `run ${run}`, color: 'red', dash: null });
  const drawn = new SeriesByKey(cardSeriesFrom(wire, 'step', { showSuperseded: false, lookOf }));
  return summaryOf({
    ...{ title: 'loss', drawn, x: { axis: 'step', tag: '' } },
    spec: { lines: [lineOfTag('loss')] },
  });
};

test('a chart is told in a sentence: runs, range, ends and trends', () => {
  expect(summary(1)).toBe('loss: 1 run, steps 0 to 2. run 0 ends at 1, falling');
});

test('of many runs the first few are named', () => {
  expect(summary(5)).toMatch(/^loss: 5 runs, .*run 2 ends at 1, falling; and 2 more$/);
});

test('a chart without lines says so', () => {
  expect(summary(0)).toBe('loss: no points');
});

test('noise is no trend, and values that are not finite do not count', () => {
  expect(trendOf(Float64Array.of(1, 5, 1, 5, 1))).toBe('flat');
  expect(trendOf(Float64Array.of(NaN, 1, 2, Infinity, 3))).toBe('rising');
  expect(trendOf(Float64Array.of(NaN, 1))).toBeNull();
});
