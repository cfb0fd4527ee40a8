// From series as they came over the wire to lines as the chart engine takes them. The engine wants x that never falls;
// steps do not, but wall times may (clocks are set back, two writers share a run), so such series are sorted here and
// keep a way back to their points. Arrays are shared with the wire wherever nothing has to change, and made
// once per series and axis: a new selection of runs costs nothing per point. Lines of groups: group-series.ts.
import { lowerBound } from '../../base/arrays';
import type { ChartSeries, Range, XKind } from '../../chart/types';
import type { CardData } from '../../state/types';
import type { ValueRow } from './value-rows';

/** One series of one card, reduced to the chart's pixels. */
export type DecodedSeries = CardData['series'][number];

/** How a run or group looks and is called in one line of a card, at this moment. */
export interface LineLook extends Pick<ChartSeries, 'axis' | 'widthPx' | 'isBackground'> {
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[] | null;
}

export interface CardSeries {
  readonly key: string;
  /** null: a group of runs. */
  readonly run: number | null;
  /** The key of the group. */
  readonly group?: string;
  /** As it came over the wire: the same object, the same points. */
  readonly wire: object;
  readonly isSuperseded: boolean;
  /** 5th and 95th percentile. */
  readonly yCore: Range | null;
  readonly chart: ChartSeries;
  /** What a table says about one of the chart's points. */
  rowAt(index: number): ValueRow;
}

/** Of the n-th line of a card. Chart, highlight and table know a line by this. */
export function seriesKey(run: number, isSuperseded: boolean, line = 0): string {
  return `${run}${isSuperseded ? ':superseded' : ''}${line === 0 ? '' : `@${line}`}`;
}

/** Lines of runs begin with a number, so that the two are never taken for each other. */
export function groupSeriesKey(groupKey: string, line = 0): string {
  return `group ${line} ${groupKey}`;
}

interface Line {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly raw: Float64Array | null;
  /** From an index of the chart's arrays to one of the wire's; null when they are the same. */
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

export function xOf(series: DecodedSeries, xKind: XKind): Float64Array {
  if (xKind === 'step') return series.step;
  if (xKind === 'wall') return series.wall;
  // Active time without a column of its own: nothing was left out of relative time.
  if (xKind !== 'relative' && series.x !== null) return series.x;
  return series.wall.map((wallS) => wallS - series.firstWallS);
}

function neverFalls(x: Float64Array): boolean {
  for (let i = 1; i < x.length; i += 1) if (x[i]! < x[i - 1]!) return false;
  return true;
}

export interface SeriesOptions {
  readonly showSuperseded: boolean;
  /** null: not drawn. */
  readonly lookOf: (run: number) => LineLook | null;
  /** Which of the card's lines it is; the first unless said otherwise. */
  readonly line?: number;
}

/** Branches that were left behind come first, so that they are drawn below. */
export function cardSeriesFrom(
  wireSeries: readonly DecodedSeries[],
  xKind: XKind,
  { showSuperseded, lookOf, line = 0 }: SeriesOptions,
): CardSeries[] {
  const superseded: CardSeries[] = [];
  const current: CardSeries[] = [];
  for (const wire of wireSeries) {
    const { run, isSuperseded } = wire;
    if (isSuperseded && !showSuperseded) continue;
    const look = lookOf(run);
    if (look === null || wire.step.length === 0) continue;
    const { x, y, raw, wireIndex } = lineOf(wire, xKind);
    const key = seriesKey(run, isSuperseded, line);
    const label = isSuperseded ? `${look.label} (abandoned)` : look.label;
    const chart: ChartSeries = { ...look, key, label, x, y, raw, isFaint: isSuperseded };
    (isSuperseded ? superseded : current).push({
      key,
      run,
      wire,
      isSuperseded,
      yCore: wire.yCore,
      chart,
      rowAt: (index) => rowOf(wire, chart, index, wireIndex?.[index] ?? index),
    });
  }
  return [...superseded, ...current];
}

function rowOf(wire: DecodedSeries, chart: ChartSeries, chartIndex: number, index: number): ValueRow {
  const wallS = wire.wall[index] ?? NaN;
  return {
    key: chart.key,
    run: wire.run,
    label: chart.label,
    color: chart.color,
    isDashed: chart.dash !== null,
    smoothed: wire.smoothed === null ? null : (wire.smoothed[index] ?? NaN),
    value: wire.value[index] ?? NaN,
    step: wire.step[index] ?? NaN,
    wallS,
    relativeS: wallS - wire.firstWallS,
    x: chart.x[chartIndex] ?? NaN,
  };
}

/** Where the bulk of all lines lies: from the lowest 5th to the highest 95th percentile. */
export function yCoreOf(series: readonly CardSeries[]): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (const { yCore } of series) {
    if (yCore === null) continue;
    low = Math.min(low, yCore[0]);
    high = Math.max(high, yCore[1]);
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
    a.every(({ key, wire, chart }, index) => {
      const other = b[index]!;
      return (
        wire === other.wire &&
        key === other.key &&
        chart.x === other.chart.x &&
        chart.label === other.chart.label &&
        chart.color === other.chart.color &&
        chart.axis === other.chart.axis &&
        chart.widthPx === other.chart.widthPx &&
        chart.isBackground === other.chart.isBackground &&
        chart.dash?.join() === other.chart.dash?.join()
      );
    })
  );
}
