// Finds what is under the cursor: of each line the point nearest in x (binary search: a thousand lines take a fraction of
// a millisecond), and of all lines the one whose stroke passes nearest to the pointer.
import { lowerBound, upperBound } from '../base/arrays';
import { yScaleOf, type Layout } from './layout';
import type { ChartSeries, Hover, HoverPoint } from './types';

/** A line that has ended (or not begun) within this distance still counts as being there. */
export const REACH_CSS_PX = 16;

/** Device pixels from the chart's top left corner; y is null when there is no pointer, only an x. */
export interface CursorPx {
  readonly x: number;
  readonly y: number | null;
}

export function findHover(series: readonly ChartSeries[], layout: Layout, cursor: CursorPx): Hover {
  const { xScale, ratio } = layout;
  const points: HoverPoint[] = [];
  let nearestKey: string | null = null;
  let leastDistance = Infinity;
  const x = xScale.valueFromPx(cursor.x);
  for (const line of series) {
    if (line.isBackground) continue;
    const yScale = yScaleOf(layout, line);
    const index = nearestPoint(line, layout, cursor);
    if (index < 0) continue;
    const dxPx = xScale.pxFromValue(line.x[index]!) - cursor.x;
    const isPassing = x >= line.x[0]! && x <= line.x[line.x.length - 1]!;
    if (!isPassing && !(Math.abs(dxPx) <= REACH_CSS_PX * ratio)) continue;
    const y = line.y[index]!;
    const pyPx = yScale.pxFromValue(y);
    const distancePx =
      cursor.y === null
        ? Math.abs(dxPx)
        : Number.isFinite(pyPx)
          ? Math.hypot(dxPx, pyPx - cursor.y)
          : Infinity;
    points.push({
      key: line.key,
      index,
      x: line.x[index]!,
      y,
      raw: line.raw ? line.raw[index]! : y,
      distancePx: distancePx / ratio,
    });
    const lineDistance =
      cursor.y === null ? distancePx : distanceToLine(line, layout, cursor.x, cursor.y, index);
    if (lineDistance < leastDistance || nearestKey === null) {
      leastDistance = lineDistance;
      nearestKey = line.key;
    }
  }
  return {
    x,
    y: cursor.y === null ? null : layout.yScale.valueFromPx(cursor.y),
    pointerPx: cursor.y === null ? null : { left: cursor.x / ratio, top: cursor.y / ratio },
    points,
    nearestKey,
  };
}

/**
 * Index of the point nearest in x on the screen, -1 without any. Of several at the same x (a step logged twice) the one
 * nearest to the pointer, without a pointer the last.
 */
export function nearestPoint(line: ChartSeries, layout: Layout, cursor: CursorPx): number {
  const { xScale } = layout;
  const yScale = yScaleOf(layout, line);
  const { x } = line;
  const firstPlaced = xScale.kind === 'log' ? upperBound(x, 0) : 0;
  if (firstPlaced >= x.length) return -1;
  const target = xScale.valueFromPx(cursor.x);
  const after = lowerBound(x, target, firstPlaced);
  const distance = (index: number): number => Math.abs(xScale.pxFromValue(x[index]!) - cursor.x);
  let index = after;
  if (after >= x.length || (after > firstPlaced && distance(after - 1) <= distance(after))) index = after - 1;
  const first = lowerBound(x, x[index]!, firstPlaced, index + 1);
  const last = upperBound(x, x[index]!, index) - 1;
  if (first === last) return first;
  if (cursor.y === null) return last;
  let best = last;
  let leastDistance = Infinity;
  for (let i = first; i <= last; i++) {
    const dy = Math.abs(yScale.pxFromValue(line.y[i]!) - cursor.y);
    if (dy < leastDistance) {
      leastDistance = dy;
      best = i;
    }
  }
  return best;
}

/** From the pointer to the line's strokes on both sides of this point; device pixels. */
function distanceToLine(line: ChartSeries, layout: Layout, xPx: number, yPx: number, index: number): number {
  const { xScale } = layout;
  const yScale = yScaleOf(layout, line);
  const px = xScale.pxFromValue(line.x[index]!);
  const py = yScale.pxFromValue(line.y[index]!);
  let least = Number.isFinite(py) ? Math.hypot(px - xPx, py - yPx) : Infinity;
  for (const neighbour of [index - 1, index + 1]) {
    if (neighbour < 0 || neighbour >= line.x.length) continue;
    const qx = xScale.pxFromValue(line.x[neighbour]!);
    const qy = yScale.pxFromValue(line.y[neighbour]!);
    const distance = distanceToSegment(xPx, yPx, px, py, qx, qy);
    // NaN where an end is not finite: no stroke there.
    if (distance < least) least = distance;
  }
  return least;
}

function distanceToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const lengthSquared = dx * dx + dy * dy;
  const along = lengthSquared === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / lengthSquared;
  const t = along < 0 ? 0 : along > 1 ? 1 : along;
  return Math.hypot(x - (ax + t * dx), y - (ay + t * dy));
}
