import { expect, test } from 'vitest';
import { baselineLabel, foldedNotes, logNote, membersNote, outlierNote, supersededNote } from './card-notes';
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

test('what is said of several runs in the same words is counted, errors come first', () => {
  const note = (run: number | null, text: string, isError = false) => ({ run, text, is_error: isError });
  const folded = foldedNotes([
    note(null, 'About all'),
    note(1, 'No tag x'),
    note(2, 'No tag x'),
    note(3, 'Alone'),
    note(null, 'Broken', true),
    note(null, 'About all'),
  ]);
  expect(folded).toEqual([
    { text: 'Broken', isError: true },
    { text: 'About all', isError: false },
    { text: '2 runs: No tag x', isError: false },
    { text: 'Alone', isError: false },
  ]);
});

test('names that the server marks as code are in quotes', () => {
  const [folded] = foldedNotes([{ run: null, text: 'No `a/b`: no line for `run 1`', is_error: true }]);
  expect(folded!.text).toBe('No “a/b”: no line for “run 1”');
});

test('members are mentioned only when some are not drawn', () => {
  expect(membersNote(200, 1000)).toBe('200 of 1,000 members drawn');
  expect(membersNote(3, 3)).toBeNull();
});

test('a comparison says what the numbers are', () => {
  expect(baselineLabel({ run: 'base/1', mode: 'difference' }, 'base')).toBe('Δ vs base');
  expect(baselineLabel({ run: 'base/1', mode: 'ratio' }, 'base')).toBe('× base');
  expect(baselineLabel({ run: 'base/1', mode: 'percent' }, 'base')).toBe('% vs base');
});
