// The stretch of space that something takes.

export type Vector = readonly [x: number, y: number, z: number];

export interface Box {
  readonly low: Vector;
  readonly high: Vector;
  /** Of the ball around its middle that has everything in it. */
  readonly radius: number;
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
  const [x, y, z] = centreOf({ low, high });
  let farthest = 0;
  for (let i = 0; i + 2 < vertices.length; i += 3) {
    const [dx, dy, dz] = [vertices[i]! - x, vertices[i + 1]! - y, vertices[i + 2]! - z];
    farthest = Math.max(farthest, dx * dx + dy * dy + dz * dz);
  }
  return { low, high, radius: Math.sqrt(farthest) };
}

export function joined(a: Box, b: Box): Box {
  const low = each((axis) => Math.min(a.low[axis], b.low[axis]));
  const high = each((axis) => Math.max(a.high[axis], b.high[axis]));
  const centre = centreOf({ low, high });
  const reach = (box: Box): number => distance(centreOf(box), centre) + box.radius;
  return { low, high, radius: Math.max(reach(a), reach(b)) };
}

export function isSameBox(a: Box, b: Box): boolean {
  return [0, 1, 2].every((axis) => a.low[axis] === b.low[axis] && a.high[axis] === b.high[axis]);
}

export function centreOf({ low, high }: Pick<Box, 'low' | 'high'>): Vector {
  return each((axis) => (low[axis] + high[axis]) / 2);
}

const each = (of: (axis: 0 | 1 | 2) => number): Vector => [of(0), of(1), of(2)];

function distance(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
