// A histogram as a line: how densely its values lie, by the true width of each bucket on the axis, so that unequal buckets do not
// lie. The area below the line is 1. What the histogram spans is cut into even cells; each has its part of every bucket that
// reaches into it, so a histogram is as high beside wide ones as it is alone.
import type { Range } from '../../chart/types';
import type { DecodedHistograms } from '../../wire/histogram-frame';
import { coordinateOf, extentOf, type ValueAxis } from './value-axis';

export interface Outline {
  /** Coordinates of the axis: the middles of the cells. */
  readonly x: Float64Array;
  readonly density: Float64Array;
  readonly highest: number;
}

/** In `cells` pieces of what is shown of it. null: the histogram holds nothing, or nothing of it is there. */
export function outlineOf(
  histograms: DecodedHistograms,
  index: number,
  axis: ValueAxis,
  { shown, cells }: { readonly shown: Range; readonly cells: number },
): Outline | null {
  const { left, right, counts, offsets } = histograms;
  const extent = extentOf(histograms, index);
  if (extent === null) return null;
  // A little more on each side: lines leave the plot where the histogram goes on.
  const margin = (shown[1] - shown[0]) / cells;
  const from = Math.max(coordinateOf(axis, extent[0]), shown[0] - margin);
  const to = Math.min(coordinateOf(axis, extent[1]), shown[1] + margin);
  if (from > to) return null;
  // All values are equal: as wide as a cell of the plot, since nothing narrower can be seen.
  const [first, width, count] =
    from < to ? [from, (to - from) / cells, cells] : [from - margin / 2, margin, 1];
  const held = new Float64Array(count);
  let total = 0;
  for (let i = offsets[index]!; i < offsets[index + 1]!; i++) {
    const inBucket = counts[i]!;
    if (!(inBucket > 0) || !Number.isFinite(inBucket)) continue;
    total += inBucket;
    if (!Number.isFinite(left[i]! / 2 - right[i]! / 2)) continue;
    const low = (coordinateOf(axis, Math.min(left[i]!, right[i]!)) - first) / width;
    const high = (coordinateOf(axis, Math.max(left[i]!, right[i]!)) - first) / width;
    share(held, low, high, inBucket);
  }
  return line(held, { first, width, total });
}

/** What is less of a cell or a bucket comes from rounding. */
const LEAST_PART = 1e-9;

/** `low` and `high` are in cells. */
function share(held: Float64Array, low: number, high: number, count: number): void {
  const from = Math.max(0, Math.floor(low));
  const to = Math.min(held.length - 1, Math.floor(high));
  if (low === high) {
    // The last cell holds its upper edge, too.
    const cell = Math.min(from, held.length - 1);
    if (low >= 0 && low <= held.length) held[cell]! += count;
    return;
  }
  for (let cell = from; cell <= to; cell++) {
    const part = Math.min(high, cell + 1) - Math.max(low, cell);
    if (part > LEAST_PART * Math.min(1, high - low)) held[cell]! += (count * part) / (high - low);
  }
}

function line(
  held: Float64Array,
  { first, width, total }: { readonly first: number; readonly width: number; readonly total: number },
): Outline | null {
  if (!held.some((count) => count > 0)) return null;
  // Down to 0 at both ends.
  const count = held.length + 2;
  const x = Float64Array.from({ length: count }, (_, i) => first + (i - 0.5) * width);
  const density = Float64Array.from({ length: count }, (_, i) => (held[i - 1] ?? 0) / (total * width));
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
