import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loggedScene, NOTHING_LOGGED } from './logged-scene';

describe('what was logged with a mesh', () => {
  it('is read as TensorBoard documents it', () => {
    const config = {
      camera: { cls: 'PerspectiveCamera', fov: 75, near: 0.1 },
      lights: [
        { cls: 'AmbientLight', color: '#ffffff', intensity: 0.75 },
        { cls: 'DirectionalLight', color: '#f80', intensity: 0.5, position: [0, -1, 2] },
      ],
      material: { cls: 'MeshStandardMaterial', roughness: 0.5, metalness: 0.25, wireframe: true, color: 255 },
    };
    const scene = loggedScene(JSON.stringify(config));
    expect(scene.camera).toEqual({ fovDeg: 75, position: null, target: [0, 0, 0] });
    expect(scene.lights).toEqual([
      { type: 'AmbientLight', color: 0xffffff, intensity: 0.75, position: [0, 1, 0] },
      { type: 'DirectionalLight', color: 0xff8800, intensity: 0.5, position: [0, -1, 2] },
    ]);
    expect(scene.material).toMatchObject({ type: 'MeshStandardMaterial', roughness: 0.5, metalness: 0.25 });
    expect(scene.material).toMatchObject({ isWires: true, isFlat: false, color: 255, size: null });
  });

  it.each(['', 'null', '[]', '7', '{', '"text"', '{"camera": null, "lights": {}, "material": []}'])(
    'may be nothing: %s',
    (config) => {
      expect(loggedScene(config)).toEqual(NOTHING_LOGGED);
    },
  );

  it('is taken from lists of what is known, within bounds', () => {
    const config = {
      camera: { cls: 'PerspectiveCamera', fov: 1e9, position: [0, 'a', 0], target: [1, 2] },
      lights: [
        ...Array.from({ length: 40 }, () => ({ cls: 'PointLight', intensity: -5, color: 'url(x)' })),
        { cls: '__proto__' },
        null,
      ],
      material: { cls: 'PointsMaterial', size: -1, opacity: 7, color: { a: 1 } },
    };
    const scene = loggedScene(JSON.stringify(config));
    expect(scene.camera).toEqual({ fovDeg: null, position: null, target: [0, 0, 0] });
    expect(scene.lights).toHaveLength(8);
    expect(scene.lights![0]).toEqual({
      type: 'PointLight',
      color: 0xffffff,
      intensity: 1,
      position: [0, 1, 0],
    });
    expect(scene.material).toMatchObject({ size: null, opacity: 1, color: null });
    for (const cls of ['constructor', '__proto__', 'WebGLRenderer', 'toString', 5])
      expect(loggedScene(JSON.stringify({ material: { cls }, camera: { cls } }))).toEqual(NOTHING_LOGGED);
  });

  it('is never an error', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (one, other) => {
        loggedScene(one);
        loggedScene(`{"camera": ${one}, "lights": [${one}, ${other}], "material": ${other}}`);
      }),
    );
  });
});
