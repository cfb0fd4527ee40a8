// Where an axis is labelled, and with what. The rule that shapes everything here: no two labels of one axis read the same
// (tensorboard#3273 showed "0.98 0.98 0.98" on a narrow range), so the number of digits follows from the distance between
// ticks, never from a fixed precision. Times on a wall-clock axis need the date only where it changes; it is a second
// line, `context`, and label + last context are what differ.
import { formatCompact, formatInteger, tidyExponent } from './format';

export interface Tick {
  readonly value: number;
  readonly label: string;
  /** Second line below the label, from here on to the next one that has it; null: none or unchanged. */
  readonly context: string | null;
}

export interface Ticks {
  readonly major: readonly Tick[];
  /** Places for unlabelled marks between the major ones. */
  readonly minor: readonly number[];
}

/** What the numbers of an axis are: their notation follows. */
export type Quantity = 'value' | 'step';

type Range = readonly [number, number];

/** `decimals` is the power of ten of the step, negated: 0.02 → 2, 500 → -2. */
interface NiceStep {
  readonly mantissa: number;
  readonly decimals: number;
}

/** The smallest of 1, 2, 5 × 10^k that is not below `step`. */
export function niceStep(step: number): NiceStep {
  const power = Math.floor(Math.log10(step));
  const mantissa = step / 10 ** power;
  // A hair of tolerance: 0.1 / 0.1 must not become 2 because of rounding.
  for (const nice of [1, 2, 5])
    if (mantissa <= nice * (1 + 1e-9)) return { mantissa: nice, decimals: -power };
  return { mantissa: 1, decimals: -power - 1 };
}

/** At most about `maxCount` ticks at round numbers. Steps of a run are whole: their ticks are at least 1 apart. */
export function linearTicks(range: Range, maxCount: number, quantity: Quantity = 'value'): Ticks {
  const [min, max] = range;
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return { major: [], minor: [] };
  let step = niceStep(span / Math.max(1, maxCount));
  let values = multiplesWithin(range, step);
  // Few ticks may miss a range altogether; one alone says nothing about distances.
  for (let finer = maxCount * 2; values.length < 2 && finer <= maxCount * 4; finer *= 2) {
    step = niceStep(span / Math.max(1, finer));
    values = multiplesWithin(range, step);
  }
  if (quantity === 'step' && step.decimals > 0) {
    step = { mantissa: 1, decimals: 0 };
    values = multiplesWithin(range, step);
  }
  const labels = quantity === 'step' ? stepLabels(values, step) : valueLabels(values, step.decimals);
  return { major: values.map((value, i) => ({ value, label: labels[i]!, context: null })), minor: [] };
}

/** All multiples of a nice step within the range, without the rounding noise of adding up. */
export function multiplesWithin([min, max]: Range, { mantissa, decimals }: NiceStep): number[] {
  const scale = 10 ** Math.abs(decimals);
  const valueAt = (index: number): number =>
    decimals >= 0 ? (index * mantissa) / scale : index * mantissa * scale;
  const step = valueAt(1);
  const values: number[] = [];
  const from = Math.ceil(min / step - 1e-9);
  const to = Math.floor(max / step + 1e-9);
  for (let index = from; index <= to; index++) {
    const value = valueAt(index);
    if (value >= min && value <= max) values.push(value === 0 ? 0 : value);
  }
  return values;
}

/** Labels with the digits that the distance needs, plain or with exponents, whichever is easier to read. */
function valueLabels(values: readonly number[], decimals: number): string[] {
  const plain = values.map((value) => value.toFixed(Math.min(100, Math.max(0, decimals))));
  const longest = (labels: readonly string[]): number =>
    labels.reduce((most, label) => Math.max(most, label.length), 0);
  if (longest(plain) <= EASY_LENGTH) return plain.map(withMinus);
  const scientific = values.map((value) => exponentLabel(value, decimals));
  return (longest(plain) <= longest(scientific) ? plain : scientific).map(withMinus);
}

/** As many characters as are read at a glance: 123456.7, -0.00012. */
const EASY_LENGTH = 8;

function exponentLabel(value: number, decimals: number): string {
  if (value === 0) return '0';
  const digits = Math.floor(Math.log10(Math.abs(value))) + decimals;
  return tidyExponent(value.toExponential(Math.min(100, Math.max(0, digits))));
}

function stepLabels(values: readonly number[], { decimals }: NiceStep): string[] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // 12.34k is still easier than 12,340; 12.345k is not.
  const digits = Math.floor(Math.log10(Math.max(largest, 1))) + decimals + 1;
  const unitDigits = Math.floor(Math.log10(Math.max(largest, 1))) % 3;
  const isCompact = largest >= 1000 && digits - 1 - unitDigits <= 2;
  return values.map((value) =>
    withMinus(isCompact ? formatCompact(value, Math.max(1, digits)) : formatInteger(value)),
  );
}

/** The minus sign has the width of a plus; a hyphen is too short to be seen at this size. */
export function withMinus(label: string): string {
  return label.startsWith('-') ? `−${label.slice(1)}` : label;
}
