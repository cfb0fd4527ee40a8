import { expect, test } from 'vitest';
import type { Outline } from './outline';
import { ridgeAt, ridgeRange, type Ridge } from './ridge';

/** A hill between 0 and 2 whose top is 1, at places 0, 10 and 20. */
const outline: Outline = { x: Float64Array.of(0, 1, 2), density: Float64Array.of(0, 1, 0), highest: 1 };
const ridges: readonly Ridge[] = [0, 10, 20].map((place, index) => ({ index, place, outline }));
const range = ridgeRange([0, 20]);

test('the newest stands at the bottom, and the first one has room for its hill', () => {
  expect(range[0]).toBeLessThan(-20);
  expect(range[1]).toBeGreaterThan(5);
});

test('the pointer is at the hill in front, beside all hills at the nearest base', () => {
  expect(ridgeAt(ridges, 1, -20, range, false)).toBe(2);
  expect(ridgeAt(ridges, 1, -14, range, false)).toBe(2);
  expect(ridgeAt(ridges, 1, -9, range, false)).toBe(1);
  expect(ridgeAt(ridges, 5, -14, range, false)).toBe(1);
  expect(ridgeAt(ridges, 5, 9, range, false)).toBe(0);
  expect(ridgeAt([], 1, 0, range, false)).toBeNull();
});
