// What a whole series spans, found once per array: arrays are never changed after they were handed over, so the result
// can hang on the array itself and goes away with it.

export interface Scan {
  min: number;
  max: number;
  minPositive: number;
  notPositiveCount: number;
}

export interface SeriesStats extends Readonly<Scan> {
  /** Smallest and largest distance from zero of finite values that are not zero; Infinity and 0 without any. */
  readonly minMagnitude: number;
  readonly maxMagnitude: number;
  readonly hasNonFinite: boolean;
}

const statsByValues = new WeakMap<Float64Array, SeriesStats>();

export function statsOf(values: Float64Array): SeriesStats {
  let stats = statsByValues.get(values);
  if (!stats) {
    stats = findStats(values);
    statsByValues.set(values, stats);
  }
  return stats;
}

/** A scan that has seen nothing. */
export function emptyScan(): Scan {
  return { min: Infinity, max: -Infinity, minPositive: Infinity, notPositiveCount: 0 };
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
  if (from === 0 && to === values.length) {
    const stats = statsOf(values);
    if (stats.min >= lowLimit && stats.max <= highLimit) {
      into.min = Math.min(into.min, stats.min);
      into.max = Math.max(into.max, stats.max);
      into.minPositive = Math.min(into.minPositive, stats.minPositive);
      into.notPositiveCount += stats.notPositiveCount;
      return;
    }
  }
  let { min, max, minPositive, notPositiveCount } = into;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    // NaN and the infinities are neither within limits nor do they count.
    if (value - value !== 0 || value < lowLimit || value > highLimit) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    if (value <= 0) notPositiveCount++;
    else if (value < minPositive) minPositive = value;
  }
  into.min = min;
  into.max = max;
  into.minPositive = minPositive;
  into.notPositiveCount = notPositiveCount;
}

function findStats(values: Float64Array): SeriesStats {
  let min = Infinity;
  let max = -Infinity;
  let minPositive = Infinity;
  let notPositiveCount = 0;
  let maxNegative = -Infinity;
  let hasNonFinite = false;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value - value !== 0) {
      hasNonFinite = true;
      continue;
    }
    if (value < min) min = value;
    if (value > max) max = value;
    if (value > 0) {
      if (value < minPositive) minPositive = value;
    } else {
      notPositiveCount++;
      if (value < 0 && value > maxNegative) maxNegative = value;
    }
  }
  return {
    min,
    max,
    minPositive,
    notPositiveCount,
    minMagnitude: Math.min(minPositive, -maxNegative),
    maxMagnitude: min <= max ? Math.max(Math.abs(min), Math.abs(max)) : 0,
    hasNonFinite,
  };
}
