// How meshes are shown. Each setting is a word of the view, which links and saved views carry.
import {
  choiceSetting,
  flagSetting,
  numberSetting,
  resetSettings,
  settingOf,
  type WithKindWords,
} from '../../state/settings/setting';

export const SURFACES = { solid: 'Solid', wires: 'Wires', points: 'Points' } as const;
export type Surface = keyof typeof SURFACES;
/** How faces are drawn; what has none is points. */
export const SURFACE = choiceSetting<Surface>('mesh.surface', 'solid', ['solid', 'wires', 'points']);

/** Faces have edges, instead of being one smooth surface. */
export const IS_FLAT = flagSetting('mesh.flat', false);

/** logged: those of the vertices; without them, the run's. */
export const COLOURINGS = {
  logged: 'As logged',
  x: 'Along x',
  y: 'Along y',
  z: 'Along z',
  run: 'Of the run',
} as const;
export type Colouring = keyof typeof COLOURINGS;
export const COLOURING = choiceSetting<Colouring>('mesh.colours', 'logged', ['logged', 'x', 'y', 'z', 'run']);

/** In CSS pixels; 0: as it was logged, or by how many there are. */
export const POINT_PX = numberSetting('mesh.point', 0, 0, 20);

export const UP_AXES = { y: 'y', z: 'z' } as const;
export type UpAxis = keyof typeof UP_AXES;
export const UP_AXIS = choiceSetting<UpAxis>('mesh.up', 'y', ['y', 'z']);

/** All meshes are seen from one place. */
export const IS_LINKED = flagSetting('mesh.linked', true);
/** The camera, lights and material that were logged are used. */
export const IS_AS_LOGGED = flagSetting('mesh.scene', true);
/** Which mesh of a batch, from 0. */
export const SAMPLE = numberSetting('mesh.sample', 0, 0, 1_000_000);

const ALL = [SURFACE, IS_FLAT, COLOURING, POINT_PX, UP_AXIS, IS_LINKED, IS_AS_LOGGED, SAMPLE];

export function resetMeshSettings(view: WithKindWords): void {
  resetSettings(view, ALL);
}

const AXES = ['x', 'y', 'z'] as const;

/**
 * The axis whose colours the vertices have; null: they have others. Points without colours of their own have those of the
 * axis that points up, as in one colour nobody sees which is in front.
 */
export function axisOf(
  view: WithKindWords,
  { faces, colors }: { faces: ArrayLike<number>; colors: unknown },
): 0 | 1 | 2 | null {
  const colouring = settingOf(view, COLOURING);
  const isBare = colouring === 'logged' && colors === null && faces.length === 0;
  const name = isBare ? settingOf(view, UP_AXIS) : colouring;
  const index = AXES.findIndex((axis) => axis === name);
  return index < 0 ? null : (index as 0 | 1 | 2);
}
