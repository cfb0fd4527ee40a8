import { expect, test } from 'vitest';
import type { StatisticsAnswer } from '../../../wire/client';
import { COLUMNS } from './columns';
import { cellTexts, groupRow, sortedRows, tableTsv, valuesByRun, type ReadingRow } from './reading-rows';

type OfQuery = StatisticsAnswer['queries'][number];

const NO_STATISTICS: OfQuery['statistics'] = {
  run: [],
  count: [],
  nonfinite_count: [],
  start: [],
  start_step: [],
  end: [],
  end_step: [],
  change: [],
  percent: [],
  min: [],
  min_step: [],
  max: [],
  max_step: [],
  mean: [],
  std: [],
  median: [],
  slope: [],
};
const LOOK = { key: 'k', label: 'a', color: 'red', isDashed: false };
const row = (label: string, values: ReadingRow['values'], run: number | null = 0): ReadingRow => ({
  ...LOOK,
  key: label,
  label,
  run,
  values,
});
const column = (id: string) => [...COLUMNS.range, ...COLUMNS.step].find((one) => one.id === id)!;

test('numbers that are not finite come as words', () => {
  const values = valuesByRun('step', {
    query: 0,
    statistics: NO_STATISTICS,
    at: { run: [3], x: [1], step: [1], wall_s: [10], relative_s: [0], value: ['NaN'], smoothed: null },
  });
  expect(values.get(3)).toEqual({ value: NaN, step: 1, relative: 0, time: 10 });
});

test('in a range what is not known is missing, and runs without a point have no row', () => {
  const many = (value: number | null) => [value, value, value];
  const statistics = {
    ...NO_STATISTICS,
    ...Object.fromEntries(Object.keys(NO_STATISTICS).map((name) => [name, many(null)])),
    run: [1, 2, 3],
    count: [1, 0, 0],
    nonfinite_count: [0, 0, 4],
    min: [5, null, null],
  } as OfQuery['statistics'];
  const values = valuesByRun('range', { query: 0, statistics, at: null });
  expect([...values.keys()]).toEqual([1, 3]);
  expect(values.get(1)).toEqual({ min: 5, count: 1 });
  expect(values.get(3)).toEqual({ count: 0 });
});

test('a group has mean and deviation of what its members have', () => {
  const group = groupRow(LOOK, [{ min: 1, max: NaN }, { min: 2, max: 8 }, { min: 6 }]);
  expect(group.values).toEqual({ min: 3, max: 8 });
  // numpy.std([1, 2, 6], ddof=1)
  expect(group.spreads!.min).toBeCloseTo(2.6457513110645907, 15);
  expect(group.spreads!.max).toBeUndefined();
  expect(cellTexts([group], column('min'))).toEqual(['3 ± 2.6']);
  expect(cellTexts([group], column('max'))).toEqual(['8']);
});

test('the deviation of a change has no sign', () => {
  const group = groupRow(LOOK, [{ change: 1 }, { change: 3 }]);
  expect(cellTexts([group], column('change'))).toEqual(['+2 ± 1.4']);
});

test('members at the same step need no deviation, and moments have no mean', () => {
  const group = groupRow(LOOK, [
    { step: 7, time: 100 },
    { step: 7, time: 300 },
  ]);
  expect(cellTexts([group], column('step'))).toEqual(['7']);
  expect(cellTexts([group], column('time'))).toEqual(['']);
});

test('values of a column have equally many digits, growth a sign', () => {
  const rows = [row('a', { change: 0.5 }), row('b', { change: -0.25123 }), row('c', {})];
  expect(cellTexts(rows, column('change'))).toEqual(['+0.5000', '-0.2512', '']);
});

test('groups come first, missing numbers last', () => {
  const rows = [row('b', { min: 2 }), row('c', {}), row('group', { min: 9 }, null), row('a', { min: 1 })];
  const order = (sort: Parameters<typeof sortedRows>[1]) => sortedRows(rows, sort).map(({ label }) => label);
  expect(order(null)).toEqual(['group', 'b', 'c', 'a']);
  expect(order({ column: 'min', isDescending: false })).toEqual(['group', 'a', 'b', 'c']);
  expect(order({ column: 'min', isDescending: true })).toEqual(['group', 'b', 'a', 'c']);
  expect(order({ column: 'run', isDescending: true })).toEqual(['group', 'c', 'b', 'a']);
});

test('a spreadsheet gets all digits, and deviations by themselves', () => {
  const columns = [column('min')];
  expect(tableTsv([row('a\tb', { min: 1 / 3 })], columns)).toBe(`run\tmin\na b\t${1 / 3}\n`);
  expect(tableTsv([groupRow(LOOK, [{ min: 1 }, { min: 3 }])], columns)).toBe(
    `run\tmin\tmin_std\na\t2\t${Math.SQRT2}\n`,
  );
});
