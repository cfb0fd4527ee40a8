// Points that are not part of a line: single ones as dots, values that are not finite as triangles. A NaN sits where the line
// was when it broke; infinities sit on the edge they left through and point outwards.
import type { DrawContext } from './draw-context';
import { indicesToDraw } from './fit';
import { yScaleOf, type Layout } from './layout';
import type { Dots } from './trace';
import type { ChartSeries } from './types';

export interface Mark {
  readonly kind: 'nan' | 'above' | 'below';
  readonly x: number;
  readonly y: number;
}

// In CSS pixels.
const DOT_RADIUS = 2.25;
const MARK_RADIUS = 4.5;
/** Marks of one line are at least this far apart: a thousand NaNs in a row are one statement. */
const MARK_DISTANCE = 7;

export function drawDots(context: DrawContext, dots: Dots, color: string, layout: Layout): void {
  if (dots.length === 0) return;
  const radius = DOT_RADIUS * layout.ratio;
  context.fillStyle = color;
  context.beginPath();
  for (let i = 0; i < dots.length; i += 2) {
    context.moveTo(dots[i]! + radius, dots[i + 1]!);
    context.arc(dots[i]!, dots[i + 1]!, radius, 0, 2 * Math.PI);
  }
  context.fill();
}

/** A value is judged as it was logged; smoothing can hide what happened. */
export function findMarks(series: ChartSeries, layout: Layout): Mark[] {
  const { xScale, plot, ratio } = layout;
  const yScale = yScaleOf(layout, series);
  const logged = series.raw ?? series.y;
  const [from, to] = indicesToDraw(series.x, [xScale.min, xScale.max]);
  const marks: Mark[] = [];
  const lastPx = { nan: -Infinity, above: -Infinity, below: -Infinity };
  let linePx = firstPlace(series, layout, from, to);
  for (let i = from; i < to; i++) {
    const drawnPx = yScale.pxFromValue(series.y[i]!);
    if (Number.isFinite(drawnPx)) linePx = drawnPx;
    const value = Number.isFinite(logged[i]!) ? series.y[i]! : logged[i]!;
    if (Number.isFinite(value)) continue;
    const x = xScale.pxFromValue(series.x[i]!);
    if (!(x >= plot.left - 1 && x <= plot.right + 1)) continue;
    const kind = value === Infinity ? 'above' : value === -Infinity ? 'below' : 'nan';
    if (x - lastPx[kind] < MARK_DISTANCE * ratio) continue;
    lastPx[kind] = x;
    const inset = MARK_RADIUS * ratio;
    const y =
      kind === 'above'
        ? plot.top + inset
        : kind === 'below'
          ? plot.bottom - inset
          : Math.min(plot.bottom - inset, Math.max(plot.top + inset, linePx));
    marks.push({ kind, x, y });
  }
  return marks;
}

/** Where a line that begins with NaN will be; the bottom when it never gets anywhere. */
function firstPlace(series: ChartSeries, layout: Layout, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const px = yScaleOf(layout, series).pxFromValue(series.y[i]!);
    if (Number.isFinite(px)) return px;
  }
  return layout.plot.bottom;
}

export function drawMarks(context: DrawContext, marks: readonly Mark[], color: string, layout: Layout): void {
  const radius = MARK_RADIUS * layout.ratio;
  context.fillStyle = color;
  context.beginPath();
  for (const { kind, x, y } of marks) {
    const tip = kind === 'below' ? y + radius : y - radius;
    const base = kind === 'below' ? y - radius * 0.7 : y + radius * 0.7;
    context.moveTo(x, tip);
    context.lineTo(x + radius, base);
    context.lineTo(x - radius, base);
    context.closePath();
  }
  context.fill();
}
