import { expect, test } from 'vitest';
import { loggedAt, valuesAt } from './bounds.svelte';

const array = (...numbers: number[]) => Float64Array.from(numbers);

test('an edge is on the stroke between its points, and nowhere else', () => {
  const edge = { x: array(1, 3, 5), y: array(10, 30, NaN) };
  expect([...valuesAt(array(0, 1, 2, 3, 4, 6), edge)]).toEqual([NaN, 10, 20, 30, NaN, NaN]);
  expect([...valuesAt(array(1), { x: array(), y: array() })]).toEqual([NaN]);
});

test('a bound is what was logged at the step; the nearest only where points were left out', () => {
  const series = { step: array(0, 10, 20), value: array(1, 2, 3), isExact: true };
  expect(loggedAt(10, series)).toBe(2);
  expect(loggedAt(11, series)).toBeNaN();
  expect(loggedAt(11, { ...series, isExact: false })).toBe(2);
  expect(loggedAt(19, { ...series, isExact: false })).toBe(3);
  expect(loggedAt(21, { ...series, isExact: false })).toBeNaN();
});
