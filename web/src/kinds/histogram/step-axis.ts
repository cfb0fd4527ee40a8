// Where the steps of a series lie on the axis that the view has chosen: steps, seconds since the first, or times.
import { linearTicks, type Ticks } from '../../base/ticks';
import { relativeTicks, wallTicks } from '../../base/time-ticks';
import type { Range, TickMaker } from '../../chart/types';
import type { XAxis } from '../../wire/client';

export const STEP_AXES = { step: 'Step', relative: 'Relative', wall: 'Wall time' } as const;
export type StepAxis = keyof typeof STEP_AXES;

/** Histograms know no other: over a metric or active time they stand at their steps. */
export function stepAxisOf(xAxis: XAxis): StepAxis {
  return xAxis === 'relative' || xAxis === 'wall' ? xAxis : 'step';
}

/** Never falling: clocks are set back, lines are not. */
export function placesOf(axis: StepAxis, steps: Float64Array, wallS: Float64Array): Float64Array {
  if (axis === 'step') return steps;
  const first = axis === 'relative' ? (wallS[0] ?? 0) : 0;
  let last = -Infinity;
  return wallS.map((time) => (last = Math.max(last, time - first)));
}

/** The first and the last; a single one has room around it. */
export function extentOf(places: Float64Array): Range {
  const first = places[0] ?? 0;
  const last = places.at(-1) ?? first;
  return first < last ? [first, last] : [first - 0.5, first + 0.5];
}

const TICKS: Readonly<Record<StepAxis, TickMaker>> = {
  step: (range, count) => linearTicks(range, count, 'step'),
  relative: relativeTicks,
  wall: wallTicks,
};

/** Ticks of an axis whose numbers are the places negated, since the newest stands at the bottom; none where there are no steps. */
export function downwardTicks(axis: StepAxis, [first, last]: Range): TickMaker {
  const isPlace = (value: number): boolean => value >= first && value <= last;
  return ([low, high], maxCount): Ticks => {
    const { major, minor } = TICKS[axis]([-high, -low], maxCount);
    return {
      major: major.filter(({ value }) => isPlace(value)).map((tick) => ({ ...tick, value: -tick.value })),
      minor: minor.filter(isPlace).map((value) => -value),
    };
  };
}
