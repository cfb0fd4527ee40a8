// A value that was chosen on a tile itself, whatever step all are asked for.
import { indexAtStep } from './steps';

/** The index tells values of one step apart; it counts for as long as it leads to the step. Infinity: the last value. */
export interface OwnStep {
  readonly step: number;
  readonly index: number;
}

export function ownStepAt(steps: Float64Array, index: number): OwnStep {
  const isLast = index >= steps.length - 1;
  return { step: isLast ? Infinity : steps[Math.max(0, index)]!, index };
}

/** Where it is now: values may have come before it. −1: the series is empty. */
export function indexOfOwn(steps: Float64Array, { step, index }: OwnStep): number {
  return steps[index] === step ? index : indexAtStep(steps, step);
}
