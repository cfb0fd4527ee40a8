// A logged text or table of texts as one string: for copying, comparing, and showing letter by letter.
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

/** Letter by letter, but for those that nobody sees (withSigns). Tables are JSON, as nested as they are. */
export function rawText(answer: Cells & Pick<TextAnswer, 'shape'>): string {
  if (isOneText(answer)) return answer.cells[0] ?? '';
  const isList = answer.shape.length === 1;
  return JSON.stringify(isList ? answer.cells : rowsOf(answer), null, 1);
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

/** U+2400 and on are pictures of the letters from 0 on. */
const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

/** Letters that nobody sees get a sign; ends of lines and tabs stay what they are. */
export function withSigns(text: string): string {
  return text.replace(UNSEEN, (letter) => {
    const code = letter.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}
