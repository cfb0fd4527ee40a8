// Turns a stretch of a series into path calls. The hot loop of the engine: called for every point of every line that is
// drawn, so the scales are taken apart into plain numbers and nothing is allocated per point.
import { symlog, type Scale } from '../base/scale';
import type { DrawContext } from './draw-context';

/** Coordinates beyond this are pulled in: path code works in 32-bit floats. */
const FAR_PX = 1e6;
/** With more points than this per pixel column, only the lowest and the highest of each column are drawn. */
const MERGE_FROM_POINTS_PER_PX = 2;

/** Where single points without neighbours were met: pairs of x and y. */
export type Dots = number[];

/** How many points of so many are drawn on this many columns: what a stroke costs. */
export function tracedCount(count: number, columns: number): number {
  return Math.max(0, Math.min(count, columns * MERGE_FROM_POINTS_PER_PX));
}

/**
 * Adds the points [from, to) to the context's current path. Points without a place (not finite, or not positive on a log
 * axis) interrupt the line; a point that stands alone between interruptions goes to `dots`.
 *
 * Where points are dense the same picture comes from fewer segments: a column of one pixel is filled from its lowest to its
 * highest point, whatever lies between them. Where the line begins and ends (also at a break) the exact points are drawn.
 */
export function tracePath(
  context: DrawContext,
  x: Float64Array,
  y: Float64Array,
  from: number,
  to: number,
  xScale: Scale,
  yScale: Scale,
  dots: Dots | null,
): void {
  const isMerged = to - from > Math.abs(xScale.pxMax - xScale.pxMin) * MERGE_FROM_POINTS_PER_PX;
  const { pxMin: x0, tMin: tx0, slope: ax } = xScale;
  const { pxMin: y0, tMin: ty0, slope: ay, kind: yKind, linearWidth } = yScale;
  const isLogX = xScale.kind === 'log';
  let column = NaN;
  let runLength = 0;
  let lastX = 0;
  let lastY = 0;
  let lowX = 0;
  let lowY = 0;
  let highX = 0;
  let highY = 0;
  const flushColumn = (): void => {
    // In the order in which they were met; a column with one point has one.
    const isLowFirst = lowX <= highX;
    context.lineTo(isLowFirst ? lowX : highX, isLowFirst ? lowY : highY);
    if (lowY !== highY) context.lineTo(isLowFirst ? highX : lowX, isLowFirst ? highY : lowY);
  };
  const endRun = (): void => {
    if (runLength === 1 && dots) dots.push(lastX, lastY);
    if (runLength > 1 && isMerged) {
      flushColumn();
      context.lineTo(lastX, lastY);
    }
    runLength = 0;
  };
  for (let i = from; i < to; i++) {
    const value = y[i]!;
    const tx = isLogX ? Math.log10(x[i]!) : x[i]!;
    const ty = yKind === 'linear' ? value : yKind === 'log' ? Math.log10(value) : symlog(value, linearWidth);
    const px = x0 + ax * (tx - tx0);
    const placed = y0 + ay * (ty - ty0);
    // False for NaN and both infinities.
    if (px - px !== 0 || placed - placed !== 0) {
      endRun();
      continue;
    }
    const py = Math.max(-FAR_PX, Math.min(FAR_PX, placed));
    const isNewColumn = runLength === 0 || !isMerged || Math.floor(px) !== column;
    if (runLength === 0) context.moveTo(px, py);
    else if (!isMerged) context.lineTo(px, py);
    else if (isNewColumn) flushColumn();
    if (isNewColumn) {
      column = Math.floor(px);
      lowX = highX = px;
      lowY = highY = py;
    } else if (py < lowY) {
      lowX = px;
      lowY = py;
    } else if (py > highY) {
      highX = px;
      highY = py;
    }
    runLength++;
    lastX = px;
    lastY = py;
  }
  endRun();
}

/** Calls with each stretch of [from, to) that is not broken by an index in between. */
export function eachPiece(
  breaks: readonly number[] | undefined,
  from: number,
  to: number,
  use: (from: number, to: number) => void,
): void {
  let begin = from;
  for (const end of breaks ?? []) {
    if (end <= begin) continue;
    if (end >= to) break;
    use(begin, end);
    begin = end;
  }
  use(begin, to);
}
