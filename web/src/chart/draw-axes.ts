// The quiet part of a chart: grid, axis lines, tick labels, names of axes, and a sentence about points that a log axis cannot
// show. Lines lie on half pixels, so that one device pixel stays one. The grid is the first y axis's: a second one over it
// would be read by nobody; its labels stand on the right, beside a line of their own.
import type { DrawContext } from './draw-context';
import { fontOf, type Layout } from './layout';
import { withEllipsis } from './text-width';
import { formatInteger } from '../base/format';
import type { Scale } from '../base/scale';
import type { Ticks } from '../base/ticks';
import type { ChartOptions } from './types';

const MINOR_GRID_OPACITY = 0.45;
/** CSS pixels between an axis and its labels. */
const LABEL_GAP = 6;

/** `hairlinePx`: how wide the lines are, in device pixels. */
export function drawGrid(context: DrawContext, layout: Layout, options: ChartOptions, hairlinePx = 1): void {
  const { plot, xScale, yScale } = layout;
  context.save();
  context.lineWidth = hairlinePx;
  context.strokeStyle = options.theme.grid;
  const horizontal = (value: number): void => {
    const y = crisp(yScale.pxFromValue(value));
    context.moveTo(plot.left, y);
    context.lineTo(plot.right, y);
  };
  const vertical = (value: number): void => {
    const x = crisp(xScale.pxFromValue(value));
    context.moveTo(x, plot.top);
    context.lineTo(x, plot.bottom);
  };
  if (layout.xTicks.minor.length + layout.yTicks.minor.length > 0) {
    context.globalAlpha = MINOR_GRID_OPACITY;
    context.beginPath();
    layout.yTicks.minor.forEach(horizontal);
    layout.xTicks.minor.forEach(vertical);
    context.stroke();
    context.globalAlpha = 1;
  }
  context.beginPath();
  for (const tick of layout.yTicks.major) horizontal(tick.value);
  for (const tick of layout.xTicks.major) vertical(tick.value);
  context.stroke();

  context.strokeStyle = options.theme.axis;
  context.beginPath();
  const base = crisp(plot.bottom);
  context.moveTo(plot.left, base);
  context.lineTo(plot.right, base);
  if (layout.right) {
    const side = crisp(plot.right);
    context.moveTo(side, plot.top);
    context.lineTo(side, base);
  }
  context.stroke();
  context.restore();
}

export function drawLabels(context: DrawContext, layout: Layout, options: ChartOptions): void {
  const { plot, ratio, xScale, yScale, width } = layout;
  const fontPx = options.theme.fontSizePx * ratio;
  context.save();
  context.font = fontOf(options, ratio);
  context.fillStyle = options.theme.mutedText;

  context.textBaseline = 'middle';
  drawSide(context, layout.yTicks, yScale, plot.left - LABEL_GAP * ratio, 'right');
  if (layout.right) {
    drawSide(context, layout.right.ticks, layout.right.scale, plot.right + LABEL_GAP * ratio, 'left');
  }

  context.textAlign = 'left';
  context.textBaseline = 'top';
  const labelTop = plot.bottom + LABEL_GAP * ratio;
  const contextTop = Math.round(labelTop + fontPx * 1.2);
  let labelEnd = -Infinity;
  let contextEnd = -Infinity;
  for (const tick of layout.xTicks.major) {
    const center = xScale.pxFromValue(tick.value);
    const labelWidth = context.measureText(tick.label).width;
    // Labels at the ends move inwards rather than being cut off.
    const left = Math.round(Math.min(center - labelWidth / 2, width - labelWidth - ratio));
    if (left >= labelEnd + 6 * ratio) {
      context.fillText(tick.label, left, labelTop);
      labelEnd = left + labelWidth;
    }
    if (tick.context === null) continue;
    const contextWidth = context.measureText(tick.context).width;
    const contextLeft = Math.round(Math.min(left, width - contextWidth - ratio));
    if (contextLeft >= contextEnd + 8 * ratio) {
      context.fillText(tick.context, contextLeft, contextTop);
      contextEnd = contextLeft + contextWidth;
    }
  }
  drawAxisNames(context, layout, options);
  context.restore();
}

/** Tick labels of a y axis. */
function drawSide(
  context: DrawContext,
  ticks: Ticks,
  scale: Scale,
  x: number,
  align: 'left' | 'right',
): void {
  context.textAlign = align;
  for (const tick of ticks.major) {
    context.fillText(tick.label, x, Math.round(scale.pxFromValue(tick.value)) + 0.5);
  }
}

function drawAxisNames(context: DrawContext, layout: Layout, options: ChartOptions): void {
  const { plot, width, height, ratio } = layout;
  const { xLabel, yLabel, right } = options;
  context.textAlign = 'center';
  context.textBaseline = 'bottom';
  if (xLabel) {
    const text = withEllipsis(context, xLabel, plot.right - plot.left);
    context.fillText(text, (plot.left + plot.right) / 2, height - 2 * ratio);
  }
  const middle = (plot.top + plot.bottom) / 2;
  const room = plot.bottom - plot.top;
  context.textBaseline = 'top';
  // Both read upwards or downwards from outside, so that a head tilts once per side.
  const upright = (text: string, x: number, turn: number): void => {
    context.save();
    context.translate(x, middle);
    context.rotate(turn);
    context.fillText(withEllipsis(context, text, room), 0, 0);
    context.restore();
  };
  if (yLabel) upright(yLabel, 2 * ratio, -Math.PI / 2);
  if (layout.right && right?.label) upright(right.label, width - 2 * ratio, Math.PI / 2);
}

/** What a log axis leaves out, in words; null: nothing. */
export function droppedText(dropped: { readonly x: number; readonly y: number }): string | null {
  const parts: string[] = [];
  if (dropped.y > 0) parts.push(`${pointsText(dropped.y)} at 0 or below`);
  if (dropped.x > 0) parts.push(`${pointsText(dropped.x)} at x ≤ 0`);
  return parts.length > 0 ? `${parts.join(' and ')} not shown (log axis)` : null;
}

function pointsText(count: number): string {
  return count === 1 ? '1 point' : `${formatInteger(count)} points`;
}

/** A sentence in the corner where the points would have been, readable over lines. */
export function drawNote(context: DrawContext, layout: Layout, options: ChartOptions, text: string): void {
  const { plot, ratio } = layout;
  const fontPx = options.theme.fontSizePx * ratio;
  context.save();
  context.font = fontOf(options, ratio);
  const width = context.measureText(text).width;
  const right = plot.right - 4 * ratio;
  const bottom = plot.bottom - 4 * ratio;
  context.globalAlpha = 0.8;
  context.fillStyle = options.theme.background;
  context.fillRect(
    right - width - 3 * ratio,
    bottom - fontPx - 2 * ratio,
    width + 6 * ratio,
    fontPx + 4 * ratio,
  );
  context.globalAlpha = 1;
  context.fillStyle = options.theme.mutedText;
  context.textAlign = 'right';
  context.textBaseline = 'bottom';
  context.fillText(text, right, bottom);
  context.restore();
}

/** The middle of the pixel that this place falls into. */
function crisp(px: number): number {
  return Math.round(px) + 0.5;
}
