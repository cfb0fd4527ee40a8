import { expect, test } from 'vitest';
import { bucketAt, bucketText } from './readout';
import { histograms } from './test-histograms.fixture';

const two = histograms(
  [
    [0, 1, 3],
    [1, 2, 1200],
  ],
  [[5, 5, 4]],
);

test('a bucket holds its left edge, the last one both', () => {
  expect(bucketAt(two, 0, 0)).toMatchObject({ low: 0, high: 1, count: 3, total: 1203 });
  expect(bucketAt(two, 0, 1)).toMatchObject({ low: 1, high: 2 });
  expect(bucketAt(two, 0, 2)).toMatchObject({ low: 1, high: 2 });
  expect(bucketAt(two, 0, 2.1)).toBeNull();
  expect(bucketAt(two, 1, 5)).toMatchObject({ low: 5, high: 5, count: 4 });
});

test('it is named with its count, of how many, and its step', () => {
  expect(bucketText(30, bucketAt(two, 0, 1.5))).toBe('step 30 · 1 to 2 · 1,200 of 1,203');
  expect(bucketText(30, bucketAt(two, 1, 5))).toBe('step 30 · 5 · 4 of 4');
  expect(bucketText(30, null)).toBe('step 30');
  const far = { low: 1e9 - 1, high: 1e9 + 1, count: 2, total: 2 };
  expect(bucketText(30, far)).toBe('step 30 · 999999999 to 1000000001 · 2 of 2');
});
