import { expect, test } from 'vitest';
import { yCoreOf } from './card-series';
import { wireGroup } from './fakes';
import { groupSeriesFrom } from './group-series';
import { bandText, membersText, SeriesByKey } from './value-rows';
import { tsvFrom } from './value-tsv';

const look = { label: 'wide', color: 'red', dash: null };
const groups = [{ key: 'w', runs: [1, 2], look }];
const format = (value: number) => String(value);

test('a group is one line with its band', () => {
  const wire = wireGroup([1, 2], [5, 6]);
  const [series] = groupSeriesFrom([wire], groups, { band: 'std' });
  expect(series!.chart).toMatchObject({ label: 'wide', color: 'red', y: wire.center, raw: null });
  expect(series!.chart.band).toEqual({ low: wire.low, high: wire.high });
  expect(series!.run).toBeNull();
});

test('without a band there is none', () => {
  const [series] = groupSeriesFrom([wireGroup([1, 2], [5], { low: null, high: null })], groups, {
    band: 'none',
  });
  expect(series!.chart.band).toBeUndefined();
  expect(bandText(series!.rowAt(0), format)).toBe('');
});

test('an answer for other members is not drawn as this group', () => {
  expect(groupSeriesFrom([wireGroup([1, 2, 3], [5])], groups, { band: 'std' })).toEqual([]);
});

test('a group whose members changed is drawn as it was until its new line is there', () => {
  const before = new SeriesByKey(groupSeriesFrom([wireGroup([1, 2], [5])], groups, { band: 'std' }));
  const changed = [{ key: 'w', runs: [1, 2, 3], look: { ...look, color: 'blue' } }];
  const [series] = groupSeriesFrom([], changed, { band: 'std', before });
  expect(series!.chart).toMatchObject({ color: 'blue', y: Float64Array.of(5) });
  const wire = wireGroup([1, 2, 3], [7]);
  expect(groupSeriesFrom([wire], changed, { band: 'std', before })[0]!.wire).toBe(wire);
});

test('two groups of the same members are two lines', () => {
  const twice = [...groups, { key: 'x', runs: [1, 2], look: { ...look, label: 'other' } }];
  const series = groupSeriesFrom([wireGroup([1, 2], [5])], twice, { band: 'std' });
  expect(new Set(series.map(({ key }) => key)).size).toBe(2);
});

test('the band is told as a deviation, or from where to where', () => {
  const wire = wireGroup([1, 2], [5]);
  const rowWith = (band: 'std' | 'minmax') => groupSeriesFrom([wire], groups, { band })[0]!.rowAt(0);
  expect(bandText(rowWith('std'), format)).toBe('± 1');
  expect(bandText(rowWith('minmax'), format)).toBe('4 – 6');
});

test('the ends of a narrow band are told apart', () => {
  const wire = wireGroup([1, 2], [0.46], { low: Float64Array.of(0.46012), high: Float64Array.of(0.46089) });
  const [series] = groupSeriesFrom([wire], groups, { band: 'minmax' });
  const short = (value: number, leastDigits = 0) => value.toPrecision(Math.max(2, leastDigits));
  expect(bandText(series!.rowAt(0), short)).toBe('0.46012 – 0.46089');
});

test('one member has no deviation, and the row says how many there are', () => {
  const wire = wireGroup([1, 2], [5, 6], {
    low: Float64Array.of(4, NaN),
    high: Float64Array.of(6, NaN),
    members: Float64Array.of(2, 1),
  });
  const [series] = groupSeriesFrom([wire], groups, { band: 'std' });
  expect(membersText(series!.rowAt(0))).toBe('2');
  expect(membersText(series!.rowAt(1))).toBe('1 of 2');
  expect(bandText(series!.rowAt(1), format)).toBe('');
});

test('for spreadsheets a group has its band and members', () => {
  const [series] = groupSeriesFrom([wireGroup([1, 2], [5, 7])], groups, { band: 'std' });
  expect(tsvFrom([series!.rowAt(1)])).toBe(
    'group\tvalue\tlow\thigh\tmembers\truns\tx\nwide\t7\t6\t8\t2\t2\t1\n',
  );
});

test('the bulk reaches over the band, not only the line, and leaves out single spikes', () => {
  const values = Array.from({ length: 100 }, (_, i) => (i === 50 ? 1e6 : 5));
  const series = groupSeriesFrom([wireGroup([1, 2], values)], groups, { band: 'std' });
  expect(yCoreOf(series)).toEqual([4, 6]);
});
