import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryShape, roundedRange, type ShapeOptions } from './card-query';

const options: ShapeOptions = {
  widthPx: 500,
  xRange: null,
  xAxis: 'step',
  xScale: 'linear',
  smoothing: { kind: 'ema', amount: 0.6 },
  showSuperseded: false,
};

describe('queryShape', () => {
  test('asks for at least a bucket per pixel, and the same after a small resize', () => {
    const shape = queryShape(options);
    expect(shape.buckets).toBeGreaterThanOrEqual(500);
    expect(queryShape({ ...options, widthPx: 510 })).toEqual(shape);
  });

  test('asks for the same after a small pan', () => {
    const shape = queryShape({ ...options, xRange: [1010, 2010] });
    expect(queryShape({ ...options, xRange: [1020, 2020] }).x_range).toEqual(shape.x_range);
  });

  test('never asks for less than what is seen, nor for much more', () => {
    const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(number, fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (from, span) => {
        const to = from + span;
        fc.pre(to > from);
        const [low, high] = roundedRange([from, to], false);
        const tiny = span * 1e-9;
        expect(low).toBeLessThanOrEqual(from + tiny);
        expect(high).toBeGreaterThanOrEqual(to - tiny);
        expect(high - low).toBeLessThanOrEqual((to - from) * 1.5 + 1e-6);
        const { buckets } = queryShape({ ...options, xRange: [from, to] });
        // As fine as the pixels of what is seen.
        expect((buckets! * (to - from)) / (high - low)).toBeGreaterThanOrEqual(500 - 1e-6);
      }),
    );
  });

  test('no smoothing is asked for as such, however it was said', () => {
    expect(queryShape({ ...options, smoothing: { kind: 'none', amount: 0.5 } }).smoothing).toBeNull();
    expect(queryShape({ ...options, smoothing: { kind: 'ema', amount: 0 } }).smoothing).toBeNull();
  });

  test('stays below the server’s limit', () => {
    expect(queryShape({ ...options, widthPx: 50_000 }).buckets).toBe(8192);
    expect(queryShape({ ...options, widthPx: 0 }).buckets).toBeGreaterThan(0);
  });
});
