import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clamped,
  fitted,
  GREATEST_SCALE,
  LEAST_SCALE,
  nextScale,
  paneFromPicture,
  pannedBy,
  pictureFromPane,
  readViewport,
  scaleText,
  writeViewport,
  zoomedAround,
} from './viewport';

const PANE = { width: 800, height: 600 };
const place = fc.record({ x: fc.integer({ min: 0, max: 800 }), y: fc.integer({ min: 0, max: 600 }) });
const view = fc.record({
  scale: fc.double({ min: LEAST_SCALE, max: GREATEST_SCALE, noNaN: true }),
  x: fc.double({ min: -100, max: 5000, noNaN: true }),
  y: fc.double({ min: -100, max: 5000, noNaN: true }),
});

describe('zoom and pan', () => {
  test('the place below the pointer stays below the pointer', () => {
    fc.assert(
      fc.property(view, place, fc.double({ min: 0.2, max: 5, noNaN: true }), (before, at, factor) => {
        const fixed = pictureFromPane(at, before, PANE);
        const after = zoomedAround(before, factor, at, PANE);
        const now = paneFromPicture(fixed, after, PANE);
        expect(now.x).toBeCloseTo(at.x, 6);
        expect(now.y).toBeCloseTo(at.y, 6);
      }),
    );
  });

  test('a drag takes the picture along, whatever the scale', () => {
    const before = { scale: 4, x: 50, y: 40 };
    const after = pannedBy(before, 20, -8);
    expect(paneFromPicture({ x: 50, y: 40 }, after, PANE)).toEqual({ x: 420, y: 292 });
  });

  test('the scale has ends, and the middle of the pane stays over the picture', () => {
    const picture = { width: 100, height: 50 };
    expect(zoomedAround({ scale: 100, x: 0, y: 0 }, 10, { x: 0, y: 0 }, PANE).scale).toBe(GREATEST_SCALE);
    expect(clamped({ scale: 1, x: -30, y: 70 }, picture)).toEqual({ scale: 1, x: 0, y: 50 });
    expect(clamped({ scale: 1e-9, x: 30, y: 20 }, picture).scale).toBe(LEAST_SCALE);
  });

  test('all of a picture is inside of the pane, in the middle', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        (width, height) => {
          const all = fitted({ width, height }, PANE);
          expect(width * all.scale).toBeLessThanOrEqual(PANE.width);
          expect(height * all.scale).toBeLessThanOrEqual(PANE.height);
          expect([all.x, all.y]).toEqual([width / 2, height / 2]);
        },
      ),
    );
  });

  test('small pictures are enlarged by whole numbers, and not without end', () => {
    expect(fitted({ width: 100, height: 100 }, PANE).scale).toBe(5);
    expect(fitted({ width: 1, height: 1 }, PANE).scale).toBe(32);
    expect(fitted({ width: 700, height: 500 }, PANE).scale).toBe(1);
  });

  test('the buttons go through handy scales and back', () => {
    expect(nextScale(1, 1)).toBe(1.5);
    expect(nextScale(1.5, -1)).toBe(1);
    expect(nextScale(0.7, 1)).toBe(1);
    expect(nextScale(GREATEST_SCALE, 1)).toBe(GREATEST_SCALE);
    expect(nextScale(LEAST_SCALE, -1)).toBe(LEAST_SCALE);
    expect([1, 2 / 3, 1.5, 0.25].map(scaleText)).toEqual(['100 %', '66.7 %', '150 %', '25 %']);
  });

  test('a link brings the same place', () => {
    expect(readViewport(writeViewport({ scale: 2 / 3, x: 10.5, y: -2 }))).toEqual({
      scale: 0.666667,
      x: 10.5,
      y: -2,
    });
    for (const text of ['', '1', '0_1_1', '1_x_1', '1__1', '1e9_1_1'])
      expect(readViewport(text)).toBeUndefined();
  });
});
