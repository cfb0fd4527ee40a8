// The colour of each vertex by where it lies along an axis.
import { colourIn } from '../../base/colour-maps';
import type { Box } from './box';

export const AXIS_MAP = 'viridis';
const STEPS = 256;

export function coloursAlong(
  vertices: Float32Array,
  axis: 0 | 1 | 2,
  { low, high }: Box,
): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(3 * STEPS);
  for (let i = 0; i < STEPS; i++) {
    table.set(
      colourIn(AXIS_MAP, i / (STEPS - 1)).map((channel) => Math.round(255 * channel)),
      3 * i,
    );
  }
  const colours = new Uint8Array(vertices.length);
  const extent = high[axis] - low[axis];
  for (let i = 0; i < vertices.length; i += 3) {
    // Of a flat thing the middle.
    const share = extent > 0 ? (vertices[i + axis]! - low[axis]) / extent : 0.5;
    const place = 3 * Math.max(0, Math.min(STEPS - 1, Math.round(share * (STEPS - 1))));
    colours[i] = table[place]!;
    colours[i + 1] = table[place + 1]!;
    colours[i + 2] = table[place + 2]!;
  }
  return colours;
}
