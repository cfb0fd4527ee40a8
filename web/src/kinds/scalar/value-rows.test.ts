import { describe, expect, test } from 'vitest';
import { cardSeriesFrom } from './card-series';
import { wireSeries } from './fakes';
import { SeriesByKey, sortRows, valueRows } from './value-rows';
import { tsvFrom } from './value-tsv';

const labels = ['run10', 'run2', 'run1'];
const lines = new SeriesByKey(
  cardSeriesFrom(
    [
      wireSeries([0.1, 0.5], { run: 0 }),
      wireSeries([0.2, NaN], { run: 1 }),
      wireSeries([0.3, 0.25], { run: 2, smoothed: Float64Array.of(0.3, 0.275) }),
    ],
    'step',
    { showSuperseded: true, lookOf: (run) => ({ label: labels[run]!, color: 'red', dash: null }) },
  ),
);
const at = (key: string, distancePx: number) => {
  const { chart } = lines.get(key)!;
  return { key, index: 1, y: chart.y[1]!, distancePx };
};
const points = [at('0', 30), at('1', 20), at('2', 10)];
const order = (sort: 'nearest' | 'ascending' | 'descending' | 'name' | 'given', first?: string) =>
  valueRows(points, lines, { sort, limit: 9, first: first ?? null }).rows.map((row) => row.label);

describe('rows', () => {
  test('come nearest first', () => expect(order('nearest')).toEqual(['run1', 'run2', 'run10']));
  test('come highest first, NaN last', () => expect(order('descending')).toEqual(['run10', 'run1', 'run2']));
  test('come lowest first, NaN last', () => expect(order('ascending')).toEqual(['run1', 'run10', 'run2']));
  test('come by name as people count', () => expect(order('name')).toEqual(['run1', 'run2', 'run10']));
  test('come with the highlighted one on top', () =>
    expect(order('given', '2')).toEqual(['run1', 'run10', 'run2']));

  test('are limited, and say how many there are', () => {
    const { rows, count } = valueRows(points, lines, { sort: 'given', limit: 2 });
    expect(rows).toHaveLength(2);
    expect(count).toBe(3);
  });

  test('carry the exact numbers of their point', () => {
    const [row] = valueRows([at('2', 0)], lines, { sort: 'given', limit: 1 }).rows;
    expect(row).toMatchObject({ smoothed: 0.275, value: 0.25, step: 1, wallS: 1001, relativeS: 1 });
  });

  test('of lines that are gone are left out', () => {
    expect(
      valueRows([{ key: '99', index: 0, y: 0, distancePx: 0 }], lines, { sort: 'given', limit: 9 }).count,
    ).toBe(0);
  });
});

test('the ends of lines are their last points, without abandoned branches', () => {
  const wire = [wireSeries([1, 2, 3]), wireSeries([9], { isSuperseded: true })];
  const lookOf = () => ({ label: 'a', color: 'red', dash: null });
  const series = new SeriesByKey(cardSeriesFrom(wire, 'step', { showSuperseded: true, lookOf }));
  expect(series.ends(null).map(({ key, y }) => [key, y])).toEqual([['0', 3]]);
});

test('in a range, lines end with their last point inside of it', () => {
  const wire = [wireSeries([1, 2, 3]), wireSeries([7], { run: 1, steps: [5] })];
  const lookOf = () => ({ label: 'a', color: 'red', dash: null });
  const series = new SeriesByKey(cardSeriesFrom(wire, 'step', { showSuperseded: true, lookOf }));
  expect(series.ends([0.5, 1.5]).map(({ key, y }) => [key, y])).toEqual([['0', 2]]);
  expect(series.ends([4, 6]).map(({ key, y }) => [key, y])).toEqual([['1', 7]]);
});

test('the full table sorts by any column, NaN last both ways', () => {
  const { rows } = valueRows(points, lines, { sort: 'given', limit: 9 });
  const by = (isDescending: boolean) => sortRows(rows, 'value', isDescending).map((row) => row.value);
  expect(by(false)).toEqual([0.25, 0.5, NaN]);
  expect(by(true)).toEqual([0.5, 0.25, NaN]);
  expect(sortRows(rows, 'run', false).map((row) => row.label)).toEqual(['run1', 'run2', 'run10']);
});

test('runs among groups are sorted by their lines, as they are shown', () => {
  const { rows } = valueRows(points, lines, { sort: 'given', limit: 9 });
  const [first] = rows;
  const group = { low: 0, high: 1, isSymmetric: false, members: 2, runs: 2 };
  const mixed = [
    { ...first!, run: null, value: 5, smoothed: null, group },
    { ...first!, value: 9, smoothed: 4 },
  ];
  expect(sortRows(mixed, 'value', false).map(({ value }) => value)).toEqual([9, 5]);
});

test('copied rows have every digit and survive odd names', () => {
  const wire = [wireSeries([0.1 + 0.2])];
  const lookOf = () => ({ label: 'a\tb\nc', color: 'red', dash: null });
  const odd = new SeriesByKey(cardSeriesFrom(wire, 'step', { showSuperseded: true, lookOf }));
  const { rows } = valueRows(odd.ends(null), odd, { sort: 'given', limit: 1 });
  expect(tsvFrom(rows)).toBe(
    'run\tvalue\tstep\twall_time\trelative_s\na b c\t0.30000000000000004\t0\t1000\t0\n',
  );
});

test('copied rows have the bounds of lines that have some', () => {
  const { rows } = valueRows(lines.ends(null), lines, { sort: 'given', limit: 2 });
  const [first, second] = rows.map((row) => ({ ...row, label: 'r', smoothed: null }));
  const [header, bounded, bare] = tsvFrom([{ ...first!, bounds: { low: 0.25, high: NaN } }, second!]).split(
    '\n',
  );
  expect(header).toBe('run\tvalue\tlow\thigh\tstep\twall_time\trelative_s');
  expect(bounded!.split('\t').slice(1, 4)).toEqual(['0.5', '0.25', '']);
  expect(bare!.split('\t').slice(2, 4)).toEqual(['', '']);
});
