// The axis that the values of histograms lie on. Linear, or a symmetric logarithm, which shows what is near 0 and what is far away.
// Plots whose x axis it is draw in its coordinates, on which equal areas are equal numbers of values.
import { formatValue } from '../../base/format';
import { symlogTicks } from '../../base/log-ticks';
import { transform, untransform } from '../../base/scale';
import { linearTicks, type Ticks } from '../../base/ticks';
import type { Range, TickMaker } from '../../chart/types';
import type { DecodedHistograms } from '../../wire/histogram-frame';

export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  /** Of the part near 0 that is linear; 0: all of it. */
  readonly linearWidth: number;
}

/** Outer buckets may end where doubles do: what is between such ends must be a number, too. */
const FARTHEST = 2 ** 1022;
const within = (value: number): number => Math.max(-FARTHEST, Math.min(FARTHEST, value));

export function coordinateOf({ linearWidth }: ValueAxis, value: number): number {
  return linearWidth > 0 ? transform('symlog', within(value), linearWidth) : within(value);
}

export function valueAt({ linearWidth }: ValueAxis, coordinate: number): number {
  return linearWidth > 0 ? untransform('symlog', coordinate, linearWidth) : coordinate;
}

export function coordinates(axis: ValueAxis): Range {
  return [coordinateOf(axis, axis.low), coordinateOf(axis, axis.high)];
}

/** Ticks at round values for an axis of coordinates. */
export function valueTicks(axis: ValueAxis): TickMaker {
  return (range, maxCount): Ticks => {
    if (axis.linearWidth === 0) return linearTicks(range, maxCount);
    const values = [valueAt(axis, range[0]), valueAt(axis, range[1])] as const;
    const ticks = symlogTicks(values, maxCount, axis.linearWidth);
    return {
      major: ticks.major.map((tick) => ({ ...tick, value: coordinateOf(axis, tick.value) })),
      minor: ticks.minor.map((value) => coordinateOf(axis, value)),
    };
  };
}

/** What values spread over next to the narrowest that are still seen on a symmetric logarithm. */
const LEAST_LINEAR_PART = 1e-9;
const LINEAR_SHARE = 0.1;

/** On which all values of these histograms lie, and one that all have in common has room around it. */
export function axisOf(all: readonly DecodedHistograms[], isSymlog: boolean): ValueAxis {
  let low = Infinity;
  let high = -Infinity;
  const spreads: number[] = [];
  for (const { left, right, counts, offsets } of all) {
    for (let i = 0; i + 1 < offsets.length; i++) {
      const extent = extentOf(left, right, counts, offsets[i]!, offsets[i + 1]!);
      if (extent === null) continue;
      low = Math.min(low, extent[0]);
      high = Math.max(high, extent[1]);
      if (extent[1] > extent[0]) spreads.push((extent[1] - extent[0]) / 6);
    }
  }
  if (!(low <= high)) [low, high] = [0, 0];
  if (low === high) {
    const room = Math.abs(low) / 2 || 0.5;
    [low, high] = [low - room, low + room];
  }
  return { low, high, linearWidth: isSymlog ? linearWidthOf(spreads, high - low) : 0 };
}

/** Of a symmetric logarithm for values that spread so much at single steps, and over `span` at all of them. */
export function linearWidthOf(spreads: readonly number[], span: number): number {
  const sorted = spreads.filter((spread) => spread > 0).sort((one, other) => one - other);
  const spread = sorted[Math.floor(sorted.length * LINEAR_SHARE)] ?? span;
  return Math.max(spread, span * LEAST_LINEAR_PART);
}

/** Of the buckets that hold something and have ends. */
function extentOf(
  left: Float64Array,
  right: Float64Array,
  counts: Float64Array,
  from: number,
  to: number,
): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = from; i < to; i++) {
    if (!(counts[i]! > 0)) continue;
    if (!Number.isFinite(left[i]! / 2 - right[i]! / 2)) continue;
    low = Math.min(low, within(left[i]!), within(right[i]!));
    high = Math.max(high, within(left[i]!), within(right[i]!));
  }
  return low <= high ? [low, high] : null;
}

export function rangeText(low: number, high: number): string {
  return low === high ? formatValue(low) : `${formatValue(low)} to ${formatValue(high)}`;
}
