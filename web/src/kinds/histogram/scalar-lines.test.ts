import { expect, test } from 'vitest';
import { chartsOfTag } from './scalar-lines';

test('formulas of the tag in quotes, in charts that say what they are computed from', () => {
  const charts = chartsOfTag('layer "1"/grad', []);
  expect(charts.map(({ title }) => title)).toEqual([
    'layer "1"/grad: values (from buckets)',
    'layer "1"/grad: spread and zeros (from buckets)',
  ]);
  const formulas = charts.flatMap(({ lines }) => lines.map(({ formula }) => formula));
  expect(formulas).toContain('hist_mean("layer \\"1\\"/grad")');
  expect(formulas).toContain('hist_quantile("layer \\"1\\"/grad", 0.5)');
  expect(new Set(charts.map(({ id }) => id)).size).toBe(2);
});
