// One logged curve as a line: precision over recall, or the two rates of a ROC curve, and what was counted at a threshold.
import type { Range } from '../../chart/types';
import type { DecodedPrCurves } from '../../wire/pr-curve-frame';
import type { Shape } from './pr-curve-settings';

export interface Curve {
  /** Never falling. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Of each point; NaN for the ends of a ROC curve, beyond all thresholds. */
  readonly threshold: Float64Array;
  /** Had to be put in order: these are not counts of one set of examples. */
  readonly isFolded: boolean;
}

/** What was counted where scores of a threshold and above it are predicted. NaN: there is no such number. */
export interface Counts {
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
  readonly falseRate: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

export function curveOf(values: DecodedPrCurves, index: number, shape: Shape): Curve {
  const points: Point[] = [];
  const count = thresholdCount(values, index);
  const isCounted = hasCounts(values, index);
  if (!isCounted && !isLogged(values, index)) return NOTHING;
  if (shape === 'roc') points.push({ x: 0, y: 0, threshold: NaN });
  for (let place = count - 1; place >= 0; place--) {
    const at = countsAt(values, index, place, isCounted);
    if (shape === 'roc') points.push({ x: at.falseRate, y: at.recall, threshold: at.threshold });
    // Above all scores nothing is predicted, and there is no precision.
    else if (!isCounted || at.truePositives + at.falsePositives > 0)
      points.push({ x: at.recall, y: at.precision, threshold: at.threshold });
  }
  if (shape === 'roc') points.push({ x: 1, y: 1, threshold: NaN });
  const finite = points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  const falls = (of: (point: Point) => number): boolean =>
    finite.some((point, i) => i > 0 && of(point) < of(finite[i - 1]!) - ROUNDING);
  const isFolded = falls(({ x }) => x) || (shape === 'roc' && falls(({ y }) => y));
  const inOrder = finite.sort((a, b) => a.x - b.x);
  const hasOwn = inOrder.some(({ threshold }) => !Number.isNaN(threshold));
  const shown = hasOwn ? inOrder : [];
  return {
    x: Float64Array.from(shown, ({ x }) => x),
    y: Float64Array.from(shown, ({ y }) => y),
    threshold: Float64Array.from(shown, ({ threshold }) => threshold),
    isFolded,
  };
}

/**
 * Where the line of a curve ends and begins anew. One whose points all lie in one place – every prediction is the same – is no
 * line that anybody sees: its last point stands alone then, and is a dot.
 */
export function breaksOf({ x, y }: Curve): readonly number[] {
  return spanOf(x) < SMALLEST_SEEN && spanOf(y) < SMALLEST_SEEN ? [x.length - 1] : [];
}

/** Of the plot: a dot is larger. */
const SMALLEST_SEEN = 0.005;

function rangeOf(numbers: Float64Array): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const one of numbers) [low, high] = [Math.min(low, one), Math.max(high, one)];
  return [low, high];
}

function spanOf(numbers: Float64Array): number {
  const [low, high] = rangeOf(numbers);
  return high - low;
}

const NOTHING: Curve = {
  x: new Float64Array(0),
  y: new Float64Array(0),
  threshold: new Float64Array(0),
  isFolded: false,
};

interface Point {
  readonly x: number;
  readonly y: number;
  readonly threshold: number;
}

/** Of numbers with 32 bits. */
const ROUNDING = 1e-6;

/**
 * Of sums of counts. Loggers write two parts of the same total, each rounded to 32 bits: 1e-7 of it. Those that add up weights
 * with 32 bits lose more, the more examples there are.
 */
const ROUNDING_OF_COUNTS = 1e-3;

export function thresholdCount({ offsets }: DecodedPrCurves, index: number): number {
  return offsets[index + 1]! - offsets[index]!;
}

/** Which of its thresholds is nearest to one that may be another curve's; −1: it has none. */
export function placeNear(values: DecodedPrCurves, index: number, threshold: number): number {
  const count = thresholdCount(values, index);
  return Math.min(count - 1, Math.round(threshold * (count - 1)));
}

/** 0 where there is only one. */
export function thresholdAt(values: DecodedPrCurves, index: number, place: number): number {
  return place / Math.max(1, thresholdCount(values, index) - 1);
}

export function countsAt(
  values: DecodedPrCurves,
  index: number,
  place: number,
  isCounted = hasCounts(values, index),
): Counts {
  const at = values.offsets[index]! + place;
  const [truePositives, falsePositives] = [values.truePositives[at]!, values.falsePositives[at]!];
  const [trueNegatives, falseNegatives] = [values.trueNegatives[at]!, values.falseNegatives[at]!];
  const positives = truePositives + falseNegatives;
  const isPredicted = truePositives + falsePositives > 0;
  return {
    threshold: thresholdAt(values, index, place),
    precision: !isCounted || isPredicted ? values.precision[at]! : NaN,
    recall: !isCounted || positives > 0 ? values.recall[at]! : NaN,
    falseRate: falsePositives / (falsePositives + trueNegatives),
    truePositives,
    falsePositives,
    trueNegatives,
    falseNegatives,
  };
}

/** Some are logged with precision and recall alone. */
export function hasCounts(values: DecodedPrCurves, index: number): boolean {
  return countColumns(values, index).some((column) => column.some((one) => one !== 0));
}

/** Counts or not: there is a share above 0. */
function isLogged(values: DecodedPrCurves, index: number): boolean {
  return shareColumns(values, index).some((column) => column.some((one) => one > 0));
}

function shareColumns(values: DecodedPrCurves, index: number): Float64Array[] {
  return [values.precision, values.recall].map((column) => part(values, index, column));
}

function countColumns(values: DecodedPrCurves, index: number): Float64Array[] {
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = values;
  return [truePositives, falsePositives, trueNegatives, falseNegatives].map((column) =>
    part(values, index, column),
  );
}

function part({ offsets }: DecodedPrCurves, index: number, column: Float64Array): Float64Array {
  return column.subarray(offsets[index], offsets[index + 1]);
}

/** What is odd about a value, in a sentence; null: nothing is. */
export function oddityOf(values: DecodedPrCurves, index: number, curve: Curve, shape: Shape): string | null {
  if (values.state[index] === 2) return 'The file is gone or was replaced';
  if (values.state[index] !== 0 || thresholdCount(values, index) === 0)
    return 'Damaged: this value cannot be read';
  if (!hasCounts(values, index)) {
    if (!isLogged(values, index)) return 'Nothing was counted';
    return shape === 'roc' ? 'Logged without counts, so there is no ROC curve' : 'Logged without counts';
  }
  const isHoled = [...countColumns(values, index), ...shareColumns(values, index)].some(
    (column) => !column.every(Number.isFinite),
  );
  if (isHoled)
    return curve.x.length > 0 ? 'Some of its numbers are NaN, and left out' : 'Its numbers are NaN';
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = countsAt(values, index, 0);
  if (truePositives + falseNegatives === 0) return 'No positive examples, so there is no recall';
  if (falsePositives + trueNegatives === 0)
    return shape === 'roc'
      ? 'No negative examples, so there is no false positive rate'
      : 'No negative examples: precision is 1 everywhere';
  return curve.isFolded || !countsSameExamples(values, index)
    ? 'Its thresholds did not count the same examples'
    : null;
}

/** As many positive and negative ones at each threshold. */
function countsSameExamples(values: DecodedPrCurves, index: number): boolean {
  const [tp, fp, tn, fn] = countColumns(values, index);
  return isSteady(tp!, fn!) && isSteady(fp!, tn!);
}

/** The sum is the same everywhere, but for the rounding of its parts. */
function isSteady(one: Float64Array, other: Float64Array): boolean {
  const [low, high] = rangeOf(one.map((count, i) => count + other[i]!));
  return high - low <= ROUNDING_OF_COUNTS * high;
}
