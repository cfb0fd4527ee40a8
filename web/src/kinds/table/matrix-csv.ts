// A confusion matrix as text for spreadsheets. Four million cells take a while: a row at a time.
import { Turns } from '../../base/turns';
import { csvCell } from './csv';
import { cellValue, type Matrix, type Normalisation } from './matrix';

export async function matrixCsv(
  matrix: Matrix,
  order: readonly number[],
  by: Normalisation,
): Promise<string> {
  const labels = order.map((at) => csvCell(matrix.labels[at]!));
  const lines = [['true \\ predicted', ...labels].join(',')];
  const turns = new Turns();
  for (const [place, row] of order.entries()) {
    const values = order.map((column) => String(cellValue(matrix, row, column, by)));
    lines.push(`${labels[place]!},${values.join(',')}`);
    await turns.rest();
  }
  return `${lines.join('\r\n')}\r\n`;
}
