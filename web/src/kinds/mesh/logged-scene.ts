// The camera, lights and material that were logged with a mesh: JSON with names of classes of three.js and what they are made
// with. It may hold anything, so only what is listed here is taken from it, within bounds.
import type { Vector } from './box';

export interface LoggedCamera {
  readonly fovDeg: number | null;
  readonly position: Vector | null;
  readonly target: Vector;
}

export const LIGHTS = ['AmbientLight', 'DirectionalLight', 'PointLight', 'HemisphereLight'] as const;

export interface LoggedLight {
  readonly type: (typeof LIGHTS)[number];
  readonly color: number;
  readonly intensity: number;
  readonly position: Vector;
}

export const MATERIALS = [
  'MeshStandardMaterial',
  'MeshPhongMaterial',
  'MeshLambertMaterial',
  'MeshBasicMaterial',
  'MeshNormalMaterial',
  'PointsMaterial',
] as const;

export interface LoggedMaterial {
  readonly type: (typeof MATERIALS)[number];
  readonly color: number | null;
  readonly opacity: number;
  /** Of points, in units of the mesh; null: not said. */
  readonly size: number | null;
  readonly roughness: number;
  readonly metalness: number;
  readonly shininess: number;
  readonly isFlat: boolean;
  readonly isWires: boolean;
}

export interface LoggedScene {
  readonly camera: LoggedCamera | null;
  /** null: not said. */
  readonly lights: readonly LoggedLight[] | null;
  readonly material: LoggedMaterial | null;
}

export const NOTHING_LOGGED: LoggedScene = { camera: null, lights: null, material: null };

/** More lights than these make programs that some graphics cards refuse. */
const MOST_LIGHTS = 8;
const FARTHEST = 1e30;

type Raw = Readonly<Record<string, unknown>>;

export function loggedScene(config: string): LoggedScene {
  if (config === '') return NOTHING_LOGGED;
  let parsed: unknown;
  try {
    parsed = JSON.parse(config);
  } catch {
    return NOTHING_LOGGED;
  }
  const raw = objectIn(parsed);
  if (raw === null) return NOTHING_LOGGED;
  const { camera, lights, material } = raw;
  return {
    camera: cameraIn(objectIn(camera)),
    lights: Array.isArray(lights) ? lightsIn(lights) : null,
    material: materialIn(objectIn(material)),
  };
}

function cameraIn(raw: Raw | null): LoggedCamera | null {
  if (raw?.['cls'] !== 'PerspectiveCamera') return null;
  return {
    fovDeg: numberIn(raw['fov'], 1, 170),
    position: vectorIn(raw['position']),
    target: vectorIn(raw['target']) ?? [0, 0, 0],
  };
}

function lightsIn(raws: readonly unknown[]): LoggedLight[] | null {
  const lights = raws.slice(0, MOST_LIGHTS).flatMap((one): LoggedLight[] => {
    const raw = objectIn(one);
    const type = LIGHTS.find((name) => name === raw?.['cls']);
    if (raw === null || type === undefined) return [];
    return [
      {
        type,
        color: colorIn(raw['color']) ?? 0xffffff,
        intensity: numberIn(raw['intensity'], 0, 100) ?? 1,
        position: vectorIn(raw['position']) ?? [0, 1, 0],
      },
    ];
  });
  return lights.length > 0 ? lights : null;
}

function materialIn(raw: Raw | null): LoggedMaterial | null {
  const type = MATERIALS.find((name) => name === raw?.['cls']);
  if (raw === null || type === undefined) return null;
  return {
    type,
    color: colorIn(raw['color']),
    opacity: numberIn(raw['opacity'], 0, 1) ?? 1,
    size: numberIn(raw['size'], 1e-12, FARTHEST),
    roughness: numberIn(raw['roughness'], 0, 1) ?? 1,
    metalness: numberIn(raw['metalness'], 0, 1) ?? 0,
    shininess: numberIn(raw['shininess'], 0, 1000) ?? 30,
    isFlat: raw['flatShading'] === true,
    isWires: raw['wireframe'] === true,
  };
}

function objectIn(value: unknown): Raw | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : null;
}

function numberIn(value: unknown, least: number, most: number): number | null {
  return typeof value === 'number' && value >= least && value <= most ? value : null;
}

function vectorIn(value: unknown): Vector | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [x, y, z] = value.map((one) => numberIn(one, -FARTHEST, FARTHEST));
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' ? [x, y, z] : null;
}

/** “#rrggbb”, “#rgb”, or the number. */
function colorIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) ? numberIn(value, 0, 0xffffff) : null;
  if (typeof value !== 'string') return null;
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value);
  const digits = short
    ? short.slice(1).map((digit) => digit + digit)
    : [/^#[\da-f]{6}$/i.test(value) ? value.slice(1) : ''];
  return digits[0] === '' ? null : parseInt(digits.join(''), 16);
}
