import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lowerBound, nearestIndex, upperBound } from './arrays';

const sortedArray = fc
  .array(fc.integer({ min: -50, max: 50 }), { maxLength: 40 })
  .map((values) => Float64Array.from(values).sort());

describe('searching', () => {
  test('the bounds are where a linear search finds them', () => {
    fc.assert(
      fc.property(sortedArray, fc.integer({ min: -60, max: 60 }), (values, target) => {
        const list = [...values];
        const atLeast = list.findIndex((value) => value >= target);
        const above = list.findIndex((value) => value > target);
        expect(lowerBound(values, target)).toBe(atLeast < 0 ? list.length : atLeast);
        expect(upperBound(values, target)).toBe(above < 0 ? list.length : above);
      }),
    );
  });

  test('the nearest is as near as any', () => {
    fc.assert(
      fc.property(sortedArray, fc.double({ min: -60, max: 60, noNaN: true }), (values, target) => {
        const index = nearestIndex(values, target);
        if (values.length === 0) expect(index).toBe(-1);
        else {
          const least = Math.min(...[...values].map((value) => Math.abs(value - target)));
          expect(Math.abs(values[index]! - target)).toBe(least);
        }
      }),
    );
  });
});
