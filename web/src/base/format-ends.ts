// The two ends of a range as text: numbers that lie near each other need more digits than either of them alone. A file of its
// own, as format.ts is fetched before the first charts stand, and nothing there needs this.
import { formatValue } from './format';

/** What rounding may change of the distance between the ends. */
const SHARE_OF_DISTANCE = 0.1;
/** More than these nobody wants to count: then it is an exponent. */
const FARTHEST_PLAIN = 1e12;
/** That tell any two doubles apart. */
const MOST_DIGITS = 17;

/** Both to so many significant digits, or to as many more as it takes to see how far apart they are. */
export function formatEnds(low: number, high: number, significantDigits = 4): readonly [string, string] {
  if (!Number.isFinite(low) || !Number.isFinite(high))
    return [formatValue(low, significantDigits), formatValue(high, significantDigits)];
  // Two doubles may lie farther apart than doubles go.
  const scale = Number.isFinite(high - low) ? 1 : 0.25;
  const distance = Math.abs(scale * high - scale * low);
  for (let digits = significantDigits; digits <= MOST_DIGITS; digits++) {
    const ends = [formatValue(low, digits), formatValue(high, digits)] as const;
    const [shownLow, shownHigh] = [Number(ends[0]), Number(ends[1])];
    const error = Math.abs(Math.abs(scale * shownHigh - scale * shownLow) - distance);
    // Rounded up, the largest doubles are infinite.
    if (!(error <= SHARE_OF_DISTANCE * distance)) continue;
    const isPlain = digits > significantDigits && Math.max(Math.abs(low), Math.abs(high)) < FARTHEST_PLAIN;
    return isPlain ? [String(shownLow), String(shownHigh)] : ends;
  }
  return [formatValue(low, MOST_DIGITS), formatValue(high, MOST_DIGITS)];
}
