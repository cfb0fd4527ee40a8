import { describe, expect, test } from 'vitest';
import { labelStride, roomAround } from './matrix-picture';

describe('room for labels', () => {
  const LABELLED = { leftPx: 100, topPx: 100 };
  const cellIn =
    (widthPx: number, heightPx: number, count: number) =>
    ({ leftPx, topPx }: typeof LABELLED): number =>
      Math.min(widthPx - leftPx, heightPx - topPx) / count;

  test('is as asked where every class has a label', () => {
    expect(roomAround(LABELLED, cellIn(600, 400, 10))).toEqual(LABELLED);
  });

  test('is left beside rows of many classes where the tile is wide', () => {
    expect(roomAround(LABELLED, cellIn(600, 400, 60))).toEqual({ leftPx: 100, topPx: 8 });
  });

  test('is the matrix’s own where the tile is narrow', () => {
    expect(roomAround(LABELLED, cellIn(400, 400, 60))).toEqual({ leftPx: 8, topPx: 8 });
  });
});

test('labels of small rows are thinned out until they do not touch', () => {
  expect([20, 12, 6.5, 1].map(labelStride)).toEqual([1, 1, 2, 12]);
});
