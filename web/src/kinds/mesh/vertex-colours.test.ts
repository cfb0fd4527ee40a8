import { expect, it } from 'vitest';
import { boxOf } from './box';
import { coloursAlong } from './vertex-colours';

it('colours go along one axis, from the first of the map to its last', () => {
  const vertices = new Float32Array([5, 0, 0, -5, 10, 0, 99, 5, 7]);
  const box = boxOf(vertices)!;
  const along = coloursAlong(vertices, 1, box);
  expect([...along.slice(0, 3)]).toEqual([0x44, 0x01, 0x54]);
  expect([...along.slice(3, 6)]).toEqual([0xfd, 0xe7, 0x25]);
  expect(along.slice(6, 9)).not.toEqual(along.slice(0, 3));
  // A flat thing has one colour.
  const flat = new Float32Array([0, 1, 0, 1, 1, 0]);
  const same = coloursAlong(flat, 1, boxOf(flat)!);
  expect(same.slice(0, 3)).toEqual(same.slice(3, 6));
});
