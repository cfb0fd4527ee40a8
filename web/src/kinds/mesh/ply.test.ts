import { describe, expect, it } from 'vitest';
import { plyOf } from './ply';

const VERTICES = new Float32Array([0, 1, 2, 3.5, -4, 5, 6, 7, 8]);
const MESH = { samples: 1, vertices: VERTICES, config: '', notes: [] };

/** A reader of its own: the header as lines, and what is behind it. */
async function read(blob: Blob): Promise<{ lines: string[]; body: DataView }> {
  const bytes = await blob.arrayBuffer();
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.indexOf('end_header\n') + 'end_header\n'.length;
  return { lines: text.slice(0, end).trim().split('\n'), body: new DataView(bytes, end) };
}

describe('a PLY file', () => {
  it('has vertices, colours and faces', async () => {
    const colors = new Uint8Array([255, 0, 0, 0, 254, 0, 0, 0, 253]);
    const { lines, body } = await read(plyOf({ ...MESH, colors, faces: new Uint32Array([2, 0, 1]) }));
    expect(lines).toEqual([
      'ply',
      'format binary_little_endian 1.0',
      'element vertex 3',
      'property float x',
      'property float y',
      'property float z',
      'property uchar red',
      'property uchar green',
      'property uchar blue',
      'element face 1',
      'property list uchar uint vertex_indices',
      'end_header',
    ]);
    expect(body.byteLength).toBe(3 * 15 + 13);
    const second = [0, 4, 8].map((at) => body.getFloat32(15 + at, true));
    expect(second).toEqual([3.5, -4, 5]);
    expect([27, 28, 29].map((at) => body.getUint8(at))).toEqual([0, 254, 0]);
    expect(body.getUint8(45)).toBe(3);
    expect([46, 50, 54].map((at) => body.getUint32(at, true))).toEqual([2, 0, 1]);
  });

  it('of a point cloud without colours has vertices alone', async () => {
    const { lines, body } = await read(plyOf({ ...MESH, colors: null, faces: new Uint32Array(0) }));
    expect(lines.filter((line) => line.startsWith('element'))).toEqual(['element vertex 3']);
    expect(body.byteLength).toBe(36);
  });
});
