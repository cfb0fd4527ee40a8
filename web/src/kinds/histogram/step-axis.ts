// Where the steps of a series lie on the axis that the view has chosen: steps, seconds since the first, or times.
import { linearTicks, type Ticks } from '../../base/ticks';
import { relativeTicks, wallTicks } from '../../base/time-ticks';
import type { Range, TickMaker } from '../../chart/types';
import type { XAxis } from '../../wire/client';

export type StepAxis = 'step' | 'relative' | 'wall';

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

/** Ticks of an axis whose numbers are the places negated: the newest stands at the bottom. */
export const DOWNWARD_TICKS: Readonly<Record<StepAxis, TickMaker>> = {
  step: downward((range, count) => linearTicks(range, count, 'step')),
  relative: downward(relativeTicks),
  wall: downward(wallTicks),
};

function downward(ticks: TickMaker): TickMaker {
  return ([low, high], maxCount): Ticks => {
    const { major, minor } = ticks([-high, -low], maxCount);
    return {
      major: major.map((tick) => ({ ...tick, value: -tick.value })),
      minor: minor.map((value) => -value),
    };
  };
}
