// Rows of the table under a chart with a step selector, from the server's answer: one for each line of each run, and one
// for each group, with the mean and deviation of its members' numbers. Groups come first.
import { formatValue } from '../../../base/format';
import { compareNatural } from '../../../base/natural-order';
import type { StatisticsAnswer } from '../../../wire/client';
import { alignedNumbers } from '../aligned-numbers';
import { compareValues } from '../value-rows';
import { DIGITS, exactText, type Column, type ColumnId, type TableKind, type TableSort } from './columns';

type OfQuery = StatisticsAnswer['queries'][number];
type Values = Partial<Record<ColumnId, number>>;

export interface ReadingRow {
  readonly key: string;
  /** null: a group. */
  readonly run: number | null;
  readonly label: string;
  readonly color: string;
  readonly isDashed: boolean;
  /** What is missing is not known, or there is none. */
  readonly values: Values;
  /** Of a group: the deviation among its members, where there are several. */
  readonly spreads?: Values;
  /** Of a group: how many members have numbers. */
  readonly members?: number;
}

export type RowLook = Pick<ReadingRow, 'key' | 'label' | 'color' | 'isDashed'>;

/** The numbers of each run in an answer about one line. */
export function valuesByRun(kind: TableKind, answer: OfQuery): Map<number, Values> {
  return kind === 'step' ? valuesAtPlace(answer) : valuesInRange(answer);
}

function valuesAtPlace({ at }: OfQuery): Map<number, Values> {
  if (at === null) return new Map();
  return new Map(
    at.run.map((run, i) => [
      run,
      known({
        value: at.value[i],
        smoothed: at.smoothed?.[i],
        step: at.step[i],
        relative: at.relative_s[i],
        time: at.wall_s[i],
      }),
    ]),
  );
}

/** Runs without a point in the range have no row. */
function valuesInRange({ statistics: of }: OfQuery): Map<number, Values> {
  const byRun = new Map<number, Values>();
  of.run.forEach((run, i) => {
    const count = of.count[i]!;
    if (count + of.nonfinite_count[i]! === 0) return;
    byRun.set(
      run,
      known({
        min: of.min[i],
        max: of.max[i],
        start: of.start[i],
        end: of.end[i],
        change: of.change[i],
        percent: of.percent[i],
        mean: of.mean[i],
        slope: of.slope[i],
        median: of.median[i],
        std: of.std[i],
        startStep: of.start_step[i],
        endStep: of.end_step[i],
        minStep: of.min_step[i],
        maxStep: of.max_step[i],
        count,
      }),
    );
  });
  return byRun;
}

/** Numbers that are not finite come as words. */
function known(values: Partial<Record<ColumnId, number | string | null | undefined>>): Values {
  const numbers: Values = {};
  for (const [id, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) numbers[id as ColumnId] = Number(value);
  }
  return numbers;
}

/** Mean and deviation (n − 1) of what the members have, number by number; what is not finite is left out. */
export function groupRow(look: RowLook, members: readonly Values[]): ReadingRow {
  const lists = new Map<ColumnId, number[]>();
  for (const values of members) {
    for (const [id, value] of Object.entries(values) as [ColumnId, number][]) {
      // The mean of moments is none.
      if (!Number.isFinite(value) || id === 'time') continue;
      const list = lists.get(id);
      if (list) list.push(value);
      else lists.set(id, [value]);
    }
  }
  const values: Values = {};
  const spreads: Values = {};
  for (const [id, list] of lists) {
    const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
    values[id] = mean;
    if (list.length < 2) continue;
    const squares = list.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    spreads[id] = Math.sqrt(squares / (list.length - 1));
  }
  return { ...look, run: null, values, spreads, members: members.length };
}

/** Groups first; what has no number comes last, whichever way. */
export function sortedRows(rows: readonly ReadingRow[], sort: TableSort): ReadingRow[] {
  const byKind = (a: ReadingRow, b: ReadingRow): number => Number(a.run !== null) - Number(b.run !== null);
  if (sort === null) return [...rows].sort(byKind);
  const direction = sort.isDescending ? -1 : 1;
  const { column } = sort;
  if (column === 'run') {
    return [...rows].sort((a, b) => byKind(a, b) || direction * compareNatural(a.label, b.label));
  }
  const numberOf = ({ values }: ReadingRow): number => values[column] ?? NaN;
  return [...rows].sort((a, b) => byKind(a, b) || compareValues(numberOf(a), numberOf(b), direction));
}

/** What the cells of a column say; '' without a number. */
export function cellTexts(rows: readonly ReadingRow[], { id, aligned, text }: Column): string[] {
  const values = rows.map((row) => row.values[id]);
  const texts =
    aligned === null
      ? values.map((value) => (value === undefined ? '' : text(value)))
      : alignedNumbers(
          values.map((value) => value ?? null),
          DIGITS,
        );
  return texts.map((own, i) => {
    const sign = aligned === 'signed' && (values[i] ?? 0) > 0 ? '+' : '';
    const spread = rows[i]!.spreads?.[id];
    return `${sign}${own}${spread ? ` ± ${spreadText(spread, aligned === null ? text : null)}` : ''}`;
  });
}

/** To two digits, where it is a number like others; a deviation has no sign. */
function spreadText(spread: number, text: Column['text'] | null): string {
  return text === null ? formatValue(spread, 2) : text(spread).replace(/^\+/, '');
}

/** As a spreadsheet takes it: all digits, a column of its own for each deviation. */
export function tableTsv(rows: readonly ReadingRow[], columns: readonly Column[]): string {
  const hasSpreads = rows.some(({ spreads }) => spreads !== undefined);
  const header = ['run', ...columns.flatMap(({ id }) => (hasSpreads ? [id, `${id}_std`] : [id]))];
  const lines = rows.map(({ label, values, spreads }) => [
    label.replace(/[\t\r\n]+/g, ' '),
    ...columns.flatMap(({ id }) => {
      const value = exactText(values[id]);
      return hasSpreads ? [value, exactText(spreads?.[id])] : [value];
    }),
  ]);
  return [header, ...lines].map((cells) => `${cells.join('\t')}\n`).join('');
}
