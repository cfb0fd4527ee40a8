import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeScale, type ScaleKind } from './scale';

const kinds = fc.constantFrom<ScaleKind>('linear', 'log', 'symlog');

describe('scales', () => {
  test('a pixel leads to a value and back to the same pixel', () => {
    fc.assert(
      fc.property(
        kinds,
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.double({ min: 1.01, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (kind, min, ratio, fraction) => {
          const scale = makeScale(kind, [min, min * ratio], [400, 10], min);
          const px = 400 - 390 * fraction;
          expect(scale.pxFromValue(scale.valueFromPx(px))).toBeCloseTo(px, 4);
        },
      ),
    );
  });

  test('the ends of the range lie on the ends of the axis', () => {
    fc.assert(
      fc.property(kinds, fc.double({ min: 0.001, max: 1e9, noNaN: true }), (kind, min) => {
        const scale = makeScale(kind, [min, min * 10], [50, 850]);
        expect(scale.pxFromValue(min)).toBeCloseTo(50, 6);
        expect(scale.pxFromValue(min * 10)).toBeCloseTo(850, 6);
      }),
    );
  });

  test('larger values never lie before smaller ones', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom<ScaleKind>('linear', 'symlog'), value, value, (kind, a, b) => {
        const scale = makeScale(kind, [-1e9, 1e9], [0, 1000], 0.01);
        if (a <= b) expect(scale.pxFromValue(a)).toBeLessThanOrEqual(scale.pxFromValue(b));
      }),
    );
  });

  test('a log scale has no place for zero and below', () => {
    const scale = makeScale('log', [1, 100], [0, 100]);
    expect(scale.pxFromValue(10)).toBeCloseTo(50);
    expect(scale.pxFromValue(0)).toBeNaN();
    expect(scale.pxFromValue(-1)).toBeNaN();
  });

  test('symlog is symmetric around zero', () => {
    const scale = makeScale('symlog', [-1000, 1000], [0, 200], 1);
    expect(scale.pxFromValue(0)).toBeCloseTo(100);
    expect(scale.pxFromValue(50) - 100).toBeCloseTo(100 - scale.pxFromValue(-50));
  });

  test('milliseconds can be told apart on a wall-time axis', () => {
    const nowS = 1_794_800_000;
    const scale = makeScale('linear', [nowS, nowS + 0.004], [0, 800]);
    expect(scale.pxFromValue(nowS + 0.001)).toBeCloseTo(200, 1);
    expect(scale.pxFromValue(nowS + 0.003)).toBeCloseTo(600, 1);
  });
});
