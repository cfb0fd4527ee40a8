// The rows of a value table: what each line is at the cursor, or at its end when there is none. Only the rows that are
// shown are made; choosing them among a thousand runs on every move of the mouse has to stay well below a frame.
import { upperBound } from '../../base/arrays';
import { formatInteger } from '../../base/format';
import { compareNatural } from '../../base/natural-order';
import type { HoverPoint, Range } from '../../chart/types';
import type { TooltipSort } from '../../state/types';
import type { CardSeries } from './card-series';

export interface ValueRow {
  readonly key: string;
  /** null: a group of runs. */
  readonly run: number | null;
  readonly label: string;
  readonly color: string;
  readonly isDashed: boolean;
  /** null when the line shows the values themselves. */
  readonly smoothed: number | null;
  readonly value: number;
  /** NaN of a group, as are its times. */
  readonly step: number;
  readonly wallS: number;
  readonly relativeS: number;
  /** Where it is drawn, in units of the card's x axis. */
  readonly x: number;
  /** Of a group, at this x of its grid. */
  readonly group?: GroupAt;
  /** Of a line between two others, as they were logged; NaN where they were not. */
  readonly bounds?: Pick<GroupAt, 'low' | 'high'>;
}

interface GroupAt {
  /** NaN without a band, and where there is none. */
  readonly low: number;
  readonly high: number;
  /** The band reaches equally far to both sides. */
  readonly isSymmetric: boolean;
  /** How many runs the value is made from. */
  readonly members: number;
  /** Of the group, with any point in view. */
  readonly runs: number;
}

export interface ValueRows {
  readonly rows: readonly ValueRow[];
  /** How many lines there are in all. */
  readonly count: number;
}

/** One line's point that may become a row. */
export interface RowPoint {
  readonly key: string;
  readonly index: number;
  /** Where the line is, smoothed if it is. */
  readonly y: number;
  readonly distancePx: number;
}

export class SeriesByKey {
  readonly #byKey: Map<string, CardSeries>;
  /** Place in the natural order of labels; sorting by name is then a comparison of numbers. */
  #rank: Map<string, number> | null = null;
  #ends: { readonly xRange: Range | null; readonly points: readonly RowPoint[] } | null = null;

  constructor(readonly all: readonly CardSeries[]) {
    this.#byKey = new Map(all.map((series) => [series.key, series]));
  }

  get(key: string): CardSeries | undefined {
    return this.#byKey.get(key);
  }

  rankOf(key: string): number {
    if (this.#rank === null) {
      const inOrder = [...this.all].sort((a, b) => compareNatural(a.chart.label, b.chart.label));
      this.#rank = new Map(inOrder.map((series, rank) => [series.key, rank]));
    }
    return this.#rank.get(key) ?? Infinity;
  }

  /** The last point of every line that was not abandoned: of those in the range, when there is one. */
  ends(xRange: Range | null): readonly RowPoint[] {
    if (this.#ends === null || this.#ends.xRange?.join() !== xRange?.join()) {
      this.#ends = { xRange, points: this.#findEnds(xRange) };
    }
    return this.#ends.points;
  }

  #findEnds(xRange: Range | null): RowPoint[] {
    const points: RowPoint[] = [];
    for (const { key, chart, isSuperseded } of this.all) {
      if (isSuperseded || chart.isBackground) continue;
      // More than the range may have been fetched.
      const index = (xRange === null ? chart.x.length : upperBound(chart.x, xRange[1])) - 1;
      const isInRange = index >= 0 && (xRange === null || chart.x[index]! >= xRange[0]);
      if (isInRange) points.push({ key, index, y: chart.y[index]!, distancePx: 0 });
    }
    return points;
  }
}

/** NaN comes last, whichever way values are sorted. */
export function compareValues(a: number, b: number, direction: 1 | -1): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : direction * (a < b ? -1 : 1);
}

/** given: as the points come, in the order of the runs, where there is no pointer to be near to. */
export type RowSort = TooltipSort | 'given';

function comparer(sort: RowSort, series: SeriesByKey): (a: RowPoint, b: RowPoint) => number {
  if (sort === 'given') return () => 0;
  if (sort === 'nearest') return (a, b) => a.distancePx - b.distancePx;
  if (sort === 'name') return (a, b) => series.rankOf(a.key) - series.rankOf(b.key);
  const direction = sort === 'ascending' ? 1 : -1;
  return (a, b) => compareValues(a.y, b.y, direction);
}

export function valueRows(
  points: readonly (RowPoint | HoverPoint)[],
  series: SeriesByKey,
  { sort, limit, first = null }: { sort: RowSort; limit: number; first?: string | null },
): ValueRows {
  const known = points.filter((point) => series.get(point.key) !== undefined);
  const compare = comparer(sort, series);
  known.sort((a, b) => Number(b.key === first) - Number(a.key === first) || compare(a, b));
  const rows = known.slice(0, limit).map((point) => series.get(point.key)!.rowAt(point.index));
  return { rows, count: known.length };
}

/** members, x: only where there are groups. band: also of lines between two others. */
export type RowColumn =
  'run' | 'smoothed' | 'value' | 'step' | 'time' | 'relative' | 'band' | 'members' | 'x';

/** Where the line is: what a run is compared by with groups, whose values are made from smoothed ones. */
export function lineValue({ smoothed, value }: ValueRow): number {
  return smoothed ?? value;
}

/** Rows by a column of the full table. */
export function sortRows(rows: readonly ValueRow[], column: RowColumn, isDescending: boolean): ValueRow[] {
  const direction = isDescending ? -1 : 1;
  if (column === 'run') return [...rows].sort((a, b) => direction * compareNatural(a.label, b.label));
  const hasGroups = rows.some(({ group }) => group !== undefined);
  const numberOf = (row: ValueRow): number => {
    if (column === 'smoothed' || (column === 'value' && hasGroups)) return lineValue(row);
    if (column === 'time') return row.wallS;
    if (column === 'relative') return row.relativeS;
    if (column === 'value' || column === 'step') return row[column];
    if (column === 'band') {
      const { low, high } = row.group ?? row.bounds ?? { low: NaN, high: NaN };
      return high - low;
    }
    return column === 'x' ? row.x : (row.group?.members ?? 1);
  };
  return [...rows].sort((a, b) => compareValues(numberOf(a), numberOf(b), direction));
}

/** The band of a group around its value, for people: to both sides alike, or from where to where. '' without any. */
export function bandText(
  { group, bounds }: Pick<ValueRow, 'group' | 'bounds'>,
  format: (value: number, leastDigits?: number) => string,
): string {
  const { low, high } = group ?? bounds ?? { low: NaN, high: NaN };
  if (!Number.isFinite(low) || !Number.isFinite(high)) return '';
  if (group?.isSymmetric) return `± ${format((high - low) / 2)}`;
  const digits = distinctDigits(low, high);
  return `${format(low, digits)} – ${format(high, digits)}`;
}

/** So many significant digits that the ends of a narrow band are not the same text, and its width has two of them. */
function distinctDigits(low: number, high: number): number {
  const size = Math.max(Math.abs(low), Math.abs(high));
  return high > low ? Math.min(15, Math.ceil(Math.log10(size / (high - low))) + 2) : 0;
}

/** How many of a group's runs a value is made from. */
export function membersText({ group }: ValueRow): string {
  if (group === undefined) return '';
  const { members, runs } = group;
  return members === runs ? formatInteger(members) : `${formatInteger(members)} of ${formatInteger(runs)}`;
}
