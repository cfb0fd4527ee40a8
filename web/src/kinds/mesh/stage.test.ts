import { expect, it } from 'vitest';
import { boxOf } from './box';
import { Model, type Look } from './stage';

it('other colours take the place of those before on the graphics card', () => {
  const vertices = new Float32Array([0, 0, 0, 1, 1, 1]);
  const mesh = { samples: 1, vertices, faces: new Uint32Array(), colors: null, config: '', notes: [] };
  const model = new Model(mesh, boxOf(vertices)!);
  const drawnIn = (colours: Look['colours']) => {
    const look = { surface: 'solid', isFlat: false, colours, colour: 'red', pointPx: 0 } as const;
    return model.shown({ ...look, material: null, lights: null }, Infinity).object.geometry.attributes;
  };
  const { color: first } = drawnIn(new Uint8Array([1, 2, 3, 4, 5, 6]));
  expect([...first!.array]).toEqual([1, 2, 3, 255, 4, 5, 6, 255]);
  drawnIn(null);
  const { color: second } = drawnIn(new Uint8Array([6, 5, 4, 3, 2, 1]));
  expect(second).toBe(first);
  expect([...second!.array]).toEqual([6, 5, 4, 255, 3, 2, 1, 255]);
  expect(second).toHaveProperty('version', 1);
});
