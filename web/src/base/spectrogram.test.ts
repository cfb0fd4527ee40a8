import { describe, expect, test } from 'vitest';
import {
  FLOOR_DB,
  SpectrogramMaker,
  frequencyAt,
  placeOfFrequency,
  type SpectrogramShape,
} from './spectrogram';

const RATE_HZ = 8000;

function sine(frequencyHz: number, amplitude = 1, count = RATE_HZ): Float32Array {
  return Float32Array.from(
    { length: count },
    (_, i) => amplitude * Math.sin((2 * Math.PI * frequencyHz * i) / RATE_HZ),
  );
}

function columnOf(samples: Float32Array, column: number, more: Partial<SpectrogramShape> = {}): Float32Array {
  const shape = { columns: 10, rows: 100, windowSize: 512, isLog: false, ...more };
  const out = new Float32Array(shape.rows);
  new SpectrogramMaker(samples, RATE_HZ, shape).column(column, out, 0);
  return out;
}

const loudest = (values: Float32Array): number => values.indexOf(Math.max(...values));

describe('SpectrogramMaker', () => {
  test.each([false, true])(
    'a sine of full scale is 0 dB in the row of its frequency (logarithmic: %s)',
    (isLog) => {
      for (const frequencyHz of [250, 1000, 3000]) {
        const column = columnOf(sine(frequencyHz), 5, { isLog });
        const row = loudest(column);
        expect(column[row]).toBeCloseTo(0, 0);
        const from = frequencyAt((row - 1) / 100, RATE_HZ, isLog);
        const to = frequencyAt((row + 2) / 100, RATE_HZ, isLog);
        expect(frequencyHz).toBeGreaterThan(from);
        expect(frequencyHz).toBeLessThan(to);
      }
    },
  );

  test('a tenth of the amplitude is 20 dB less, silence is the floor', () => {
    expect(Math.max(...columnOf(sine(1000, 0.1), 5))).toBeCloseTo(-20, 0);
    expect(new Set(columnOf(new Float32Array(RATE_HZ), 5))).toEqual(new Set([FLOOR_DB]));
  });

  test('columns follow the time', () => {
    const samples = new Float32Array(RATE_HZ);
    samples.set(sine(500, 1, RATE_HZ / 2));
    samples.set(sine(3000, 1, RATE_HZ / 2), RATE_HZ / 2);
    expect(loudest(columnOf(samples, 1))).toBeLessThan(20);
    expect(loudest(columnOf(samples, 8))).toBeGreaterThan(70);
  });

  test('sounds shorter than the window, and columns longer than it, are pictures too', () => {
    expect(Math.max(...columnOf(sine(1000, 1, 100), 0, { columns: 1 }))).toBeLessThan(0);
    expect(Math.max(...columnOf(sine(1000), 0, { columns: 1 }))).toBeCloseTo(0, 0);
    expect(new Set(columnOf(new Float32Array(0), 0))).toEqual(new Set([FLOOR_DB]));
  });

  test('places of frequencies are the inverse of frequencies of places', () => {
    for (const isLog of [false, true]) {
      for (const place of [0, 0.25, 1]) {
        const frequencyHz = frequencyAt(place, RATE_HZ, isLog);
        expect(placeOfFrequency(frequencyHz, RATE_HZ, isLog)).toBeCloseTo(place, 9);
      }
    }
  });
});
