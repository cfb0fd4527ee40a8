// What moves with the pointer: crosshair, points under it, the zoom box, and the highlighted line in front of a veil that lets
// the others recede. Drawn on a canvas of its own, so that none of it touches the lines below. The highlighted line is a wide
// stroke and expensive; it is kept as a picture of its own, so that moving the cursor over it costs a copy and not a stroke.
import { clipTo, type DrawContext } from './draw-context';
import { BAND_OPACITY, RAW_OPACITY } from './draw-lines';
import { indicesToDraw } from './fit';
import { yScaleOf, type Layout } from './layout';
import { traceBand } from './trace-band';
import { eachPiece, tracePath, type Dots } from './trace';
import { drawDots, drawMarks, findMarks } from './draw-marks';
import { fitLayer, giveBackLayer, takeLayer, type Layer } from './surface';
import type { ChartDot, ChartOptions, ChartSeries, Hover } from './types';

/** Opacity of the veil over all lines while one is highlighted. */
const VEIL_OPACITY = 0.72;
// In CSS pixels.
const HIGHLIGHT_WIDTH = 2.25;
const POINT_RADIUS = 3;
const MAIN_RADIUS = 4;
/** With more lines than this only the point of the line in question is shown: the others would be a snowstorm. */
const POINTS_MAX = 40;

export type BrushAxes = 'x' | 'y' | 'xy';

/** A zoom box, from where it began to where the pointer is: in CSS pixels as a gesture, in device pixels as drawn. */
export interface Brush {
  readonly axes: BrushAxes;
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
}

interface OverlayScene {
  readonly layout: Layout;
  readonly options: ChartOptions;
  readonly seriesByKey: ReadonlyMap<string, ChartSeries>;
  readonly hover: Hover | null;
  /** The line that the cursor is about; null: about all of them. */
  readonly mainKey: string | null;
  readonly brush: Brush | null;
  readonly highlight: ChartSeries | null;
  /** Paints markers and pins; null: there are none. */
  readonly drawHandles: ((context: DrawContext) => void) | null;
}

export class OverlayLayer {
  readonly #shown: Layer;
  #isClean = true;
  #highlight: { readonly layer: Layer; readonly layout: Layout; readonly line: ChartSeries } | null = null;

  constructor(shown: Layer) {
    this.#shown = shown;
  }

  paint(scene: OverlayScene): void {
    const { layout, options, hover, brush, highlight, drawHandles } = scene;
    if (!highlight) this.#dropHighlight();
    const dots = options.dots ?? hover?.points;
    const isEmpty = !dots && !brush && !highlight && !drawHandles;
    if (isEmpty && this.#isClean) return;
    const { context } = this.#shown;
    fitLayer(this.#shown, layout);
    context.clearRect(0, 0, layout.width, layout.height);
    this.#isClean = isEmpty;
    if (isEmpty) return;
    if (highlight) this.#paintHighlight(layout, options, highlight);
    if (hover && !options.dots) {
      const y = hover.pointerPx ? hover.pointerPx.top * layout.ratio : null;
      drawCrosshair(context, layout, options, layout.xScale.pxFromValue(hover.x), y);
    }
    if (dots) drawPoints(context, layout, options, dots, scene.seriesByKey, scene.mainKey);
    drawHandles?.(context);
    if (brush) drawBrush(context, layout, options, brush);
  }

  destroy(): void {
    this.#dropHighlight();
  }

  #paintHighlight(layout: Layout, options: ChartOptions, line: ChartSeries): void {
    if (this.#highlight?.layout !== layout || this.#highlight.line !== line) {
      this.#dropHighlight();
      const layer = takeLayer(layout);
      if (!layer) return;
      drawHighlight(layer.context, layout, options, line);
      this.#highlight = { layer, layout, line };
    }
    this.#shown.context.drawImage(this.#highlight.layer.canvas, 0, 0);
  }

  #dropHighlight(): void {
    if (this.#highlight) giveBackLayer(this.#highlight.layer);
    this.#highlight = null;
  }
}

/** The line in front, wide, above a veil. */
function drawHighlight(context: DrawContext, layout: Layout, options: ChartOptions, line: ChartSeries): void {
  const { plot, ratio, xScale } = layout;
  const yScale = yScaleOf(layout, line);
  const [from, to] = indicesToDraw(line.x, [xScale.min, xScale.max]);
  context.save();
  clipTo(context, { ...plot, left: plot.left - 3 * ratio, right: plot.right + 3 * ratio });
  context.globalAlpha = VEIL_OPACITY;
  context.fillStyle = options.theme.background;
  context.fillRect(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top);
  if (line.band) {
    context.fillStyle = line.color;
    context.globalAlpha = BAND_OPACITY;
    context.beginPath();
    const { band } = line;
    eachPiece(line.breaks, from, to, (begin, end) => {
      traceBand(context, line.x, band, begin, end, xScale, yScale);
    });
    context.fill();
  }
  context.strokeStyle = line.color;
  context.lineJoin = 'bevel';
  if (line.raw) {
    context.globalAlpha = RAW_OPACITY * 1.3;
    context.lineWidth = 1;
    context.beginPath();
    tracePath(context, line.x, line.raw, from, to, xScale, yScale, null);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.lineWidth = Math.max(HIGHLIGHT_WIDTH, (line.widthPx ?? 0) + 1) * ratio;
  context.setLineDash(line.dash ? line.dash.map((length) => length * ratio * 1.5) : []);
  context.beginPath();
  const dots: Dots = [];
  eachPiece(line.breaks, from, to, (begin, end) => {
    tracePath(context, line.x, line.y, begin, end, xScale, yScale, dots);
  });
  context.stroke();
  drawDots(context, dots, line.color, layout);
  drawMarks(context, findMarks(line, layout), line.color, layout);
  context.restore();
}

/** `yPx`: with a horizontal line, too – the pointer is in this chart. */
function drawCrosshair(
  context: DrawContext,
  layout: Layout,
  options: ChartOptions,
  xPx: number,
  yPx: number | null,
): void {
  const { plot, ratio } = layout;
  if (!(xPx >= plot.left - 1 && xPx <= plot.right + 1)) return;
  context.save();
  context.strokeStyle = options.theme.cursor;
  context.lineWidth = 1;
  context.beginPath();
  const x = Math.round(xPx) + 0.5;
  context.moveTo(x, plot.top);
  context.lineTo(x, plot.bottom);
  context.stroke();
  if (yPx !== null && yPx >= plot.top && yPx <= plot.bottom) {
    context.setLineDash([2 * ratio, 3 * ratio]);
    context.beginPath();
    const y = Math.round(yPx) + 0.5;
    context.moveTo(plot.left, y);
    context.lineTo(plot.right, y);
    context.stroke();
  }
  context.restore();
}

/** A dot on each line, a larger one with a rim on the line in question. */
function drawPoints(
  context: DrawContext,
  layout: Layout,
  options: ChartOptions,
  points: readonly ChartDot[],
  seriesByKey: ReadonlyMap<string, ChartSeries>,
  mainKey: string | null,
): void {
  const { plot, ratio, xScale } = layout;
  const isMain = (point: { readonly key: string }): boolean => point.key === mainKey;
  const shown = points.length <= POINTS_MAX ? points : points.filter(isMain);
  context.save();
  clipTo(context, { ...plot, left: plot.left - 5 * ratio, right: plot.right + 5 * ratio });
  for (const point of [...shown].sort((a, b) => Number(isMain(a)) - Number(isMain(b)))) {
    const line = seriesByKey.get(point.key);
    const x = xScale.pxFromValue(point.x);
    const y = line ? yScaleOf(layout, line).pxFromValue(point.y) : NaN;
    if (!line || line.widthPx === 0 || !Number.isFinite(x) || !Number.isFinite(y)) continue;
    const radius = (isMain(point) && points.length > 1 ? MAIN_RADIUS : POINT_RADIUS) * ratio;
    context.beginPath();
    context.arc(x, y, radius + 1.5 * ratio, 0, 2 * Math.PI);
    context.fillStyle = options.theme.background;
    context.fill();
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = line.color;
    context.fill();
  }
  context.restore();
}

const BRUSH_ALPHA = 0.14;

function drawBrush(context: DrawContext, layout: Layout, options: ChartOptions, brush: Brush): void {
  const { plot } = layout;
  const left = brush.axes === 'y' ? plot.left : Math.round(Math.min(brush.from.x, brush.to.x));
  const right = brush.axes === 'y' ? plot.right : Math.round(Math.max(brush.from.x, brush.to.x));
  const top = brush.axes === 'x' ? plot.top : Math.round(Math.min(brush.from.y, brush.to.y));
  const bottom = brush.axes === 'x' ? plot.bottom : Math.round(Math.max(brush.from.y, brush.to.y));
  context.save();
  clipTo(context, plot);
  // A tint: what is being chosen must stay visible.
  context.globalAlpha = BRUSH_ALPHA;
  context.fillStyle = options.theme.brush;
  context.fillRect(left, top, right - left, bottom - top);
  context.globalAlpha = 1;
  context.strokeStyle = options.theme.cursor;
  context.lineWidth = 1;
  context.beginPath();
  if (brush.axes !== 'y') {
    context.moveTo(left + 0.5, top);
    context.lineTo(left + 0.5, bottom);
    context.moveTo(right - 0.5, top);
    context.lineTo(right - 0.5, bottom);
  }
  if (brush.axes !== 'x') {
    context.moveTo(left, top + 0.5);
    context.lineTo(right, top + 0.5);
    context.moveTo(left, bottom - 0.5);
    context.lineTo(right, bottom - 0.5);
  }
  context.stroke();
  context.restore();
}
