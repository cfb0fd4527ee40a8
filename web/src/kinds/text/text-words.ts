// A logged text or table of texts as one string: for copying and comparing.
import type { TextAnswer } from '../../wire/client';

type Cells = Pick<TextAnswer, 'rows' | 'columns' | 'cells'>;

/** Also torch's list of one. */
export function isOneText({ rows, columns }: Cells): boolean {
  return rows === 1 && columns === 1;
}

export function rowsOf({ columns, cells }: Cells): string[][] {
  const rows: string[][] = [];
  for (let start = 0; start < cells.length; start += Math.max(1, columns))
    rows.push(cells.slice(start, start + columns));
  return rows;
}

/** Cells between tabs, a row a line. */
export function wordsOf(answer: Cells): string {
  if (isOneText(answer)) return answer.cells[0] ?? '';
  return rowsOf(answer)
    .map((row) => row.join('\t'))
    .join('\n');
}

/** As the server counts them: a letter of two halves is one. */
export function charsOf(cells: readonly string[]): number {
  let chars = 0;
  for (const cell of cells) chars += cell.length - (cell.match(SECOND_HALVES)?.length ?? 0);
  return chars;
}

/** How many rows are there from end to end; of a table that was cut the last cell may be the beginning of one. */
export function wholeRows({ cells, columns, is_cut: isCut }: Cells & Pick<TextAnswer, 'is_cut'>): number {
  return Math.floor((isCut ? cells.length - 1 : cells.length) / Math.max(1, columns));
}

const SECOND_HALVES = /(?<=[\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
