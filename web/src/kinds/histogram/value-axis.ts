// The axis that the values of histograms lie on. Linear, or a symmetric logarithm, which shows what is near 0 and what is far away.
// Plots whose x axis it is draw in its coordinates, on which equal areas are equal numbers of values.
import { formatValue } from '../../base/format';
import { formatEnds } from '../../base/format-ends';
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

/** Of what all histograms span, the least that is linear. */
const LEAST_LINEAR_PART = 1e-9;
/** Histograms with smaller values than most have not their own. */
const LINEAR_SHARE = 0.1;

/** On which all values of these histograms lie, and one that all have in common has room around it. */
export function axisOf(all: readonly DecodedHistograms[], isSymlog: boolean): ValueAxis {
  let low = Infinity;
  let high = -Infinity;
  const sizes: number[] = [];
  for (const histograms of all) {
    for (let i = 0; i + 1 < histograms.offsets.length; i++) {
      const extent = extentOf(histograms, i);
      if (extent === null) continue;
      low = Math.min(low, extent[0]);
      high = Math.max(high, extent[1]);
      if (isSymlog) sizes.push(usualSize(histograms, i, extent));
    }
  }
  if (!(low <= high)) [low, high] = [0, 0];
  if (low === high) {
    const room = Math.abs(low) / 2 || 0.5;
    [low, high] = [low - room, low + room];
  }
  return { low, high, linearWidth: isSymlog ? linearWidthOf(sizes, high - low) : 0 };
}

/** Of a symmetric logarithm for values that are usually of these sizes at single steps, and span `span` at all of them. */
function linearWidthOf(sizes: readonly number[], span: number): number {
  const sorted = sizes.filter((size) => size > 0 && size < Infinity).sort((one, other) => one - other);
  const size = sorted[Math.floor(sorted.length * LINEAR_SHARE)] ?? span;
  return Math.max(size, span * LEAST_LINEAR_PART);
}

/** The median of the distances from 0, but for the bucket around it, which says nothing about them. */
function usualSize(
  { left, right, counts, offsets }: DecodedHistograms,
  index: number,
  extent: Range,
): number {
  const sizes: { readonly size: number; readonly count: number }[] = [];
  let total = 0;
  for (let i = offsets[index]!; i < offsets[index + 1]!; i++) {
    const [one, other, count] = [within(left[i]!), within(right[i]!), counts[i]!];
    if (!(count > 0) || Math.min(one, other) <= 0 === Math.max(one, other) >= 0) continue;
    total += count;
    sizes.push({ size: Math.abs(one / 2 + other / 2), count });
  }
  sizes.sort((one, other) => one.size - other.size);
  let passed = 0;
  const median = sizes.find(({ count }) => (passed += count) >= total / 2);
  return median?.size ?? (extent[1] - extent[0]) / 6;
}

/** Of the buckets of a histogram that hold something and have ends. null: there are none. */
export function extentOf({ left, right, counts, offsets }: DecodedHistograms, index: number): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = offsets[index]!; i < offsets[index + 1]!; i++) {
    if (!(counts[i]! > 0)) continue;
    if (!Number.isFinite(left[i]! / 2 - right[i]! / 2)) continue;
    low = Math.min(low, within(left[i]!), within(right[i]!));
    high = Math.max(high, within(left[i]!), within(right[i]!));
  }
  return low <= high ? [low, high] : null;
}

export function rangeText(low: number, high: number, significantDigits?: number): string {
  return low === high
    ? formatValue(low, significantDigits)
    : formatEnds(low, high, significantDigits).join(' to ');
}
