import { expect, test } from 'vitest';
import { logNote, outlierNote, supersededNote } from './card-notes';
import { wireSeries } from './fakes';

test('points beyond the axis are counted on the side where they are', () => {
  expect(outlierNote({ above: 3, below: 0 })).toBe('3 points above the axis');
  expect(outlierNote({ above: 0, below: 1 })).toBe('1 point below the axis');
  expect(outlierNote({ above: 1200, below: 2 })).toBe('1,200 points above, 2 below the axis');
  expect(outlierNote({ above: 0, below: 0 })).toBeNull();
});

test('what a log scale hides is counted, and called a lower bound when points were reduced', () => {
  expect(logNote(0, [])).toBeNull();
  expect(logNote(12, [wireSeries([1])])).toBe('Log scale hides 12 values ≤ 0');
  expect(logNote(1, [wireSeries([1], { isExact: false })])).toBe('Log scale hides at least 1 value ≤ 0');
});

test('abandoned branches are mentioned whether they are shown or not', () => {
  const series = [wireSeries([1]), wireSeries([1], { supersededCount: 1 })];
  expect(supersededNote(series, false)).toBe('Restart: 1 point hidden');
  expect(supersededNote([...series, ...series], true)).toBe('Restart: 2 points shown');
  expect(supersededNote([], false)).toBeNull();
});
