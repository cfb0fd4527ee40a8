// Which part of data space is shown. Ranges that the user chose are taken as they are; the others are fitted to the data.
// Whatever comes in – no points, one point, a constant, infinities, 1e308 – what leaves here is finite, ascending and
// wide enough to divide by, so that nothing behind has to ask.
import { clamp, lowerBound, upperBound } from '../base/arrays';
import { transform, untransform, type ScaleKind } from '../base/scale';
import { scanValues, statsOf, emptyScan, type Scan } from './series-stats';
import type { ChartOptions, ChartSeries, Range, RightAxis } from './types';

/** More lines than this, and the raw values under the smoothed ones are only mud that takes as long again to draw. */
export const RAW_LINES_MAX = 200;

/** Room above and below the data, of what is shown. */
const Y_PADDING = 0.05;
/** "Ignore outliers" lets through what is within this share of the core's height beyond it: a clean line keeps its ends. */
const CORE_MARGIN = 0.5;
/** Ranges narrower than this, relative to their numbers, cannot be told apart from their ends. */
const LEAST_RELATIVE_SPAN = 1e-12;
const LARGEST = 1e300;
const SMALLEST = 1e-300;

/** What is shown of one y axis. */
export interface AxisFit {
  readonly range: Range;
  /** Of the symlog scale: from the smallest values there are, whatever part of them is shown, so that zooming keeps it. */
  readonly linearWidth: number;
}

export interface Fit {
  readonly x: Range;
  readonly y: Range;
  readonly linearWidth: number;
  /** The second y axis; null: there is none. */
  readonly right: AxisFit | null;
  /** Points beyond the y axis because outliers are ignored. */
  readonly clipped: { readonly above: number; readonly below: number };
  /** Points without a place on a log axis: because of their x, and of those in view because of their value. */
  readonly dropped: { readonly x: number; readonly y: number };
}

/** The meaning of one y axis: `yScale`, `yRange` and `yCore` of the options, or those of the second axis. */
type YAxis = Pick<RightAxis, 'scale' | 'range' | 'core'>;

export function isRawDrawn(series: readonly ChartSeries[]): boolean {
  return foregroundCount(series) <= RAW_LINES_MAX;
}

/** Lines that are looked at, not those behind a group. */
export function foregroundCount(series: readonly ChartSeries[]): number {
  let count = 0;
  for (const line of series) if (!line.isBackground) count++;
  return count;
}

export function fitView(series: readonly ChartSeries[], options: ChartOptions): Fit {
  const { right = null } = options;
  const x = options.xRange ? tidyRange(options.xRange, options.xScale) : fitX(series, options.xScale);
  const hasRaw = isRawDrawn(series);
  const isRight = (line: ChartSeries): boolean => line.axis === 'right';
  const ofLeft = right ? series.filter((line) => !isRight(line)) : series;
  const axis = { scale: options.yScale, range: options.yRange, core: options.yCore };
  const first = fitAxis(ofLeft, x, axis, hasRaw, options.linearWidth);
  const second = right && fitAxis(series.filter(isRight), x, right, hasRaw);
  return {
    x,
    y: first.range,
    linearWidth: first.linearWidth,
    right: second,
    clipped: {
      above: first.above + (second?.above ?? 0),
      below: first.below + (second?.below ?? 0),
    },
    dropped: {
      x: options.xScale === 'log' && !options.xRange ? countNotPositiveX(series) : 0,
      y: first.dropped + (second?.dropped ?? 0),
    },
  };
}

function fitAxis(
  series: readonly ChartSeries[],
  x: Range,
  axis: YAxis,
  hasRaw: boolean,
  givenWidth?: number,
) {
  const { scale } = axis;
  const linearWidth = scale === 'symlog' ? (givenWidth ?? symlogWidth(series)) : 1;
  const scan = scanInRange(series, x, hasRaw, scale);
  const dropped = scale === 'log' ? scan.notPositiveCount : 0;
  if (axis.range) {
    return { range: tidyRange(axis.range, scale, linearWidth), linearWidth, above: 0, below: 0, dropped };
  }
  const range = fitY(series, x, scan, axis, linearWidth, hasRaw);
  const beyond = axis.core ? countBeyond(series, x, range, scale, hasRaw) : { above: 0, below: 0 };
  return { range, linearWidth, ...beyond, dropped };
}

/** Indices [from, to) of the points to draw for this range: those inside and one neighbour on each side. */
export function indicesToDraw(x: Float64Array, [min, max]: Range): readonly [number, number] {
  return [Math.max(0, lowerBound(x, min) - 1), Math.min(x.length, upperBound(x, max) + 1)];
}

/** From the first to the last point of all lines. */
export function fitX(series: readonly ChartSeries[], kind: ScaleKind): Range {
  let min = Infinity;
  let max = -Infinity;
  for (const { x } of series) {
    const first = kind === 'log' ? upperBound(x, 0) : 0;
    if (first >= x.length) continue;
    min = Math.min(min, x[first]!);
    max = Math.max(max, x[x.length - 1]!);
  }
  return min <= max ? tidyRange([min, max], kind) : kind === 'log' ? [1, 10] : [0, 1];
}

/** Finite, ascending, and wide enough: a single value gets room around it. */
export function tidyRange(range: Range, kind: ScaleKind, linearWidth = 1): Range {
  const least = kind === 'log' ? SMALLEST : -LARGEST;
  let [min, max] = range[0] <= range[1] ? range : [range[1], range[0]];
  if (Number.isNaN(min) || Number.isNaN(max)) return kind === 'log' ? [1, 10] : [0, 1];
  if (kind === 'log' && max <= 0) return [1, 10];
  // A log axis that is asked to begin at zero shows a few decades below its end.
  if (kind === 'log' && min <= 0) min = max / 1e4;
  min = clamp(min, least, LARGEST);
  max = clamp(max, least, LARGEST);
  const magnitude = Math.max(Math.abs(min), Math.abs(max));
  const leastSpan = Math.max(
    SMALLEST,
    LEAST_RELATIVE_SPAN * (kind === 'symlog' ? Math.max(magnitude, linearWidth) : magnitude),
  );
  if (max - min > leastSpan) return [min, max];
  const middle = min + (max - min) / 2;
  if (kind === 'log') return [Math.max(SMALLEST, middle / 2), Math.min(LARGEST, middle * 2)];
  const leastRoom = kind === 'symlog' ? linearWidth : magnitude < SMALLEST * 1e6 ? 1 : 0;
  const room = Math.max(leastRoom, magnitude * 0.1);
  return [clamp(middle - room, -LARGEST, LARGEST), clamp(middle + room, -LARGEST, LARGEST)];
}

function fitY(
  series: readonly ChartSeries[],
  x: Range,
  scan: Scan,
  { scale: kind, core }: YAxis,
  linearWidth: number,
  hasRaw: boolean,
): Range {
  const lowest = kind === 'log' ? scan.minPositive : scan.min;
  if (!(lowest <= scan.max) || (kind === 'log' && scan.max <= 0)) return kind === 'log' ? [1, 10] : [0, 1];
  let range: Range = [lowest, scan.max];
  if (core) range = fitCore(series, x, range, core, kind, linearWidth, hasRaw);
  return padRange(tidyRange(range, kind, linearWidth), kind, linearWidth);
}

/** The extent of the points that are not far out of the core. */
function fitCore(
  series: readonly ChartSeries[],
  x: Range,
  drawn: Range,
  core: Range,
  kind: ScaleKind,
  linearWidth: number,
  hasRaw: boolean,
): Range {
  const low = transform(kind, kind === 'log' ? Math.max(core[0], drawn[0]) : core[0], linearWidth);
  const high = transform(kind, core[1], linearWidth);
  // No height: nearly all values are the same, and then the others are what there is to see.
  if (!(high > low)) return drawn;
  const margin = (high - low) * CORE_MARGIN;
  const lowLimit = untransform(kind, low - margin, linearWidth);
  const highLimit = untransform(kind, high + margin, linearWidth);
  if (drawn[0] >= lowLimit && drawn[1] <= highLimit) return drawn;
  const inside = scanInRange(series, x, hasRaw, kind, lowLimit, highLimit);
  return inside.min <= inside.max ? [inside.min, inside.max] : drawn;
}

function padRange([min, max]: Range, kind: ScaleKind, linearWidth: number): Range {
  const low = transform(kind, min, linearWidth);
  const high = transform(kind, max, linearWidth);
  const room = (high - low) * Y_PADDING;
  return tidyRange(
    [untransform(kind, low - room, linearWidth), untransform(kind, high + room, linearWidth)],
    kind,
    linearWidth,
  );
}

/** Everything that is drawn within the x range; the neighbours outside of it do not count. */
function scanInRange(
  series: readonly ChartSeries[],
  [xMin, xMax]: Range,
  hasRaw: boolean,
  kind: ScaleKind,
  lowLimit = -Infinity,
  highLimit = Infinity,
): Scan {
  const total = emptyScan();
  let hasBands = false;
  for (const line of series) {
    const from = lowerBound(line.x, xMin);
    const to = upperBound(line.x, xMax);
    if (to <= from) continue;
    hasBands ||= line.band !== undefined;
    const countBefore = total.notPositiveCount;
    scanValues(line.y, from, to, lowLimit, highLimit, total);
    if (!line.raw || !hasRaw || line.isBackground) continue;
    // A point is counted once: by its raw value when that is drawn.
    total.notPositiveCount = countBefore;
    scanValues(line.raw, from, to, lowLimit, highLimit, total);
  }
  if (hasBands) scanBands(series, [xMin, xMax], kind, lowLimit, highLimit, total);
  return total;
}

/**
 * A mean minus a deviation that happens to end just above zero would stretch a log axis over empty decades: bands reach at
 * most one decade below the lines. Ends of bands are no points; they are not counted.
 */
function scanBands(
  series: readonly ChartSeries[],
  [xMin, xMax]: Range,
  kind: ScaleKind,
  lowLimit: number,
  highLimit: number,
  total: Scan,
): void {
  const { notPositiveCount } = total;
  const lowest = kind === 'log' && total.minPositive < Infinity ? total.minPositive / 10 : -Infinity;
  for (const { x, band } of series) {
    if (!band) continue;
    const from = lowerBound(x, xMin);
    const to = upperBound(x, xMax);
    if (to <= from) continue;
    scanValues(band.low, from, to, Math.max(lowLimit, lowest), highLimit, total);
    scanValues(band.high, from, to, Math.max(lowLimit, lowest), highLimit, total);
  }
  total.notPositiveCount = notPositiveCount;
}

function countBeyond(
  series: readonly ChartSeries[],
  [xMin, xMax]: Range,
  [yMin, yMax]: Range,
  kind: ScaleKind,
  hasRaw: boolean,
) {
  let above = 0;
  let below = 0;
  const floor = kind === 'log' ? 0 : -Infinity;
  for (const line of series) {
    const values = hasRaw && line.raw && !line.isBackground ? line.raw : line.y;
    const stats = statsOf(values);
    if (stats.max <= yMax && stats.min >= yMin) continue;
    const to = upperBound(line.x, xMax);
    for (let i = lowerBound(line.x, xMin); i < to; i++) {
      const value = values[i]!;
      if (value > yMax && value < Infinity) above++;
      else if (value < yMin && value > floor) below++;
    }
  }
  return { above, below };
}

function countNotPositiveX(series: readonly ChartSeries[]): number {
  let count = 0;
  for (const { x } of series) count += upperBound(x, 0);
  return count;
}

function symlogWidth(series: readonly ChartSeries[]): number {
  let least = Infinity;
  let most = 0;
  for (const line of series) {
    const stats = statsOf(line.raw ?? line.y);
    least = Math.min(least, stats.minPositive, -stats.maxNegative);
    most = Math.max(most, Math.min(LARGEST, Math.max(stats.max, -stats.min)));
  }
  if (!(most > 0)) return 1;
  // Between two and six decades on each side: fewer is a linear axis, more gives all the room to values near nothing.
  return 10 ** Math.floor(Math.log10(Math.max(SMALLEST * 1e6, clamp(least, most * 1e-6, most * 1e-2))));
}
