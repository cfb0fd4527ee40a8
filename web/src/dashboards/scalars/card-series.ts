// From series as they came over the wire to lines as the chart engine takes them. The engine wants x that never falls;
// steps do not, but wall times may (clocks are set back, two writers share a run), so such series are sorted here and
// keep a way back to their points. Arrays are shared with the wire wherever nothing has to change, and made
// once per series and axis: a new selection of runs costs nothing per point.
import { lowerBound } from '../../base/arrays';
import type { ChartSeries, Range, XKind } from '../../chart/types';
import type { CardData } from '../../state/types';

/** One series of one card, reduced to the chart's pixels. */
export type DecodedSeries = CardData['series'][number];

/** How a run looks and is called, at this moment. */
export interface RunLook {
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[] | null;
}

export interface CardSeries {
  readonly key: string;
  readonly run: number;
  readonly wire: DecodedSeries;
  readonly chart: ChartSeries;
  /** From an index of the chart's arrays to one of the wire's; null when they are the same. */
  readonly wireIndex: Uint32Array | null;
}

export function seriesKey(run: number, isSuperseded: boolean): string {
  return isSuperseded ? `${run}:superseded` : `${run}`;
}

export function runOfKey(key: string): number {
  return Number.parseInt(key, 10);
}

interface Line {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly raw: Float64Array | null;
  readonly wireIndex: Uint32Array | null;
}

const madeLines = new WeakMap<DecodedSeries, Map<XKind, Line>>();

function lineOf(series: DecodedSeries, xKind: XKind): Line {
  let byKind = madeLines.get(series);
  if (byKind === undefined) madeLines.set(series, (byKind = new Map<XKind, Line>()));
  let line = byKind.get(xKind);
  if (line === undefined) byKind.set(xKind, (line = makeLine(series, xKind)));
  return line;
}

function makeLine(series: DecodedSeries, xKind: XKind): Line {
  const x = xOf(series, xKind);
  const y = series.smoothed ?? series.value;
  const raw = series.smoothed === null ? null : series.value;
  if (neverFalls(x)) return { x, y, raw, wireIndex: null };
  const wireIndex = Uint32Array.from(x.keys()).sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || a - b);
  const inOrder = (values: Float64Array) => Float64Array.from(wireIndex, (index) => values[index] ?? NaN);
  return { x: inOrder(x), y: inOrder(y), raw: raw === null ? null : inOrder(raw), wireIndex };
}

function xOf(series: DecodedSeries, xKind: XKind): Float64Array {
  if (xKind === 'step') return series.step;
  if (xKind === 'wall') return series.wall;
  return series.wall.map((wallS) => wallS - series.firstWallS);
}

function neverFalls(x: Float64Array): boolean {
  for (let i = 1; i < x.length; i += 1) if (x[i]! < x[i - 1]!) return false;
  return true;
}

/** Branches that were left behind come first, so that they are drawn below. */
export function cardSeriesFrom(
  wireSeries: readonly DecodedSeries[],
  xKind: XKind,
  { showSuperseded, lookOf }: { showSuperseded: boolean; lookOf: (run: number) => RunLook | null },
): CardSeries[] {
  const superseded: CardSeries[] = [];
  const current: CardSeries[] = [];
  for (const wire of wireSeries) {
    if (wire.isSuperseded && !showSuperseded) continue;
    const look = lookOf(wire.run);
    if (look === null || wire.step.length === 0) continue;
    const { x, y, raw, wireIndex } = lineOf(wire, xKind);
    const key = seriesKey(wire.run, wire.isSuperseded);
    const label = wire.isSuperseded ? `${look.label} (abandoned)` : look.label;
    const chart = { key, label, color: look.color, dash: look.dash, x, y, raw, isFaint: wire.isSuperseded };
    (wire.isSuperseded ? superseded : current).push({ key, run: wire.run, wire, chart, wireIndex });
  }
  return [...superseded, ...current];
}

/** Where the bulk of all lines lies: from the lowest 5th to the highest 95th percentile. */
export function yCoreOf(series: readonly CardSeries[]): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (const { wire } of series) {
    if (wire.yCore === null) continue;
    low = Math.min(low, wire.yCore[0]);
    high = Math.max(high, wire.yCore[1]);
  }
  return low <= high ? [low, high] : null;
}

export function hasPointsIn({ chart: { x } }: CardSeries, [from, to]: Range): boolean {
  const first = lowerBound(x, from);
  return first < x.length && x[first]! <= to;
}

export function areSameLines(a: readonly CardSeries[], b: readonly CardSeries[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ wire, chart }, index) => {
      const other = b[index]!;
      return (
        wire === other.wire &&
        chart.x === other.chart.x &&
        chart.label === other.chart.label &&
        chart.color === other.chart.color &&
        chart.dash?.join() === other.chart.dash?.join()
      );
    })
  );
}
