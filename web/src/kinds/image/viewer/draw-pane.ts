// Draws one pane of the viewer: the picture, a second one right of the divider, the grid between large pixels, the cursor.
// All lengths are device pixels.
import { paneFromPicture, type Point, type Size, type Viewport } from './viewport';

export interface PaneLayer extends Size {
  readonly bitmap: ImageBitmap;
  readonly hasAlpha: boolean;
}

export interface PaneScene {
  readonly pane: Size;
  readonly view: Viewport;
  readonly layer: PaneLayer;
  /** Right of this part of the pane's width, from 0 to 1. */
  readonly over: { readonly layer: PaneLayer; readonly from: number } | null;
  readonly isSmooth: boolean;
  readonly cursor: Point | null;
}

/** From here on a line between pixels leaves enough of them to see. */
export const GRID_FROM_SCALE = 12;
const CHECK_PX = 8;
const CHECK_COLOURS = ['#8b8d91', '#a3a5a9'] as const;

export function drawPane(context: CanvasRenderingContext2D, scene: PaneScene): void {
  const { pane, view, layer, over } = scene;
  context.clearRect(0, 0, pane.width, pane.height);
  if (over === null) drawLayer(context, scene, layer);
  else {
    const at = Math.round(over.from * pane.width);
    clippedTo(context, { x: 0, width: at }, pane, () => drawLayer(context, scene, layer));
    clippedTo(context, { x: at, width: pane.width - at }, pane, () => drawLayer(context, scene, over.layer));
  }
  if (view.scale >= GRID_FROM_SCALE) drawGrid(context, scene);
  if (scene.cursor !== null) drawCursor(context, scene, scene.cursor);
}

function clippedTo(
  context: CanvasRenderingContext2D,
  { x, width }: { readonly x: number; readonly width: number },
  pane: Size,
  draw: () => void,
): void {
  context.save();
  context.beginPath();
  context.rect(x, 0, width, pane.height);
  context.clip();
  draw();
  context.restore();
}

function drawLayer(
  context: CanvasRenderingContext2D,
  { pane, view, isSmooth }: PaneScene,
  layer: PaneLayer,
): void {
  const corner = paneFromPicture({ x: 0, y: 0 }, view, pane);
  // On whole pixels, or every edge of a large pixel is a blur.
  const [x, y] = [Math.round(corner.x), Math.round(corner.y)];
  const [width, height] = [layer.width * view.scale, layer.height * view.scale];
  if (layer.hasAlpha) drawChecks(context, { x, y, width, height }, pane);
  context.imageSmoothingEnabled = isSmooth;
  context.imageSmoothingQuality = view.scale < 1 ? 'high' : 'medium';
  context.drawImage(layer.bitmap, x, y, width, height);
}

/** Below what can be seen through. */
function drawChecks(
  context: CanvasRenderingContext2D,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  pane: Size,
): void {
  const [left, top] = [Math.max(box.x, 0), Math.max(box.y, 0)];
  const [right, bottom] = [
    Math.min(box.x + box.width, pane.width),
    Math.min(box.y + box.height, pane.height),
  ];
  if (right <= left || bottom <= top) return;
  const size = CHECK_PX * (globalThis.devicePixelRatio || 1);
  context.fillStyle = CHECK_COLOURS[0];
  context.fillRect(left, top, right - left, bottom - top);
  context.fillStyle = CHECK_COLOURS[1];
  for (let row = Math.floor(top / size); row * size < bottom; row++) {
    for (let column = Math.floor(left / size); column * size < right; column++) {
      if ((row + column) % 2 === 0) continue;
      const [x, y] = [Math.max(column * size, left), Math.max(row * size, top)];
      context.fillRect(
        x,
        y,
        Math.min((column + 1) * size, right) - x,
        Math.min((row + 1) * size, bottom) - y,
      );
    }
  }
}

function drawGrid(context: CanvasRenderingContext2D, { pane, view, layer }: PaneScene): void {
  const corner = paneFromPicture({ x: 0, y: 0 }, view, pane);
  const [x, y] = [Math.round(corner.x), Math.round(corner.y)];
  const [right, bottom] = [x + layer.width * view.scale, y + layer.height * view.scale];
  context.beginPath();
  const firstColumn = Math.max(0, Math.ceil(-x / view.scale));
  for (let c = firstColumn; c <= layer.width && x + c * view.scale <= pane.width; c++) {
    const at = Math.round(x + c * view.scale) + 0.5;
    context.moveTo(at, Math.max(0, y));
    context.lineTo(at, Math.min(pane.height, bottom));
  }
  const firstRow = Math.max(0, Math.ceil(-y / view.scale));
  for (let r = firstRow; r <= layer.height && y + r * view.scale <= pane.height; r++) {
    const at = Math.round(y + r * view.scale) + 0.5;
    context.moveTo(Math.max(0, x), at);
    context.lineTo(Math.min(pane.width, right), at);
  }
  context.lineWidth = 1;
  context.strokeStyle = 'rgb(128 128 128 / 32%)';
  context.stroke();
}

/** The pixel itself where it is large; a frame around it where it is not. Black in white: seen on everything. */
function drawCursor(context: CanvasRenderingContext2D, { pane, view }: PaneScene, cursor: Point): void {
  const corner = paneFromPicture({ x: Math.floor(cursor.x), y: Math.floor(cursor.y) }, view, pane);
  const side = Math.max(view.scale, 9);
  const shift = (side - view.scale) / 2;
  const [x, y] = [Math.round(corner.x - shift), Math.round(corner.y - shift)];
  context.lineWidth = 3;
  context.strokeStyle = 'rgb(0 0 0 / 80%)';
  context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
  context.lineWidth = 1;
  context.strokeStyle = '#fff';
  context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
}
