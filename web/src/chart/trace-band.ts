// The outline of a band as path calls: along its upper side, back along its lower one. Like trace.ts a hot loop; the way back
// is kept in a buffer that all bands share.
import { transform, type Scale } from '../base/scale';
import type { DrawContext } from './draw-context';
import type { ChartSeries } from './types';

/** As in trace.ts: path code works in 32-bit floats. */
const FAR_PX = 1e6;
/** With more points than this per pixel column, a column is one piece from its lowest to its highest. */
const MERGE_FROM_POINTS_PER_PX = 2;
/** Half of the width of a band that is one point long, in pixels. */
const LONE_HALF_PX = 1.5;

/** Pairs of x and y of the lower side of the piece at hand; grows to what was needed once. */
let lower = new Float64Array(4096);

/**
 * Adds the band over the points [from, to) to the context's path, one closed piece per stretch where both ends are finite.
 * On a log axis a lower end at zero or below is as far down as one can see; an upper one there leaves a gap.
 */
export function traceBand(
  context: DrawContext,
  x: Float64Array,
  band: NonNullable<ChartSeries['band']>,
  from: number,
  to: number,
  xScale: Scale,
  yScale: Scale,
): void {
  const { low, high } = band;
  const isMerged = to - from > Math.abs(xScale.pxMax - xScale.pxMin) * MERGE_FROM_POINTS_PER_PX;
  const isLog = yScale.kind === 'log';
  if (lower.length < 2 * (to - from)) lower = new Float64Array(4 * (to - from));
  let count = 0;
  let column = NaN;
  let columnX = 0;
  let columnTop = 0;
  let columnBottom = 0;
  const flushColumn = (): void => {
    if (count === 0) context.moveTo(columnX, columnTop);
    else context.lineTo(columnX, columnTop);
    lower[2 * count] = columnX;
    lower[2 * count + 1] = columnBottom;
    count++;
  };
  const endPiece = (): void => {
    if (column === column) flushColumn();
    if (count === 1) {
      context.rect(columnX - LONE_HALF_PX, columnTop, 2 * LONE_HALF_PX, columnBottom - columnTop);
    } else if (count > 1) {
      for (let i = count - 1; i >= 0; i--) context.lineTo(lower[2 * i]!, lower[2 * i + 1]!);
      context.closePath();
    }
    count = 0;
    column = NaN;
  };
  for (let i = from; i < to; i++) {
    const px = place(xScale, x[i]!);
    const top = place(yScale, high[i]!);
    const lowest = low[i]!;
    const bottom = isLog && lowest <= 0 && lowest > -Infinity ? FAR_PX : place(yScale, lowest);
    if (px - px !== 0 || top - top !== 0 || bottom - bottom !== 0) {
      endPiece();
      continue;
    }
    const nextColumn = isMerged ? Math.floor(px) : i;
    if (nextColumn === column) {
      if (top < columnTop) columnTop = top;
      if (bottom > columnBottom) columnBottom = bottom;
      continue;
    }
    if (column === column) flushColumn();
    column = nextColumn;
    columnX = px;
    columnTop = top;
    columnBottom = bottom;
  }
  endPiece();
}

function place(scale: Scale, value: number): number {
  const px = scale.pxMin + scale.slope * (transform(scale.kind, value, scale.linearWidth) - scale.tMin);
  return px > FAR_PX && px < Infinity ? FAR_PX : px < -FAR_PX && px > -Infinity ? -FAR_PX : px;
}
