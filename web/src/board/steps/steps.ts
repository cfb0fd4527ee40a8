// Which value of a series stands for an asked step.
import { upperBound } from '../../base/arrays';

/** The last value at or before the step, or the first one when all come later; the last one for null. −1: there are none. */
export function indexAtStep(steps: Float64Array, step: number | null): number {
  if (step === null) return steps.length - 1;
  return steps.length === 0 ? -1 : Math.max(0, upperBound(steps, step) - 1);
}

/** The value whose step is nearest, the earlier of two that are as near; of equal steps the last one. −1: there are none. */
export function indexNearStep(steps: Float64Array, step: number): number {
  const before = indexAtStep(steps, step);
  const after = before + 1;
  if (before === -1 || after >= steps.length) return before;
  return step - steps[before]! <= steps[after]! - step ? before : upperBound(steps, steps[after]!) - 1;
}

/** All different steps of some series, ascending. */
export function unionOfSteps(series: readonly Float64Array[]): Float64Array {
  if (series.length === 0) return new Float64Array(0);
  // By twos, and each course of steps once: hundreds of runs of one job have the same.
  let left: Float64Array[] = distinct(series).map((steps) => merged(steps, steps));
  while (left.length > 1) {
    const next: Float64Array[] = [];
    for (let i = 0; i < left.length; i += 2) {
      next.push(i + 1 < left.length ? merged(left[i]!, left[i + 1]!) : left[i]!);
    }
    left = next;
  }
  return left[0]!;
}

/** Of steps with the same ends; those that differ in the middle alone are rare. */
const MOST_COMPARED = 8;

/** Without those that equal an earlier one, but for some of those that are much alike. */
function distinct(series: readonly Float64Array[]): Float64Array[] {
  const found = new Map<string, Float64Array[]>();
  for (const steps of series) {
    const look = `${steps.length} ${steps[0]} ${steps.at(-1)}`;
    const alike = found.get(look);
    if (alike === undefined) found.set(look, [steps]);
    else if (!alike.slice(0, MOST_COMPARED).some((one) => areEqual(one, steps))) alike.push(steps);
  }
  return [...found.values()].flat();
}

function areEqual(one: Float64Array, other: Float64Array): boolean {
  return one.every((step, i) => step === other[i]);
}

/** Both ascending; each step once. */
function merged(one: Float64Array, other: Float64Array): Float64Array {
  const all = new Float64Array(one.length + other.length);
  let count = 0;
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    const isOne = j >= other.length || (i < one.length && one[i]! <= other[j]!);
    const step = isOne ? one[i++]! : other[j++]!;
    if (count === 0 || all[count - 1]! < step) all[count++] = step;
  }
  return all.slice(0, count);
}
