import { expect, test } from 'vitest';
import { downwardTicks, extentOf, placesOf } from './step-axis';

const steps = Float64Array.of(0, 5, 9);

test('steps, seconds since the first one, or times that never fall', () => {
  const wall = Float64Array.of(100, 130, 120);
  expect(placesOf('step', steps, wall)).toBe(steps);
  expect([...placesOf('relative', steps, wall)]).toEqual([0, 30, 30]);
  expect([...placesOf('wall', steps, wall)]).toEqual([100, 130, 130]);
});

test('a single step has room around it', () => {
  expect(extentOf(steps)).toEqual([0, 9]);
  expect(extentOf(Float64Array.of(4))).toEqual([3.5, 4.5]);
});

test('ticks point down, and stand at steps only', () => {
  const { major } = downwardTicks('step', [0, 1000])([-1020, 350], 6);
  expect(major.map(({ value }) => value).every((value) => value <= 0 && value >= -1000)).toBe(true);
  expect(major.map(({ label }) => label)).toContain('0');
  expect(major.length).toBeGreaterThan(2);
});
