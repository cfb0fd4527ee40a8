// The columns of the table under a chart with a step selector: at one place, or over a range.
import { formatExact, formatInteger, formatValue } from '../../../base/format';
import { formatMoment, formatSpan } from '../../../base/time';

type PlaceColumn = 'value' | 'smoothed' | 'step' | 'relative' | 'time';
type RangeColumn =
  | 'min'
  | 'max'
  | 'start'
  | 'end'
  | 'change'
  | 'percent'
  | 'mean'
  | 'slope'
  | 'median'
  | 'std'
  | 'startStep'
  | 'endStep'
  | 'minStep'
  | 'maxStep'
  | 'count';
export type ColumnId = PlaceColumn | RangeColumn;
export type TableKind = 'step' | 'range';

export interface Column {
  readonly id: ColumnId;
  readonly heading: string;
  /** What it means, where the heading does not say it. */
  readonly hint: string;
  /** Only in full screen. */
  readonly isWide: boolean;
  /** Values, which are shown to equally many digits; 'signed': with a + before what grows. */
  readonly aligned: 'plain' | 'signed' | null;
  readonly text: (value: number) => string;
}

export const DIGITS = 4;
const number = (value: number): string => formatValue(value, DIGITS);
const column = (
  id: ColumnId,
  heading: string,
  hint = '',
  more: Partial<Pick<Column, 'isWide' | 'aligned' | 'text'>> = {},
): Column => ({
  id,
  heading,
  hint,
  isWide: false,
  aligned: more.text ? null : 'plain',
  text: number,
  ...more,
});
const step = (id: ColumnId, heading: string, hint: string): Column =>
  column(id, heading, hint, { isWide: true, text: formatInteger });

/** Of whole percents one digit is enough. */
function percentText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const text = Math.abs(value) >= 1000 ? formatValue(value, 4) : value.toFixed(1);
  return `${value > 0 ? '+' : ''}${text} %`;
}

export const COLUMNS: Readonly<Record<TableKind, readonly Column[]>> = {
  step: [
    column('value', 'Value'),
    column('smoothed', 'Smoothed'),
    column('step', 'Step', 'Of the nearest point', { text: formatInteger }),
    column('relative', 'Relative', 'Since the first point of the run', { text: formatSpan }),
    column('time', 'Time', '', { isWide: true, text: formatMoment }),
  ],
  range: [
    column('min', 'Min'),
    column('max', 'Max'),
    column('start', 'Start', 'The first value in the range'),
    column('end', 'End', 'The last value in the range'),
    column('change', 'Change', 'End − start', { aligned: 'signed' }),
    column('percent', '%', 'The change in percent of the start', { text: percentText }),
    column('mean', 'Mean'),
    column('slope', 'Slope', 'Of the line of best fit, per unit of the horizontal axis'),
    column('median', 'Median', '', { isWide: true }),
    column('std', 'Std', 'Standard deviation', { isWide: true }),
    step('startStep', 'Start step', ''),
    step('endStep', 'End step', ''),
    step('minStep', 'Min step', 'Where the least value is'),
    step('maxStep', 'Max step', 'Where the greatest value is'),
    step('count', 'Points', 'How many finite values'),
  ],
};

export function shownColumns(
  kind: TableKind,
  { isFull, hasSmoothed }: { readonly isFull: boolean; readonly hasSmoothed: boolean },
): Column[] {
  return COLUMNS[kind].filter(({ id, isWide }) => (isFull || !isWide) && (id !== 'smoothed' || hasSmoothed));
}

/** 'run': by name. null: as in the run table. */
export type TableSort = { readonly column: ColumnId | 'run'; readonly isDescending: boolean } | null;

/** A heading was clicked: up, down, and back to the order of the runs. */
export function sortedBy(sort: TableSort, id: ColumnId | 'run'): TableSort {
  if (sort?.column !== id) return { column: id, isDescending: false };
  return sort.isDescending ? null : { column: id, isDescending: true };
}

/** All digits, for the clipboard. */
export function exactText(value: number | undefined): string {
  return value === undefined ? '' : formatExact(value);
}
