import { describe, expect, test } from 'vitest';
import { positionAt, regionBetween, startOf, type Started } from './playback-clock';

const started: Started = { atS: 100, fromS: 1, rate: 1, region: null, durationS: 10 };

describe('positionAt', () => {
  test('runs with the clock, at its rate, until the end', () => {
    expect(positionAt(102, started)).toBe(3);
    expect(positionAt(102, { ...started, rate: 2 })).toBe(5);
    expect(positionAt(200, started)).toBe(10);
  });

  test('stands still before it has started', () => {
    expect(positionAt(99, started)).toBe(1);
  });

  test('goes round in a region, from wherever it began', () => {
    const region = { fromS: 2, toS: 4 };
    expect(positionAt(100.5, { ...started, region })).toBe(1.5);
    expect(positionAt(103, { ...started, region })).toBe(2);
    expect(positionAt(103.5, { ...started, region })).toBe(2.5);
    expect(positionAt(108, { ...started, region })).toBe(3);
  });
});

describe('startOf', () => {
  test('is inside of the region', () => {
    const region = { fromS: 2, toS: 4 };
    expect(startOf(3, region, 10)).toBe(3);
    expect(startOf(1, region, 10)).toBe(2);
    expect(startOf(4, region, 10)).toBe(2);
  });

  test('is the beginning after the end', () => {
    expect(startOf(10, null, 10)).toBe(0);
    expect(startOf(9, null, 10)).toBe(9);
  });
});

test('regions are in order, inside of the sound, and no clicks', () => {
  expect(regionBetween(3, 1, 10)).toEqual({ fromS: 1, toS: 3 });
  expect(regionBetween(-1, 30, 10)).toEqual({ fromS: 0, toS: 10 });
  expect(regionBetween(1, 1.01, 10)).toBeNull();
});
