// Searching and scanning long typed arrays. Nothing here spreads an array into arguments (`Math.min(...values)` overflows
// the stack on long series) and nothing copies one. All ranges of indices are half open: [from, to).

/** Anything with numbers at indices; searching works on typed and on plain arrays. */
export interface NumberList {
  readonly length: number;
  readonly [index: number]: number;
}

/** First index in [from, to) of the ascending `values` whose value is not below `target`; `to` when there is none. */
export function lowerBound(values: NumberList, target: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index in [from, to) of the ascending `values` whose value is above `target`; `to` when there is none. */
export function upperBound(values: NumberList, target: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= target) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the value nearest to `target` in the ascending `values` (the first of equals); -1 when there are none. */
export function nearestIndex(values: NumberList, target: number): number {
  const count = values.length;
  if (count === 0) return -1;
  const after = lowerBound(values, target);
  if (after === 0) return 0;
  if (after < count && values[after]! - target < target - values[after - 1]!) return after;
  return lowerBound(values, values[after - 1]!, 0, after);
}

/** `value`, or the nearer of the two limits when it lies outside of them. */
export function clamp(value: number, min: number, max: number): number {
  return value < min ? min : value > max ? max : value;
}
