import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aheadOf, isAtEnd, learnedLimits, roundedRange, slid, UNKNOWN_LIMITS } from './x-limits';

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

test('a view is at the end when its edge is there, give or take a pixel', () => {
  expect(isAtEnd([50, 100], 100)).toBe(true);
  expect(isAtEnd([50, 99.9], 100)).toBe(true);
  expect(isAtEnd([50, 99], 100)).toBe(false);
  expect(isAtEnd([50, 1000], Infinity)).toBe(false);
});

test('a view that slides keeps its width', () => {
  expect(slid([50, 100], 7)).toEqual([57, 107]);
  expect(slid([0.1, 0.3], 0.1)).toEqual([0.2, 0.4]);
});

test('what is asked for ahead covers the view and stays the same for small steps', () => {
  expect(aheadOf([51, 151])).toEqual([50, 154]);
  expect(aheadOf([51.5, 151.5])).toEqual([50, 154]);
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1 }), (from, width) => {
      const [low, high] = aheadOf([from, from + width]);
      expect(low).toBeLessThanOrEqual(from);
      expect(high).toBeGreaterThan(from + width);
      expect(high - low).toBeLessThanOrEqual(1.15 * width);
    }),
  );
});

test('ranges in links have the digits that pixels can show', () => {
  expect(roundedRange([1234.56789, 9876.54321])).toEqual([1235, 9877]);
  expect(roundedRange([1_760_000_000.1234, 1_760_000_060.9876])).toEqual([
    1_760_000_000.12, 1_760_000_060.99,
  ]);
  expect(roundedRange([0, 1 / 3])).toEqual([0, 0.3333]);
  // Both ends of a logarithmic axis.
  expect(roundedRange([1.23456e-9, 1])).toEqual([1.235e-9, 1]);
  expect(roundedRange([123_456_789, 987_654_321])).toEqual([123_500_000, 987_700_000]);
});
