// Which part of a picture a pane shows, and how large. A viewport is said in pixels of the picture, so that several panes (of
// pictures of different sizes, too) can show the same place: `scale` is device pixels per pixel of the picture, and x, y is the
// place of the picture that is in the middle of the pane. null stands for "all of it, as large as it goes".

export interface Viewport {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const LEAST_SCALE = 1 / 64;
export const GREATEST_SCALE = 128;
/** Of the pane that stays free around a picture that fits. */
const FIT_MARGIN_PX = 12;
/** Small pictures are not blown up further than this to fit: their pixels would be fields of colour. */
const GREATEST_FIT = 32;

/** All of the picture; `pane` in device pixels. */
export function fitted(picture: Size, pane: Size): Viewport {
  const room = (side: number): number => Math.max(1, side - 2 * FIT_MARGIN_PX);
  const scale = Math.min(room(pane.width) / picture.width, room(pane.height) / picture.height, GREATEST_FIT);
  // Whole numbers of pixels look even.
  const even = scale > 1 ? (scale >= 2 ? Math.floor(scale) : 1) : scale;
  return { scale: Math.max(even, LEAST_SCALE / 16), x: picture.width / 2, y: picture.height / 2 };
}

export function pictureFromPane(point: Point, view: Viewport, pane: Size): Point {
  return {
    x: view.x + (point.x - pane.width / 2) / view.scale,
    y: view.y + (point.y - pane.height / 2) / view.scale,
  };
}

export function paneFromPicture(point: Point, view: Viewport, pane: Size): Point {
  return {
    x: (point.x - view.x) * view.scale + pane.width / 2,
    y: (point.y - view.y) * view.scale + pane.height / 2,
  };
}

/** Scales by the factor; the place below `at` (in the pane) stays where it is. */
export function zoomedAround(view: Viewport, factor: number, at: Point, pane: Size): Viewport {
  const scale = Math.min(Math.max(view.scale * factor, LEAST_SCALE), GREATEST_SCALE);
  const fixed = pictureFromPane(at, view, pane);
  return {
    scale,
    x: fixed.x - (at.x - pane.width / 2) / scale,
    y: fixed.y - (at.y - pane.height / 2) / scale,
  };
}

/** Moves what is seen by so many device pixels, as a drag does. */
export function pannedBy(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale };
}

/** The middle of the pane stays over the picture, or it would be lost from sight. */
export function clamped(view: Viewport, picture: Size): Viewport {
  return {
    scale: Math.min(Math.max(view.scale, LEAST_SCALE), GREATEST_SCALE),
    x: Math.min(Math.max(view.x, 0), picture.width),
    y: Math.min(Math.max(view.y, 0), picture.height),
  };
}

/** Steps of the zoom buttons: doubling is felt as one step, half of that is handy in between. */
const ZOOM_STEPS = [
  ...[1 / 64, 1 / 32, 1 / 16, 1 / 12, 1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 1, 1.5],
  ...[2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128],
];

/** The next handy scale in the direction of the sign. */
export function nextScale(scale: number, direction: 1 | -1): number {
  const isBeyond = (step: number): boolean => (direction === 1 ? step > scale * 1.01 : step < scale * 0.99);
  const found = direction === 1 ? ZOOM_STEPS.find(isBeyond) : ZOOM_STEPS.findLast(isBeyond);
  return found ?? (direction === 1 ? GREATEST_SCALE : LEAST_SCALE);
}

/** "100 %", "66.7 %". */
export function scaleText(scale: number): string {
  const percent = 100 * scale;
  return `${percent >= 100 || Number.isInteger(percent) ? Math.round(percent) : Number(percent.toPrecision(3))} %`;
}

export function writeViewport({ scale, x, y }: Viewport): string {
  return [scale, x, y].map((value) => String(Number(value.toPrecision(6)))).join('_');
}

/** undefined: makes no sense. */
export function readViewport(text: string): Viewport | undefined {
  const [scale = NaN, x = NaN, y = NaN] = text.split('_').map((part) => (part === '' ? NaN : Number(part)));
  const isSense = scale >= LEAST_SCALE && scale <= GREATEST_SCALE && Number.isFinite(x) && Number.isFinite(y);
  return isSense ? { scale, x, y } : undefined;
}
