// Which value of a series stands for an asked step.

/** The last value at or before the step, or the first one when all come later; the last one for null. −1: there are none. */
export function indexAtStep(steps: Float64Array, step: number | null): number {
  if (step === null) return steps.length - 1;
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! <= step) low = middle + 1;
    else high = middle;
  }
  return steps.length === 0 ? -1 : Math.max(0, low - 1);
}

/** All different steps of some series, ascending. */
export function unionOfSteps(series: readonly Float64Array[]): Float64Array {
  const all = new Set<number>();
  for (const steps of series) for (const step of steps) all.add(step);
  return Float64Array.from(all).sort();
}
