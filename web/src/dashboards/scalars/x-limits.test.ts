import { expect, test } from 'vitest';
import { learnedLimits, UNKNOWN_LIMITS } from './x-limits';

test('without a zoom the data is everything there is', () => {
  const extents = [[0, 100] as const, [5, 80] as const];
  expect(learnedLimits(UNKNOWN_LIMITS, extents, null)).toEqual([0, 100]);
  expect(learnedLimits([0, 500], extents, null)).toEqual([0, 100]);
});

test('what was seen without a zoom stays while a part is shown, and grows with the run', () => {
  expect(learnedLimits([0, 100], [[39, 61]], [40, 60])).toEqual([0, 100]);
  expect(learnedLimits([0, 100], [[39, 120]], [40, 130])).toEqual([0, 120]);
});

test('of a card that was never seen whole, an end is known when no point lies beyond the range', () => {
  expect(learnedLimits(UNKNOWN_LIMITS, [[39, 61]], [40, 60])).toEqual([-Infinity, Infinity]);
  expect(learnedLimits(UNKNOWN_LIMITS, [[39, 55]], [40, 60])).toEqual([-Infinity, 55]);
  expect(
    learnedLimits(
      UNKNOWN_LIMITS,
      [
        [39, 55],
        [50, 70],
      ],
      [40, 60],
    ),
  ).toEqual([-Infinity, Infinity]);
});

test('an answer without lines says nothing', () => {
  expect(learnedLimits([0, 100], [], [40, 60])).toEqual([0, 100]);
});
