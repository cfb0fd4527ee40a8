// Less of a mesh, for as long as it moves: then the eye takes little in, and frames must come quickly.
import type { Box } from './box';

/** All positions in an order of which every beginning is spread over all of them. */
export function spreadOrder(count: number): Uint32Array<ArrayBuffer> {
  const order = new Uint32Array(count);
  if (count === 0) return order;
  let stride = Math.max(1, Math.round(count * GOLDEN));
  while (greatestDivisor(stride, count) > 1) stride += 1;
  for (let i = 0, at = 0; i < count; i++, at = (at + stride) % count) order[i] = at;
  return order;
}

/** Its multiples fill a circle evenly, however many there are. */
const GOLDEN = 0.6180339887;

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/**
 * The faces that are left when vertices that are close to each other become one of them. `cells`: of the longest side of
 * the box.
 */
export function coarseFaces(
  vertices: Float32Array,
  faces: Uint32Array,
  { low, high }: Box,
  cells: number,
): Uint32Array<ArrayBuffer> {
  const side = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
  const scale = (cells - 1) / side;
  const chosen = new Map<number, number>();
  const standsFor = new Uint32Array(vertices.length / 3);
  for (let i = 0; i < standsFor.length; i++) {
    const x = Math.round((vertices[3 * i]! - low[0]) * scale);
    const y = Math.round((vertices[3 * i + 1]! - low[1]) * scale);
    const z = Math.round((vertices[3 * i + 2]! - low[2]) * scale);
    const cell = (x * cells + y) * cells + z;
    const known = chosen.get(cell);
    if (known === undefined) chosen.set(cell, i);
    standsFor[i] = known ?? i;
  }
  const left = new Uint32Array(faces.length);
  let count = 0;
  for (let i = 0; i + 2 < faces.length; i += 3) {
    const a = standsFor[faces[i]!]!;
    const b = standsFor[faces[i + 1]!]!;
    const c = standsFor[faces[i + 2]!]!;
    if (a === b || b === c || a === c) continue;
    left[count++] = a;
    left[count++] = b;
    left[count++] = c;
  }
  return left.slice(0, count);
}
