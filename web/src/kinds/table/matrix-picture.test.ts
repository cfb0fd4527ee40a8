import { expect, test } from 'vitest';
import { roomAround } from './matrix-picture';

test('there is room for labels where every class can have one; else the matrix has it', () => {
  const labelled = { leftPx: 100, topPx: 100 };
  const cellIn =
    (count: number) =>
    ({ leftPx, topPx }: typeof labelled): number =>
      Math.min(600 - leftPx, 400 - topPx) / count;
  expect(roomAround(labelled, cellIn(10))).toEqual(labelled);
  expect(roomAround(labelled, cellIn(60))).toEqual({ leftPx: 8, topPx: 8 });
});
