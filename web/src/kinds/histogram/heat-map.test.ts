import { expect, test } from 'vitest';
import { capOf, columnEdges, shareAt } from './heat-map';
import { heatMap } from './test-histograms.fixture';

test('columns reach half way to their neighbours', () => {
  expect([...columnEdges(Float64Array.of(0, 10, 40))]).toEqual([-5, 5, 25, 55]);
  expect([...columnEdges(Float64Array.of(7))]).toEqual([6.5, 7.5]);
});

test('one full cell among very many does not take the colours from the others', () => {
  const shares = new Float64Array(10_000).fill(0.1);
  shares[5000] = 1;
  expect(capOf(shares)).toBe(0.1);
  expect(capOf(Float64Array.of(0, 0.2, 0.4))).toBe(0.4);
  expect(capOf(new Float64Array(3))).toBe(1);
});

test('the share at a value is that of its row; beside the map there is none', () => {
  const map = heatMap(2, [
    [0.25, 0.75],
    [1, 0],
  ]);
  expect(shareAt(map, 0, 0.5)).toBe(0.25);
  expect(shareAt(map, 0, 2)).toBe(0.75);
  expect(shareAt(map, 1, 1.5)).toBe(0);
  expect(shareAt(map, 0, 2.1)).toBe(0);
  const symlog = heatMap(2, [[0.25, 0.75]], { low: -100, high: 100, linearWidth: 1 });
  expect(shareAt(symlog, 0, -1)).toBe(0.25);
  expect(shareAt(symlog, 0, 1)).toBe(0.75);
});
