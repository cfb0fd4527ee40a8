import { afterEach, expect, test, vi } from 'vitest';
import { capOf, columnEdges, heatPicture, resampled, shareAt } from './heat-map';
import { heatMap } from './test-histograms.fixture';

test('columns reach half way to their neighbours', () => {
  expect([...columnEdges(Float64Array.of(0, 10, 40))]).toEqual([-5, 5, 25, 55]);
  expect([...columnEdges(Float64Array.of(7))]).toEqual([6.5, 7.5]);
  expect([...columnEdges(Float64Array.of(10, 10, 20, 20))]).toEqual([5, 10, 15, 20, 25]);
});

test('a pixel shows the mean of the columns that fall into it, and a wide column is the same all over', () => {
  const map = heatMap(1, [[0.2], [0.4], [0.8]]);
  // Of widths 1, 1 and 6.
  const edges = Float64Array.of(0, 1, 2, 8);
  const shares = (range: readonly [number, number], count: number): number[] =>
    [...resampled(map, edges, range, count).shares].map((share) => Number(share.toFixed(9)));
  expect(shares([0, 8], 4)).toEqual([0.3, 0.8, 0.8, 0.8]);
  expect(shares([0, 2], 4)).toEqual([0.2, 0.2, 0.4, 0.4]);
  expect(shares([-2, 10], 6)).toEqual([0, 0.3, 0.8, 0.8, 0.8, 0]);
});

afterEach(() => vi.unstubAllGlobals());

test('the picture has the lowest values at the bottom, and nothing where nothing is', () => {
  class Picture {
    readonly data: Uint8ClampedArray;
    constructor(
      readonly width: number,
      readonly height: number,
    ) {
      this.data = new Uint8ClampedArray(4 * width * height);
    }
  }
  vi.stubGlobal('ImageData', Picture);
  const map = heatMap(2, [
    [1, 0],
    [0.5, 0.5],
  ]);
  const { width, height, data } = heatPicture(map, { colourOf: (part) => [part, 0, 0], isLog: false })!;
  expect([width, height]).toEqual([2, 2]);
  const pixels = [0, 1, 2, 3].map((i) => [data[4 * i], data[4 * i + 3]]);
  expect(pixels).toEqual([
    [0, 0],
    [128, 255],
    [255, 255],
    [128, 255],
  ]);
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
