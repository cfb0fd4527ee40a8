// Where a camera stands that goes around things: by angles and in shares of their size, so that one pose suits things of any
// size, and several can share it.
import { centreOf, type Box, type Vector } from './box';
import type { UpAxis } from './mesh-settings';

export interface Pose {
  /** Around the axis that points up, in radians. */
  readonly yaw: number;
  /** Above the horizon. */
  readonly pitch: number;
  /** 1: everything fits. */
  readonly zoom: number;
  /** What is looked at, from the middle on, in radii. */
  readonly pan: Vector;
}

export interface Lens {
  /** From the lower to the upper edge. */
  readonly fovDeg: number;
  /** Width by height. */
  readonly aspect: number;
  readonly up: UpAxis;
}

export interface Camera {
  readonly position: Vector;
  readonly target: Vector;
  readonly up: Vector;
  readonly near: number;
  readonly far: number;
}

export const HOME: Pose = { yaw: 0.6, pitch: 0.35, zoom: 1, pan: [0, 0, 0] };
export const FOV_DEG = 40;

/** Straight from above “up” has no direction. */
const MOST_PITCH = 1.55;
const ZOOMS = [0.05, 500] as const;
const MOST_PAN = 20;
/** Room around what fits. */
const MARGIN = 1.04;
/** Ratio of far to near beyond which depth cannot be told apart. */
const DEPTH_RATIO = 10_000;

const clamped = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);

export function turned(pose: Pose, yaw: number, pitch: number): Pose {
  return {
    ...pose,
    yaw: (pose.yaw + yaw) % (2 * Math.PI),
    pitch: clamped(pose.pitch + pitch, -MOST_PITCH, MOST_PITCH),
  };
}

export function zoomed(pose: Pose, factor: number): Pose {
  return { ...pose, zoom: clamped(pose.zoom * factor, ...ZOOMS) };
}

/** What is seen moves right and up by so many heights of the picture. */
export function panned(pose: Pose, right: number, upward: number, lens: Lens): Pose {
  const height = 2 * Math.tan(radians(lens.fovDeg) / 2) * distanceOf(pose, lens);
  const { yaw, pitch } = pose;
  const sideways = oriented([Math.cos(yaw), 0, -Math.sin(yaw)], lens.up);
  const upwards = oriented(
    [-Math.sin(pitch) * Math.sin(yaw), Math.cos(pitch), -Math.sin(pitch) * Math.cos(yaw)],
    lens.up,
  );
  const along = (axis: 0 | 1 | 2): number =>
    clamped(pose.pan[axis] - height * (right * sideways[axis] + upward * upwards[axis]), -MOST_PAN, MOST_PAN);
  return { ...pose, pan: [along(0), along(1), along(2)] };
}

export function cameraAt(pose: Pose, box: Box, lens: Lens): Camera {
  const [centre, radius] = [centreOf(box), radiusOf(box)];
  const distance = distanceOf(pose, lens);
  const direction = directionOf(pose, lens.up);
  const at = (axis: 0 | 1 | 2, further: number): number =>
    centre[axis] + radius * (pose.pan[axis] + further * direction[axis]);
  const reach = 1.1 + Math.hypot(...pose.pan);
  const far = radius * (distance + reach);
  return {
    position: [at(0, distance), at(1, distance), at(2, distance)],
    target: [at(0, 0), at(1, 0), at(2, 0)],
    up: lens.up === 'y' ? [0, 1, 0] : [0, 0, 1],
    near: Math.max(radius * (distance - reach), far / DEPTH_RATIO),
    far,
  };
}

/** The pose of a camera that stands there and looks there. */
export function poseOf(position: Vector, target: Vector, box: Box, lens: Lens): Pose {
  const [centre, radius] = [centreOf(box), radiusOf(box)];
  const away: Vector = [position[0] - target[0], position[1] - target[1], position[2] - target[2]];
  const distance = Math.hypot(...away);
  if (!(distance > 0)) return HOME;
  const [x, y, z] = lens.up === 'y' ? away : ([away[0], away[2], -away[1]] as const);
  const pan = (axis: 0 | 1 | 2): number =>
    clamped((target[axis] - centre[axis]) / radius, -MOST_PAN, MOST_PAN);
  return {
    yaw: Math.atan2(x, z),
    pitch: clamped(Math.asin(clamped(y / distance, -1, 1)), -MOST_PITCH, MOST_PITCH),
    zoom: clamped((fitDistance(lens) * radius) / distance, ...ZOOMS),
    pan: [pan(0), pan(1), pan(2)],
  };
}

/** From what is looked at, in radii. */
function distanceOf({ zoom }: Pose, lens: Lens): number {
  return fitDistance(lens) / zoom;
}

function fitDistance({ fovDeg, aspect }: Lens): number {
  const half = Math.tan(radians(fovDeg) / 2);
  return MARGIN / Math.sin(Math.atan(half * Math.min(1, aspect)));
}

function directionOf({ yaw, pitch }: Pose, up: UpAxis): Vector {
  return oriented([Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch), Math.cos(pitch) * Math.cos(yaw)], up);
}

/** What is said for y as the axis that points up, for the one that does. */
function oriented([x, y, z]: Vector, up: UpAxis): Vector {
  return up === 'y' ? [x, y, z] : [x, -z, y];
}

/** A single point has no size. */
const radiusOf = ({ radius }: Box): number => radius || 1;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
