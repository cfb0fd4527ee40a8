// The numbers of a confusion matrix. Row i, column j: how often class i was taken for class j.
import { compareNatural } from '../../base/natural-order';
import type { MatrixAnswer } from '../../wire/client';

export const NORMALISATIONS = ['none', 'row', 'column', 'all'] as const;
export type Normalisation = (typeof NORMALISATIONS)[number];

interface Counts {
  readonly labels: readonly string[];
  /** By row. */
  readonly counts: Float64Array<ArrayBuffer>;
  /** Of each class: how often it was there, and how often something was taken for it. */
  readonly rowSums: Float64Array<ArrayBuffer>;
  readonly columnSums: Float64Array<ArrayBuffer>;
  readonly total: number;
}

export interface Matrix extends Counts {
  /** Of all cells. */
  readonly greatest: Readonly<Record<Normalisation, number>>;
}

export function matrixFrom({ labels, counts }: MatrixAnswer): Matrix {
  const n = labels.length;
  const all = new Float64Array(n * n);
  const rowSums = new Float64Array(n);
  const columnSums = new Float64Array(n);
  let total = 0;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const count = Number(counts[row]?.[column] ?? 0);
      all[row * n + column] = count;
      rowSums[row]! += count;
      columnSums[column]! += count;
      total += count;
    }
  }
  const sums: Counts = { labels, counts: all, rowSums, columnSums, total };
  const greatest = { none: 0, row: 0, column: 0, all: 0 };
  for (const by of NORMALISATIONS) {
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        const value = cellValue(sums, row, column, by);
        if (value > greatest[by]) greatest[by] = value;
      }
    }
  }
  return { ...sums, greatest };
}

/** What a cell is shown as: its count, or its share of the row, the column or everything. NaN: a share of nothing. */
export function cellValue(matrix: Counts, row: number, column: number, by: Normalisation): number {
  const count = matrix.counts[row * matrix.labels.length + column]!;
  if (by === 'none') return count;
  const whole =
    by === 'row' ? matrix.rowSums[row]! : by === 'column' ? matrix.columnSums[column]! : matrix.total;
  return count / whole;
}

/** The share that was recognised; NaN when there is nothing. */
export function accuracyOf(matrix: Matrix): number {
  const n = matrix.labels.length;
  let right = 0;
  for (let index = 0; index < n; index++) right += matrix.counts[index * n + index]!;
  return right / matrix.total;
}

export const ORDERS = ['logged', 'name', 'error'] as const;
export type Order = (typeof ORDERS)[number];

/** Positions of the classes as they are shown. By error: the least recognised first, those that never were there last. */
export function orderOf(matrix: Matrix, by: Order): number[] {
  const { labels } = matrix;
  const order = labels.map((_, index) => index);
  if (by === 'name') return order.sort((a, b) => compareNatural(labels[a]!, labels[b]!) || a - b);
  if (by === 'error') {
    const recall = order.map((at) => {
      const share = cellValue(matrix, at, at, 'row');
      return Number.isNaN(share) ? 2 : share;
    });
    return order.sort((a, b) => recall[a]! - recall[b]! || matrix.rowSums[b]! - matrix.rowSums[a]! || a - b);
  }
  return order;
}

/** 8 %, 0.3 %, <0.1 %; a dash for a share of nothing. */
export function percent(share: number): string {
  if (Number.isNaN(share)) return '–';
  const value = share * 100;
  if (value > 0 && value < 0.1) return '<0.1 %';
  return `${value === 0 || value >= 9.95 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} %`;
}

/** "cat taken for dog: 12 (8 % of cat)". */
export function sentenceOf(
  matrix: Matrix,
  row: number,
  column: number,
  by: Normalisation,
  countText: string,
): string {
  const [is, taken] = [matrix.labels[row]!, matrix.labels[column]!];
  const what = row === column ? `${is} recognised` : `${is} taken for ${taken}`;
  const share = percent(cellValue(matrix, row, column, by === 'none' ? 'row' : by));
  const whole = by === 'column' ? `what was taken for ${taken}` : by === 'all' ? 'all' : is;
  return `${what}: ${countText} (${share} of ${whole})`;
}
