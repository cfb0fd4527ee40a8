import { describe, expect, it } from 'vitest';
import { boxOf, centreOf, isSameBox, joined } from './box';

describe('the box around vertices', () => {
  it('has everything in it, and a ball that is no larger than needed', () => {
    const box = boxOf(new Float32Array([-1, 0, 0, 3, 0, 0, 1, 2, 0]))!;
    expect([box.low, box.high]).toEqual([
      [-1, 0, 0],
      [3, 2, 0],
    ]);
    expect(centreOf(box)).toEqual([1, 1, 0]);
    expect(box.radius).toBeCloseTo(Math.hypot(2, 1), 6);
  });

  it('of nothing is none, and of one point has no size', () => {
    expect(boxOf(new Float32Array(0))).toBeNull();
    expect(boxOf(new Float32Array([5, 6, 7]))).toEqual({ low: [5, 6, 7], high: [5, 6, 7], radius: 0 });
  });

  it('of two boxes has both balls in it', () => {
    const one = boxOf(new Float32Array([0, 0, 0, 2, 0, 0]))!;
    const both = joined(one, boxOf(new Float32Array([4, 0, 0, 10, 0, 0]))!);
    expect(centreOf(both)).toEqual([5, 0, 0]);
    expect(both.radius).toBe(5);
    expect(isSameBox(joined(one, one), one)).toBe(true);
    expect(isSameBox(both, one)).toBe(false);
  });
});
