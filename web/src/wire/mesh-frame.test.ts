import { describe, expect, it } from 'vitest';
import { FrameError } from './frame';
import { decodeMeshFrame } from './mesh-frame';

function frame(changes: object = {}, cut = 0): ArrayBuffer {
  const facts = {
    samples: 2,
    points: 2,
    faces: 1,
    vertex_offset: 0,
    face_offset: 24,
    color_offset: 40,
    config: '{"a": 1}',
    notes: ['odd'],
    ...changes,
  };
  let header = JSON.stringify({ facts });
  header += ' '.repeat((8 - (header.length % 8)) % 8);
  const buffer = new ArrayBuffer(8 + header.length + 48);
  const view = new DataView(buffer);
  new TextEncoder().encodeInto('SLF1', new Uint8Array(buffer));
  view.setUint32(4, header.length, true);
  new TextEncoder().encodeInto(header, new Uint8Array(buffer, 8));
  const begin = 8 + header.length;
  [1, 2, 3, 4, 5, 6.5].forEach((one, i) => view.setFloat32(begin + 4 * i, one, true));
  [1, 0, 1].forEach((one, i) => view.setUint32(begin + 24 + 4 * i, one, true));
  [9, 8, 7, 6, 5, 4].forEach((one, i) => view.setUint8(begin + 40 + i, one));
  return buffer.slice(0, buffer.byteLength - cut);
}

describe('the frame of a mesh', () => {
  it('has vertices, faces and colours', () => {
    const mesh = decodeMeshFrame(frame());
    expect([...mesh.vertices]).toEqual([1, 2, 3, 4, 5, 6.5]);
    expect([...mesh.faces]).toEqual([1, 0, 1]);
    expect([...mesh.colors!]).toEqual([9, 8, 7, 6, 5, 4]);
    expect(mesh).toMatchObject({ samples: 2, config: '{"a": 1}', notes: ['odd'] });
    expect(decodeMeshFrame(frame({ color_offset: null })).colors).toBeNull();
  });

  it.each([
    [{}, 8],
    [{ points: 9 }, 0],
    [{ points: -1 }, 0],
    [{ faces: 1.5 }, 0],
    [{ vertex_offset: -8 }, 0],
    [{ face_offset: 26 }, 0],
    [{ color_offset: 1e9 }, 0],
  ])('that is cut off or wrong is an error: %j', (changes, cut) => {
    expect(() => decodeMeshFrame(frame(changes, cut))).toThrow(FrameError);
  });
});
