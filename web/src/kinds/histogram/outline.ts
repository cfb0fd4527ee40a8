// A histogram as a line: how densely its values lie, by the true width of each bucket on the axis, so that unequal buckets do not
// lie. The area below the line is 1. Buckets narrower than a pixel are joined with their neighbours, which keeps their area; a
// bucket without a width (all values are equal) is a bar of that width.
import type { Range } from '../../chart/types';
import type { DecodedHistograms } from '../../wire/histogram-frame';
import { coordinateOf, type ValueAxis } from './value-axis';

export interface Outline {
  /** Coordinates of the axis, never falling: two points at each edge. */
  readonly x: Float64Array;
  readonly density: Float64Array;
  readonly highest: number;
}

/** Of what is shown of the axis: as wide as a pixel or two. */
const NARROWEST = 1 / 320;

/** null: the histogram holds nothing, or nothing that has a place on an axis. */
export function outlineOf(
  { left, right, counts, offsets }: DecodedHistograms,
  index: number,
  axis: ValueAxis,
  shown: Range,
): Outline | null {
  const narrowest = (shown[1] - shown[0]) * NARROWEST;
  const cells = new Cells(narrowest);
  let total = 0;
  for (let i = offsets[index]!; i < offsets[index + 1]!; i++) {
    const count = counts[i]!;
    if (!(count > 0) || !Number.isFinite(count)) continue;
    total += count;
    const low = coordinateOf(axis, Math.min(left[i]!, right[i]!));
    const high = coordinateOf(axis, Math.max(left[i]!, right[i]!));
    if (Number.isFinite(high - low)) cells.add(low, high, count);
  }
  return cells.outline(total);
}

/** Stretches of the axis with what is in them, from left to right. */
class Cells {
  readonly #narrowest: number;
  readonly #x: number[] = [];
  readonly #density: number[] = [];
  #highest = 0;
  /** What is not wide enough yet. */
  #begin = 0;
  #end = 0;
  #count = 0;

  constructor(narrowest: number) {
    this.#narrowest = narrowest;
  }

  add(low: number, high: number, count: number): void {
    const isApart = low - this.#end > this.#narrowest;
    if (this.#count > 0 && (isApart || this.#end - this.#begin >= this.#narrowest)) this.#close();
    if (this.#count === 0) this.#begin = Math.max(low, this.#x.at(-1) ?? low);
    this.#end = Math.max(high, this.#begin);
    this.#count += count;
  }

  outline(total: number): Outline | null {
    if (this.#count > 0) this.#close();
    if (this.#x.length === 0) return null;
    this.#point(this.#x.at(-1)!, 0);
    const density = Float64Array.from(this.#density, (one) => one / total);
    return { x: Float64Array.from(this.#x), density, highest: this.#highest / total };
  }

  #close(): void {
    const missing = Math.max(0, this.#narrowest - (this.#end - this.#begin));
    const last = this.#x.at(-1) ?? -Infinity;
    const begin = Math.max(last, this.#begin - missing / 2);
    const end = Math.max(begin + this.#narrowest / 2, this.#end + missing / 2);
    const density = this.#count / (end - begin);
    if (begin > last) {
      if (this.#x.length > 0) this.#point(last, 0);
      this.#point(begin, 0);
    }
    this.#point(begin, density);
    this.#point(end, density);
    this.#highest = Math.max(this.#highest, density);
    this.#count = 0;
    this.#begin = this.#end = end;
  }

  #point(x: number, density: number): void {
    this.#x.push(x);
    this.#density.push(density);
  }
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
  for (let i = 0; i + 1 < x.length; i++)
    if (coordinate >= x[i]! && coordinate < x[i + 1]!) return density[i + 1]!;
  return 0;
}
