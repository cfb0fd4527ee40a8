// The columns of the table under a chart with a step selector: at one place, or over a range. Which of them are shown,
// in which order, and what rows are sorted by belongs to the person, and is kept in this browser.
import { formatExact, formatInteger, formatValue } from '../../../base/format';
import { formatMoment, formatSpan } from '../../../base/time';
import type { BrowserStorage } from '../../../state/browser-storage';

export type PlaceColumn = 'value' | 'smoothed' | 'step' | 'relative' | 'time';
export type RangeColumn =
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

export interface TableChoice {
  /** Those not named follow, as they are above. */
  readonly order: readonly ColumnId[];
  readonly hidden: readonly ColumnId[];
  /** 'run': by name. null: as in the run table. */
  readonly sort: { readonly column: ColumnId | 'run'; readonly isDescending: boolean } | null;
}

export interface TableChoices {
  readonly step: TableChoice;
  readonly range: TableChoice;
  /** A range is about the smoothed lines, not about the values as logged. */
  readonly isSmoothed: boolean;
}

const NO_CHOICE: TableChoice = { order: [], hidden: [], sort: null };
export const NO_CHOICES: TableChoices = { step: NO_CHOICE, range: NO_CHOICE, isSmoothed: false };

/** All columns of the table, in the person's order, with those that are left out. */
export function orderedColumns(kind: TableKind, { order }: Pick<TableChoice, 'order'>): Column[] {
  const place = (id: ColumnId): number => {
    const index = order.indexOf(id);
    return index === -1 ? Infinity : index;
  };
  const known = COLUMNS[kind];
  return [...known].sort((a, b) => {
    const [first, second] = [place(a.id), place(b.id)];
    return first === second ? known.indexOf(a) - known.indexOf(b) : first - second;
  });
}

export function shownColumns(
  kind: TableKind,
  choice: TableChoice,
  { isFull, hasSmoothed }: { readonly isFull: boolean; readonly hasSmoothed: boolean },
): Column[] {
  return orderedColumns(kind, choice).filter(
    ({ id, isWide }) =>
      !choice.hidden.includes(id) && (isFull || !isWide) && (id !== 'smoothed' || hasSmoothed),
  );
}

/** A heading was clicked: up, down, and back to the order of the runs. */
export function sortedBy(sort: TableChoice['sort'], id: ColumnId | 'run'): TableChoice['sort'] {
  if (sort?.column !== id) return { column: id, isDescending: false };
  return sort.isDescending ? null : { column: id, isDescending: true };
}

/** Among the columns that are shown, one further to the right (1) or left (−1), or to the place of another. */
export function movedColumn(
  kind: TableKind,
  choice: TableChoice,
  id: ColumnId,
  to: 1 | -1 | ColumnId,
): readonly ColumnId[] {
  const all = orderedColumns(kind, choice).map((one) => one.id);
  const shown = all.filter((one) => !choice.hidden.includes(one));
  const target = typeof to === 'number' ? shown[shown.indexOf(id) + to] : to;
  if (target === undefined || target === id) return choice.order;
  const isRight = all.indexOf(target) > all.indexOf(id);
  const without = all.filter((one) => one !== id);
  const at = without.indexOf(target) + (isRight ? 1 : 0);
  return [...without.slice(0, at), id, ...without.slice(at)];
}

const KEY = 'reading.1';

export function readChoices(storage: Pick<BrowserStorage, 'read'>): TableChoices {
  const saved = storage.read(KEY);
  if (typeof saved !== 'object' || saved === null) return NO_CHOICES;
  const { step: atStep, range, isSmoothed } = saved as Partial<Record<keyof TableChoices, unknown>>;
  return {
    step: choiceFrom('step', atStep),
    range: choiceFrom('range', range),
    isSmoothed: isSmoothed === true,
  };
}

export function writeChoices(storage: Pick<BrowserStorage, 'write'>, choices: TableChoices): void {
  storage.write(KEY, choices);
}

/** Anyone may have written it. */
function choiceFrom(kind: TableKind, saved: unknown): TableChoice {
  if (typeof saved !== 'object' || saved === null) return NO_CHOICE;
  const { order, hidden, sort } = saved as Partial<Record<keyof TableChoice, unknown>>;
  const known = new Set<unknown>(COLUMNS[kind].map(({ id }) => id));
  const ids = (list: unknown): ColumnId[] =>
    Array.isArray(list) ? [...new Set(list.filter((id): id is ColumnId => known.has(id)))] : [];
  const { column: by, isDescending } = (sort ?? {}) as { column?: unknown; isDescending?: unknown };
  return {
    order: ids(order),
    hidden: ids(hidden),
    sort:
      by === 'run' || known.has(by)
        ? { column: by as ColumnId | 'run', isDescending: isDescending === true }
        : null,
  };
}

/** All digits, for the clipboard. */
export function exactText(value: number | undefined): string {
  return value === undefined ? '' : formatExact(value);
}
