// What a whole series spans, found once per array: arrays are never changed after they were handed over, so the result
// can hang on the array itself and goes away with it.

export interface Scan {
  min: number;
  max: number;
  minPositive: number;
  maxNegative: number;
  notPositiveCount: number;
  hasNonFinite: boolean;
}

const statsByValues = new WeakMap<Float64Array, Readonly<Scan>>();

export function statsOf(values: Float64Array): Readonly<Scan> {
  let stats = statsByValues.get(values);
  if (!stats) {
    const scan = emptyScan();
    scanEach(values, 0, values.length, -Infinity, Infinity, scan);
    statsByValues.set(values, (stats = scan));
  }
  return stats;
}

/** A scan that has seen nothing. */
export function emptyScan(): Scan {
  return {
    min: Infinity,
    max: -Infinity,
    minPositive: Infinity,
    maxNegative: -Infinity,
    notPositiveCount: 0,
    hasNonFinite: false,
  };
}

/** Adds the finite values of [from, to) that lie within the limits to the scan. */
export function scanValues(
  values: Float64Array,
  from: number,
  to: number,
  lowLimit: number,
  highLimit: number,
  into: Scan,
): void {
  const stats = from === 0 && to === values.length ? statsOf(values) : null;
  if (!stats || stats.min < lowLimit || stats.max > highLimit) {
    scanEach(values, from, to, lowLimit, highLimit, into);
    return;
  }
  into.min = Math.min(into.min, stats.min);
  into.max = Math.max(into.max, stats.max);
  into.minPositive = Math.min(into.minPositive, stats.minPositive);
  into.notPositiveCount += stats.notPositiveCount;
}

function scanEach(
  values: Float64Array,
  from: number,
  to: number,
  lowLimit: number,
  highLimit: number,
  into: Scan,
): void {
  let { min, max, minPositive, maxNegative, notPositiveCount, hasNonFinite } = into;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    // NaN and the infinities are neither within limits nor do they count.
    if (value - value !== 0) hasNonFinite = true;
    else if (value >= lowLimit && value <= highLimit) {
      if (value < min) min = value;
      if (value > max) max = value;
      if (value > 0) {
        if (value < minPositive) minPositive = value;
      } else {
        notPositiveCount++;
        if (value < 0 && value > maxNegative) maxNegative = value;
      }
    }
  }
  Object.assign(into, { min, max, minPositive, maxNegative, notPositiveCount, hasNonFinite });
}
