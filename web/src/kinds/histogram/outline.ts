// A histogram as a line: how densely its values lie, by the true width of each bucket on the axis, so that unequal buckets do not
// lie. The area below the line is 1. The axis is cut into even cells, a few pixels wide; each has its part of every bucket that
// reaches into it, and a bucket without a width (all values are equal) is in one cell.
import type { Range } from '../../chart/types';
import type { DecodedHistograms } from '../../wire/histogram-frame';
import { coordinateOf, type ValueAxis } from './value-axis';

export interface Outline {
  /** Coordinates of the axis: the middles of the cells. */
  readonly x: Float64Array;
  readonly density: Float64Array;
  readonly highest: number;
}

/** In `cells` pieces of what is shown of the axis. null: the histogram holds nothing, or nothing of it is there. */
export function outlineOf(
  { left, right, counts, offsets }: DecodedHistograms,
  index: number,
  axis: ValueAxis,
  { shown, cells }: { readonly shown: Range; readonly cells: number },
): Outline | null {
  const width = (shown[1] - shown[0]) / cells;
  // One more on each side: lines leave the plot where the histogram goes on.
  const first = shown[0] - width;
  const held = new Float64Array(cells + 2);
  let total = 0;
  for (let i = offsets[index]!; i < offsets[index + 1]!; i++) {
    const count = counts[i]!;
    if (!(count > 0) || !Number.isFinite(count)) continue;
    total += count;
    if (!Number.isFinite(left[i]! / 2 - right[i]! / 2)) continue;
    const low = (coordinateOf(axis, Math.min(left[i]!, right[i]!)) - first) / width;
    const high = (coordinateOf(axis, Math.max(left[i]!, right[i]!)) - first) / width;
    share(held, low, high, count);
  }
  return line(held, { first, width, total });
}

/** `low` and `high` are in cells. */
function share(held: Float64Array, low: number, high: number, count: number): void {
  const from = Math.max(0, Math.floor(low));
  const to = Math.min(held.length - 1, Math.floor(high));
  if (low === high) {
    if (from <= to) held[from]! += count;
    return;
  }
  for (let cell = from; cell <= to; cell++) {
    const part = Math.min(high, cell + 1) - Math.max(low, cell);
    if (part > 0) held[cell]! += (count * part) / (high - low);
  }
}

function line(
  held: Float64Array,
  { first, width, total }: { readonly first: number; readonly width: number; readonly total: number },
): Outline | null {
  const from = held.findIndex((count) => count > 0);
  if (from === -1) return null;
  const to = held.findLastIndex((count) => count > 0);
  // Down to 0 at both ends.
  const count = to - from + 3;
  const x = Float64Array.from({ length: count }, (_, i) => first + (from + i - 0.5) * width);
  const density = Float64Array.from({ length: count }, (_, i) => (held[from + i - 1] ?? 0) / (total * width));
  return { x, density, highest: density.reduce((most, one) => Math.max(most, one), 0) };
}

/** How high a density is drawn, as a share of the highest: linear, or by its logarithm over four decades. */
export function heightOf(density: number, highest: number, isLog: boolean): number {
  if (!(density > 0)) return 0;
  const share = density / highest;
  return isLog ? Math.max(0, 1 + Math.log10(share) / LOG_DECADES) : share;
}

const LOG_DECADES = 4;

/** The density at a coordinate; 0 beside the histogram. */
export function densityAt({ x, density }: Outline, coordinate: number): number {
  const width = x[1]! - x[0]!;
  return density[Math.round((coordinate - x[0]!) / width)] ?? 0;
}
