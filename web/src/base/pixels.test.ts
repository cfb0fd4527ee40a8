import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commonOf,
  differenceOf,
  fromBytes,
  fromCanvas,
  renderPixels,
  toneTable,
  valueDifference,
  valueRange,
  valuesAt,
  type DifferenceLook,
  type PixelChannel,
  type PixelLook,
  type Pixels,
} from './pixels';

const PLAIN: PixelLook = { channel: 'all', range: null, brightness: 1, contrast: 1, gamma: 1, colours: null };
const ABSOLUTE: DifferenceLook = { channel: 'all', mode: 'absolute', factor: 1, colours: null };

function eight(
  width: number,
  height: number,
  channels: Pixels['channels'],
  values: readonly number[],
): Pixels {
  return { width, height, channels, samples: Uint8Array.from(values) };
}

function sixteen(
  width: number,
  height: number,
  channels: Pixels['channels'],
  values: readonly number[],
): Pixels {
  return { width, height, channels, samples: Uint16Array.from(values) };
}

// 4 × 3, RGB; numpy.random.default_rng(6), and what NumPy says about them.
const A = eight(
  4,
  3,
  3,
  [
    254, 130, 238, 113, 145, 35, 197, 137, 223, 16, 140, 132, 135, 153, 224, 87, 239, 51, 54, 242, 204, 48,
    123, 94, 101, 51, 97, 168, 32, 5, 223, 95, 109, 161, 45, 115,
  ],
);
const B = eight(
  4,
  3,
  3,
  [
    254, 130, 238, 113, 145, 35, 197, 137, 223, 16, 140, 132, 234, 153, 224, 109, 239, 51, 160, 242, 204, 126,
    123, 94, 41, 124, 120, 84, 121, 224, 26, 172, 118, 21, 15, 174,
  ],
);

describe('the look of pixels', () => {
  test('without a wish, values are what is shown', () => {
    const shown = renderPixels(A, PLAIN);
    expect([...shown.subarray(0, 8)]).toEqual([254, 130, 238, 255, 113, 145, 35, 255]);
  });

  test('16 bits are shown by their upper half', () => {
    expect([...renderPixels(sixteen(3, 1, 1, [0, 32_768, 65_535]), PLAIN)]).toEqual([
      ...[0, 0, 0, 255],
      ...[128, 128, 128, 255],
      ...[255, 255, 255, 255],
    ]);
  });

  test('range, brightness, contrast and gamma, in this order, as NumPy computes them', () => {
    const look = { range: { least: 20, greatest: 200 }, brightness: 1.2, contrast: 1.5, gamma: 2.2 };
    const table = toneTable(255, look);
    expect([0, 20, 64, 100, 128, 200, 255].map((value) => table[value])).toEqual([
      0, 0, 120, 194, 234, 255, 255,
    ]);
  });

  test('one channel is gray, and alpha stays unless it is what is looked at', () => {
    const pixels = eight(1, 1, 4, [10, 20, 30, 40]);
    const shown = (channel: PixelLook['channel']) => [...renderPixels(pixels, { ...PLAIN, channel })];
    expect(shown('red')).toEqual([10, 10, 10, 40]);
    expect(shown('green')).toEqual([20, 20, 20, 40]);
    expect(shown('blue')).toEqual([30, 30, 30, 40]);
    expect(shown('alpha')).toEqual([40, 40, 40, 255]);
    expect([...renderPixels(A, { ...PLAIN, channel: 'alpha' }).subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  });

  test('luminance, as NumPy computes it', () => {
    const shown = renderPixels(A, { ...PLAIN, channel: 'luminance' });
    const gray = Array.from({ length: 12 }, (_, i) => shown[4 * i]);
    expect(gray).toEqual([164, 130, 156, 113, 154, 193, 199, 105, 65, 59, 123, 75]);
  });

  test('false colour is for one value per pixel', () => {
    const colours = Uint8Array.from({ length: 768 }, (_, i) => (i % 3 === 0 ? Math.floor(i / 3) : 7));
    const gray = renderPixels(eight(2, 1, 1, [0, 200]), { ...PLAIN, colours });
    expect([...gray]).toEqual([0, 7, 7, 255, 200, 7, 7, 255]);
    expect(renderPixels(A, { ...PLAIN, colours })).toEqual(renderPixels(A, PLAIN));
    expect([...renderPixels(A, { ...PLAIN, colours, channel: 'green' }).subarray(0, 4)]).toEqual([
      130, 7, 7, 255,
    ]);
  });

  test('a range without extent divides black from white', () => {
    const look = { ...PLAIN, range: { least: 100, greatest: 100 } };
    const shown = renderPixels(eight(3, 1, 1, [99, 100, 101]), look);
    expect([shown[0], shown[4], shown[8]]).toEqual([0, 0, 255]);
  });
});

describe('values of pixels', () => {
  test('are read where one points, and nowhere else', () => {
    expect(valuesAt(A, 1, 2)).toEqual([168, 32, 5]);
    expect(valuesAt(A, 1.9, 2.9)).toEqual([168, 32, 5]);
    expect(valuesAt(A, 4, 0)).toBeNull();
    expect(valuesAt(A, -0.1, 0)).toBeNull();
    expect(valuesAt(A, NaN, 0)).toBeNull();
    expect(valuesAt(sixteen(1, 1, 2, [40_000, 1]), 0, 0)).toEqual([40_000, 1]);
  });

  test('have a least and a greatest', () => {
    expect(valueRange(A, 'all')).toEqual({ least: 5, greatest: 254 });
    expect(valueRange(A, 'red')).toEqual({ least: 16, greatest: 254 });
    expect(valueRange(eight(1, 1, 2, [50, 9]), 'all')).toEqual({ least: 50, greatest: 50 });
  });
});

describe('the difference of two pictures', () => {
  test('in numbers, as NumPy computes them', () => {
    const { statistics } = differenceOf(A, B, ABSOLUTE);
    expect(statistics.greatest).toBe(219);
    expect(statistics.meanAbsolute).toBeCloseTo(37.916666666666664, 10);
    expect(statistics.rootMeanSquare).toBeCloseTo(68.47566477710653, 10);
    expect(statistics.psnrDb).toBeCloseTo(11.420078465185739, 10);
    expect(statistics.differentShare).toBeCloseTo(2 / 3, 12);
  });

  test('of 16 and 8 bits is on the scale of 16', () => {
    const { statistics, common } = differenceOf(
      sixteen(3, 2, 1, [57982, 29617, 7704, 8059, 17941, 40469]),
      eight(3, 2, 1, [127, 32, 62, 13, 20, 156]),
      ABSOLUTE,
    );
    expect(common.white).toBe(65_535);
    expect(statistics.greatest).toBe(25_343);
    expect(statistics.meanAbsolute).toBeCloseTo(12143.666666666666, 8);
    expect(statistics.rootMeanSquare).toBeCloseTo(15021.807769595065, 8);
    expect(statistics.psnrDb).toBeCloseTo(12.795022072918192, 10);
  });

  test('of different sizes and channels is on the common area, with gray as RGB and opaque alpha', () => {
    const gray = eight(2, 2, 1, [221, 35, 166, 217]);
    const rgba = eight(
      2,
      3,
      4,
      [
        231, 2, 165, 216, 217, 254, 70, 2, 92, 245, 179, 248, 205, 130, 144, 250, 104, 43, 252, 149, 101, 120,
        182, 211,
      ],
    );
    const { statistics, common } = differenceOf(gray, rgba, ABSOLUTE);
    expect(common).toEqual({ width: 2, height: 2, channels: 4, white: 255 });
    expect(statistics.greatest).toBe(253);
    expect(statistics.meanAbsolute).toBeCloseTo(85.1875, 10);
    expect(statistics.psnrDb).toBeCloseTo(6.668767179999545, 10);
    expect(commonOf(rgba, gray)).toEqual(common);
  });

  test('of a picture with itself is nothing', () => {
    const { statistics, picture } = differenceOf(A, A, { ...ABSOLUTE, factor: 100 });
    expect(statistics).toEqual({
      greatest: 0,
      meanAbsolute: 0,
      rootMeanSquare: 0,
      psnrDb: Infinity,
      differentShare: 0,
    });
    expect([...picture.subarray(0, 4)]).toEqual([0, 0, 0, 255]);
  });

  test('is drawn by channel, times the factor', () => {
    const { picture } = differenceOf(eight(1, 1, 3, [10, 20, 30]), eight(1, 1, 3, [12, 15, 200]), {
      ...ABSOLUTE,
      factor: 3,
    });
    expect([...picture]).toEqual([6, 15, 255, 255]);
  });

  test('signed, it lies around the middle of the colours: the channel that differs most counts', () => {
    const colours = Uint8Array.from({ length: 768 }, (_, i) => Math.floor(i / 3));
    const signed = (a: number[], b: number[]): number =>
      differenceOf(eight(1, 1, 3, a), eight(1, 1, 3, b), { ...ABSOLUTE, mode: 'signed', colours })
        .picture[0]!;
    expect(signed([5, 5, 5], [5, 5, 5])).toBe(128);
    expect(signed([0, 0, 0], [255, 0, 0])).toBe(255);
    expect(signed([0, 255, 0], [20, 0, 0])).toBe(0);
  });

  test('of one channel is drawn in gray and counted by itself', () => {
    const [a, b] = [eight(1, 1, 3, [10, 20, 30]), eight(1, 1, 3, [12, 15, 200])];
    const of = (channel: PixelChannel, mode: DifferenceLook['mode'] = 'absolute') => {
      const { picture, statistics, common } = differenceOf(a, b, { ...ABSOLUTE, channel, mode });
      return [[...picture.subarray(0, 3)], statistics.greatest, statistics.meanAbsolute, common.channels];
    };
    expect(of('red')).toEqual([[2, 2, 2], 2, 2, 1]);
    expect(of('green')).toEqual([[5, 5, 5], 5, 5, 1]);
    // B − A: the sign is that of the channel, not of the one that differs most.
    expect(of('green', 'signed')).toEqual([[125, 125, 125], 5, 5, 1]);
    // From 19 to 28, by Rec. 709.
    expect(of('luminance')).toEqual([[9, 9, 9], 9, 9, 1]);
    expect(of('alpha')).toEqual([[0, 0, 0], 0, 0, 1]);
  });

  test('of one channel: gray is red, and 8 bits are stretched to 16', () => {
    const gray: Pixels = { width: 1, height: 1, channels: 1, samples: Uint16Array.of(2570) };
    const { statistics, common } = differenceOf(gray, eight(1, 1, 4, [12, 0, 0, 55]), {
      ...ABSOLUTE,
      channel: 'red',
    });
    expect([statistics.greatest, common.white]).toEqual([12 * 257 - 2570, 65_535]);
  });

  test('is the same from either side, but for its sign', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        (p, q) => {
          const [a, b] = [eight(4, 1, 2, [...p]), eight(4, 1, 2, [...q])];
          const [there, back] = [differenceOf(a, b, ABSOLUTE), differenceOf(b, a, ABSOLUTE)];
          expect(there.statistics).toEqual(back.statistics);
          expect(there.picture).toEqual(back.picture);
        },
      ),
    );
  });
});

describe('decoded pictures', () => {
  test('of a canvas have as few channels as hold them, and are exact when they are opaque', () => {
    const of = (...rgba: number[]) => fromCanvas(Uint8Array.from(rgba), 1, 1);
    expect(of(7, 7, 7, 255)).toEqual({ pixels: eight(1, 1, 1, [7]), isExact: true });
    expect(of(7, 8, 7, 255)).toEqual({ pixels: eight(1, 1, 3, [7, 8, 7]), isExact: true });
    expect(of(7, 7, 7, 254)).toEqual({ pixels: eight(1, 1, 2, [7, 254]), isExact: false });
    expect(of(7, 8, 7, 254)).toEqual({ pixels: eight(1, 1, 4, [7, 8, 7, 254]), isExact: false });
  });

  test('of the server are 8 or 16 bits, by how many bytes there are', () => {
    const bytes = Uint8Array.from([1, 2, 3, 4]).buffer;
    expect(fromBytes(bytes, 2, 2, 1)?.samples).toEqual(Uint8Array.from([1, 2, 3, 4]));
    expect(fromBytes(bytes, 2, 1, 1)?.samples).toEqual(Uint16Array.from([0x0201, 0x0403]));
    expect(fromBytes(bytes, 3, 1, 1)).toBeNull();
    expect(fromBytes(bytes, 0, 0, 1)).toBeNull();
    expect(fromBytes(bytes, 1, 1, 5)).toBeNull();
  });
});

test('two pixels differ channel by channel, in the form of both', () => {
  const gray = { values: [10], white: 255 };
  expect(valueDifference({ values: [1, 2, 3], white: 255 }, { values: [4, 2, 0], white: 255 })).toEqual([
    3, 0, -3,
  ]);
  expect(valueDifference(gray, { values: [10, 12, 9, 55], white: 255 })).toEqual([0, 2, -1, -200]);
  expect(valueDifference(gray, { values: [2571], white: 65_535 })).toEqual([1]);
});
