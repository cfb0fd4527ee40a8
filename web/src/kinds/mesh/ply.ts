// A mesh as a file that other programs read: PLY, binary, with faces and colours where there are any.
import type { DecodedMesh } from '../../wire/mesh-frame';

const FLOAT_BYTES = 4;
const AXES = 3;

export function plyOf({ vertices, faces, colors }: DecodedMesh): Blob {
  const points = vertices.length / AXES;
  const triangles = faces.length / AXES;
  const header = [
    'ply',
    'format binary_little_endian 1.0',
    `element vertex ${points}`,
    ...['x', 'y', 'z'].map((axis) => `property float ${axis}`),
    ...(colors === null ? [] : ['red', 'green', 'blue'].map((channel) => `property uchar ${channel}`)),
    ...(triangles === 0 ? [] : [`element face ${triangles}`, 'property list uchar uint vertex_indices']),
    'end_header\n',
  ];
  return new Blob([header.join('\n'), vertexBytes(vertices, colors), faceBytes(faces)]);
}

function vertexBytes(vertices: Float32Array, colors: Uint8Array | null): ArrayBuffer {
  const points = vertices.length / AXES;
  const rowBytes = AXES * FLOAT_BYTES + (colors === null ? 0 : AXES);
  const out = new DataView(new ArrayBuffer(points * rowBytes));
  for (let i = 0; i < points; i++) {
    for (let axis = 0; axis < AXES; axis++) {
      out.setFloat32(i * rowBytes + axis * FLOAT_BYTES, vertices[AXES * i + axis]!, true);
      if (colors !== null) out.setUint8(i * rowBytes + AXES * FLOAT_BYTES + axis, colors[AXES * i + axis]!);
    }
  }
  return out.buffer;
}

function faceBytes(faces: Uint32Array): ArrayBuffer {
  const triangles = faces.length / AXES;
  const rowBytes = 1 + AXES * 4;
  const out = new DataView(new ArrayBuffer(triangles * rowBytes));
  for (let i = 0; i < triangles; i++) {
    out.setUint8(i * rowBytes, AXES);
    for (let corner = 0; corner < AXES; corner++)
      out.setUint32(i * rowBytes + 1 + corner * 4, faces[AXES * i + corner]!, true);
  }
  return out.buffer;
}
