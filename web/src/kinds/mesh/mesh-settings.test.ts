import { describe, expect, it } from 'vitest';
import { setSetting } from '../../state/settings/setting';
import { axisOf, COLOURING, resetMeshSettings, UP_AXIS } from './mesh-settings';

describe('the axis that colours are about', () => {
  const cloud = { faces: [], colors: null };
  const solid = { faces: [0, 1, 2], colors: null };

  it('is the chosen one, or for a cloud without colours the one that points up', () => {
    const view = { kindWords: {} };
    expect([axisOf(view, cloud), axisOf(view, solid)]).toEqual([1, null]);
    expect(axisOf(view, { ...cloud, colors: [1, 2, 3] })).toBeNull();
    setSetting(view, UP_AXIS, 'z');
    expect(axisOf(view, cloud)).toBe(2);
    setSetting(view, COLOURING, 'x');
    expect([axisOf(view, cloud), axisOf(view, solid)]).toEqual([0, 0]);
    setSetting(view, COLOURING, 'run');
    expect(axisOf(view, cloud)).toBeNull();
    resetMeshSettings(view);
    expect(view.kindWords).toEqual({});
  });
});
