import { expect, test } from 'vitest';
import type { Curve } from './curve';
import { nearestThreshold } from './nearest-threshold';

const STEEP: Curve = {
  x: Float64Array.of(0, 0.01, 0.02, 1),
  y: Float64Array.of(0, 0.4, 0.8, 1),
  threshold: Float64Array.of(NaN, 0.9, 0.5, 0),
  isFolded: false,
};

test('the nearest point on the screen counts, not the nearest in x', () => {
  expect(nearestThreshold([STEEP], { x: 0.011, y: 0.78 }, { x: 300, y: 200 })).toBe(0.5);
  expect(nearestThreshold([STEEP], { x: 0.6, y: 0.9 }, { x: 300, y: 200 })).toBe(0);
});

test('a corner without a threshold is passed over', () => {
  expect(nearestThreshold([STEEP], { x: 0, y: 0 }, { x: 300, y: 200 })).toBe(0.9);
  expect(nearestThreshold([], { x: 0, y: 0 }, { x: 300, y: 200 })).toBeNull();
});
