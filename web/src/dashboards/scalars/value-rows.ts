// The rows of a value table: what each line is at the cursor, or at its end when there is none. Only the rows that are
// shown are made; choosing them among a thousand runs on every move of the mouse has to stay well below a frame.
import { upperBound } from '../../base/arrays';
import { formatExact } from '../../base/format';
import { compareNatural } from '../../base/natural-order';
import type { HoverPoint, Range } from '../../chart/types';
import type { TooltipSort } from '../../state/types';
import type { CardSeries } from './card-series';

export interface ValueRow {
  readonly key: string;
  readonly run: number;
  readonly label: string;
  readonly color: string;
  readonly isDashed: boolean;
  readonly isSuperseded: boolean;
  /** null when the line shows the values themselves. */
  readonly smoothed: number | null;
  readonly value: number;
  readonly step: number;
  readonly wallS: number;
  readonly relativeS: number;
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
    for (const { key, chart, wire } of this.all) {
      // More than the range may have been fetched.
      const index = (xRange === null ? chart.x.length : upperBound(chart.x, xRange[1])) - 1;
      const isInRange = index >= 0 && (xRange === null || chart.x[index]! >= xRange[0]);
      if (isInRange && !wire.isSuperseded) points.push({ key, index, y: chart.y[index]!, distancePx: 0 });
    }
    return points;
  }
}

/** NaN comes last, whichever way values are sorted. */
function compareValues(a: number, b: number, direction: 1 | -1): number {
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
  const rows = known.slice(0, limit).map((point) => rowOf(point, series.get(point.key)!));
  return { rows, count: known.length };
}

function rowOf(point: RowPoint, { key, run, wire, chart, wireIndex }: CardSeries): ValueRow {
  const index = wireIndex === null ? point.index : (wireIndex[point.index] ?? point.index);
  const wallS = wire.wall[index] ?? NaN;
  return {
    key,
    run,
    label: chart.label,
    color: chart.color,
    isDashed: chart.dash !== null,
    isSuperseded: wire.isSuperseded,
    smoothed: wire.smoothed === null ? null : (wire.smoothed[index] ?? NaN),
    value: wire.value[index] ?? NaN,
    step: wire.step[index] ?? NaN,
    wallS,
    relativeS: wallS - wire.firstWallS,
  };
}

export type RowColumn = 'run' | 'smoothed' | 'value' | 'step' | 'time' | 'relative';

/** Rows by a column of the full table. */
export function sortRows(rows: readonly ValueRow[], column: RowColumn, isDescending: boolean): ValueRow[] {
  const direction = isDescending ? -1 : 1;
  if (column === 'run') return [...rows].sort((a, b) => direction * compareNatural(a.label, b.label));
  const numberOf = (row: ValueRow): number => {
    if (column === 'smoothed') return row.smoothed ?? row.value;
    if (column === 'time') return row.wallS;
    return column === 'relative' ? row.relativeS : row[column];
  };
  return [...rows].sort((a, b) => compareValues(numberOf(a), numberOf(b), direction));
}

/** Rows as a spreadsheet takes them from the clipboard. Tabs and line ends in names become blanks. */
export function tsvFrom(rows: readonly ValueRow[]): string {
  const hasSmoothed = rows.some((row) => row.smoothed !== null);
  const header = ['run', ...(hasSmoothed ? ['smoothed'] : []), 'value', 'step', 'wall_time', 'relative_s'];
  const lines = rows.map((row) => [
    row.label.replace(/[\t\r\n]+/g, ' '),
    ...(hasSmoothed ? [row.smoothed === null ? '' : formatExact(row.smoothed)] : []),
    formatExact(row.value),
    formatExact(row.step),
    formatExact(row.wallS),
    formatExact(row.relativeS),
  ]);
  return [header, ...lines].map((cells) => cells.join('\t')).join('\n') + '\n';
}
