import { describe, expect, it } from 'vitest';
import { accuracyOf, cellValue, matrixFrom, orderOf, percent, sentenceOf } from './matrix';

// cat: 8 right, 2 dogs. dog: 1 cat, 3 right. eel: never there, never taken for.
const MATRIX = matrixFrom({
  labels: ['cat', 'dog', 'eel'],
  counts: [
    [8, 2, 0],
    [1, 3, 0],
    [0, 0, 0],
  ],
});

describe('numbers of a confusion matrix', () => {
  it('sums rows and columns', () => {
    expect([...MATRIX.rowSums]).toEqual([10, 4, 0]);
    expect([...MATRIX.columnSums]).toEqual([9, 5, 0]);
    expect(MATRIX.total).toBe(14);
  });

  it('are shares of the row, the column or all', () => {
    const rows = [0, 1, 2].map((row) => [0, 1, 2].map((column) => cellValue(MATRIX, row, column, 'row')));
    expect(rows).toEqual([[0.8, 0.2, 0], [0.25, 0.75, 0], [NaN, NaN, NaN]]); // prettier-ignore
    expect(cellValue(MATRIX, 1, 0, 'none')).toBe(1);
    expect(cellValue(MATRIX, 0, 1, 'column')).toBe(2 / 5);
    expect(cellValue(MATRIX, 0, 1, 'all')).toBe(2 / 14);
  });

  it('have a greatest one, whatever they are', () => {
    expect(MATRIX.greatest).toEqual({ none: 8, row: 0.8, column: 8 / 9, all: 8 / 14 });
  });

  it('give the accuracy', () => {
    expect(accuracyOf(MATRIX)).toBe(11 / 14);
  });

  it('of nothing at all are no numbers', () => {
    expect(accuracyOf(matrixFrom({ labels: [], counts: [] }))).toBeNaN();
  });
});

describe('order of classes', () => {
  it('is as logged, by name, or by how badly they are recognised', () => {
    expect(orderOf(MATRIX, 'logged')).toEqual([0, 1, 2]);
    expect(orderOf(MATRIX, 'error')).toEqual([1, 0, 2]);
    const named = matrixFrom({ labels: ['class 10', 'class 9', 'a'], counts: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }); // prettier-ignore
    expect(orderOf(named, 'name')).toEqual([2, 1, 0]);
  });
});

describe('words', () => {
  it('say a share', () => {
    expect([0, 0.0004, 0.003, 0.08, 0.0825, 0.5, 0.996, 1, NaN].map(percent)).toEqual([
      '0 %',
      '<0.1 %',
      '0.3 %',
      '8 %',
      '8.3 %',
      '50 %',
      '100 %',
      '100 %',
      '–',
    ]);
  });

  it('say what a cell is', () => {
    expect(sentenceOf(MATRIX, 0, 1, 'none', '2')).toBe('cat taken for dog: 2 (20 % of cat)');
    expect(sentenceOf(MATRIX, 0, 1, 'column', '2')).toBe(
      'cat taken for dog: 2 (40 % of what was taken for dog)',
    );
    expect(sentenceOf(MATRIX, 1, 1, 'all', '3')).toBe('dog recognised: 3 (21 % of all)');
  });
});
