import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box, Vector } from './box';
import { cameraAt, HOME, panned, poseOf, turned, zoomed, type Lens } from './orbit';

const BOX: Box = { low: [9, -1, -1], high: [11, 1, 1], radius: 1 };
const LENS: Lens = { fovDeg: 60, aspect: 1.5, up: 'y' };

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

describe('a camera that goes around', () => {
  it('stands so that all of it fits, in wide pictures and in narrow ones', () => {
    for (const aspect of [0.5, 1, 3]) {
      const { position, target } = cameraAt(HOME, BOX, { ...LENS, aspect });
      expect(target).toEqual([10, 0, 0]);
      const distance = Math.hypot(...minus(position, target));
      const half = Math.atan(Math.tan(Math.PI / 6) * Math.min(1, aspect));
      expect(Math.asin(BOX.radius / distance)).toBeLessThan(half);
      expect(Math.asin(BOX.radius / distance)).toBeGreaterThan(0.9 * half);
    }
  });

  it('looks level along z, with the other axis up', () => {
    const level = { ...HOME, yaw: 0, pitch: 0 };
    const away = (up: 'y' | 'z'): Vector => {
      const { position, target } = cameraAt(level, BOX, { ...LENS, up });
      const [x, y, z] = minus(position, target);
      return [Math.sign(Math.round(x)), Math.sign(Math.round(y)), Math.sign(Math.round(z))];
    };
    expect(away('y')).toEqual([0, 0, 1]);
    expect(away('z')).toEqual([0, -1, 0]);
  });

  it('has everything between its near and far planes, however near it is', () => {
    for (const zoom of [0.1, 1, 1.5, 400]) {
      const camera = cameraAt({ ...HOME, zoom }, BOX, LENS);
      const distance = Math.hypot(...minus(camera.position, camera.target));
      expect(camera.near).toBeGreaterThan(0);
      expect(camera.near).toBeLessThan(Math.max(distance - BOX.radius, camera.far / 5000));
      expect(camera.far).toBeGreaterThan(distance + BOX.radius);
    }
  });

  it('never goes over the top, and zooms within bounds', () => {
    expect(turned(HOME, 0, 99).pitch).toBeLessThan(Math.PI / 2);
    expect(turned(HOME, 0, -99).pitch).toBeGreaterThan(-Math.PI / 2);
    expect(zoomed(HOME, 1e9).zoom).toBeLessThan(1e4);
    expect(zoomed(HOME, 1e-9).zoom).toBeGreaterThan(0.01);
  });

  it('shifts what is seen by heights of the picture', () => {
    const camera = cameraAt(HOME, BOX, LENS);
    const moved = cameraAt(panned(HOME, 0.25, 0, LENS), BOX, LENS);
    const shift = minus(moved.target, camera.target);
    const height = 2 * Math.tan(Math.PI / 6) * Math.hypot(...minus(camera.position, camera.target));
    expect(Math.hypot(...shift)).toBeCloseTo(height / 4, 6);
    // Across, not nearer.
    expect(dot(shift, minus(camera.position, camera.target))).toBeCloseTo(0, 6);
    expect(shift[1]).toBeCloseTo(0, 6);
  });

  it('finds the pose of a camera that was logged', () => {
    const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
    const logged = fc.record({
      yaw: number(3),
      pitch: number(1.5),
      zoom: fc.double({ min: 0.2, max: 20, noNaN: true }),
      pan: fc.tuple(number(3), number(3), number(3)),
    });
    fc.assert(
      fc.property(logged, fc.constantFrom('y', 'z'), (pose, up) => {
        const lens: Lens = { ...LENS, up };
        const camera = cameraAt(pose, BOX, lens);
        const found = cameraAt(poseOf(camera.position, camera.target, BOX, lens), BOX, lens);
        for (const axis of [0, 1, 2] as const) {
          expect(found.position[axis]).toBeCloseTo(camera.position[axis], 6);
          expect(found.target[axis]).toBeCloseTo(camera.target[axis], 6);
        }
      }),
    );
    expect(poseOf([1, 1, 1], [1, 1, 1], BOX, LENS)).toEqual(HOME);
  });
});
