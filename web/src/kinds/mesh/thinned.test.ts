import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxOf } from './box';
import { coarseFaces, spreadOrder } from './thinned';

describe('less of a mesh', () => {
  it('has every point once, and any beginning is spread over all of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), (count) => {
        expect(new Set(spreadOrder(count)).size).toBe(count);
      }),
    );
    const first = spreadOrder(10_000).slice(0, 100);
    for (let tenth = 0; tenth < 10; tenth++) {
      const inside = first.filter((one) => Math.floor(one / 1000) === tenth);
      expect(inside.length).toBeGreaterThanOrEqual(8);
    }
  });

  it('joins faces that are small, and keeps those that are large', () => {
    // A strip of tiny triangles beside a large one.
    const vertices: number[] = [0, 0, 0, 10, 0, 0, 0, 10, 0];
    const faces: number[] = [0, 1, 2];
    for (let i = 0; i < 50; i++) {
      const at = vertices.length / 3;
      vertices.push(9, 9, i * 1e-4, 9.001, 9, i * 1e-4, 9, 9.001, i * 1e-4);
      faces.push(at, at + 1, at + 2);
    }
    const points = new Float32Array(vertices);
    const left = coarseFaces(points, new Uint32Array(faces), boxOf(points)!, 32);
    expect([...left]).toEqual([0, 1, 2]);
  });

  it('of a single point is nothing', () => {
    const points = new Float32Array([1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(coarseFaces(points, new Uint32Array([0, 1, 2]), boxOf(points)!, 32)).toHaveLength(0);
  });
});
