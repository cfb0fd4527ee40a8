import { expect, it } from 'vitest';
import { charsOf, isOneText, rowsOf, wholeRows, wordsOf } from './text-words';

const table = { rows: 2, columns: 2, cells: ['a', 'b', 'c', 'd'], shape: [2, 2] };
const list = { rows: 2, columns: 1, cells: ['a', 'b'], shape: [2] };
const one = { rows: 1, columns: 1, cells: ['a\tb'], shape: [1] };

it('takes a list of one for one text, as torch means it', () => {
  expect([one, list, table].map(isOneText)).toEqual([true, false, false]);
});

it('puts cells into rows, also when the last ones are cut', () => {
  expect(rowsOf(table)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(rowsOf({ ...table, cells: ['a', 'b', 'c'] })).toEqual([['a', 'b'], ['c']]);
  expect(rowsOf({ rows: 0, columns: 0, cells: [] })).toEqual([]);
});

it('copies tables as lines with tabs', () => {
  expect(wordsOf(table)).toBe('a\tb\nc\td');
  expect(wordsOf(one)).toBe('a\tb');
});

it('counts characters as the server does: letters of two halves are one', () => {
  expect(charsOf(['a😀b', '', '😀'])).toBe(4);
  // A half alone is one as well.
  expect(charsOf(['\uD83Dx\uDE00'])).toBe(3);
});

it('counts rows from end to end', () => {
  expect(wholeRows({ ...table, is_cut: false })).toBe(2);
  expect(wholeRows({ ...table, is_cut: true })).toBe(1);
  expect(wholeRows({ ...table, cells: ['a'], is_cut: true })).toBe(0);
});
