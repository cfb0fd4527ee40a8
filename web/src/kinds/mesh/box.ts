// The stretch of space that something takes.

export type Vector = readonly [x: number, y: number, z: number];

export interface Box {
  readonly low: Vector;
  readonly high: Vector;
}

/** null: there is nothing. */
export function boxOf(vertices: Float32Array): Box | null {
  if (vertices.length === 0) return null;
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < vertices.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const value = vertices[i + axis]!;
      if (value < low[axis]!) low[axis] = value;
      if (value > high[axis]!) high[axis] = value;
    }
  }
  return { low, high };
}

export function joined(a: Box, b: Box): Box {
  return {
    low: [Math.min(a.low[0], b.low[0]), Math.min(a.low[1], b.low[1]), Math.min(a.low[2], b.low[2])],
    high: [Math.max(a.high[0], b.high[0]), Math.max(a.high[1], b.high[1]), Math.max(a.high[2], b.high[2])],
  };
}

export function centreOf({ low, high }: Box): Vector {
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
}

/** Of the ball around it; 1 for a single point, which has no size. */
export function radiusOf({ low, high }: Box): number {
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2 || 1;
}
