// Reads the binary answer of `GET mesh`: the arrays become views into it, without a copy.
import { FrameError, openFrame } from './frame';
import type { MeshFrameHeader } from './generated';

export interface DecodedMesh {
  /** Meshes at this step. */
  readonly samples: number;
  /** x, y, z of each vertex; all of them are finite. */
  readonly vertices: Float32Array<ArrayBuffer>;
  /** Three positions of vertices for each face. None: a point cloud. */
  readonly faces: Uint32Array<ArrayBuffer>;
  /** Red, green, blue of each vertex. */
  readonly colors: Uint8Array<ArrayBuffer> | null;
  /** JSON, as it was logged; '' for none. */
  readonly config: string;
  readonly notes: readonly string[];
}

const PREAMBLE_BYTES = 8;
const AXES = 3;

export function decodeMeshFrame(buffer: ArrayBuffer): DecodedMesh {
  const { facts } = openFrame<MeshFrameHeader>(buffer, 'facts').header;
  const begin = PREAMBLE_BYTES + new DataView(buffer).getUint32(4, true);
  const startOf = (offset: number, count: number, bytes: number): number => {
    const isSound = [offset, count].every((one) => Number.isInteger(one) && one >= 0);
    const start = begin + offset;
    if (!isSound || start % bytes !== 0 || start + AXES * count * bytes > buffer.byteLength)
      throw new FrameError('it was cut off in the arrays of a mesh');
    return start;
  };
  const { points, faces, vertex_offset, face_offset, color_offset } = facts;
  return {
    samples: facts.samples,
    vertices: new Float32Array(buffer, startOf(vertex_offset, points, 4), AXES * points),
    faces: new Uint32Array(buffer, startOf(face_offset, faces, 4), AXES * faces),
    colors:
      color_offset === null ? null : new Uint8Array(buffer, startOf(color_offset, points, 1), AXES * points),
    config: facts.config,
    notes: facts.notes,
  };
}
