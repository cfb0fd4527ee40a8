// The keyboard's cursor: on one point of one line. Left and right go from point to point, up and down to the line above or
// below at the same x. It remembers x, so that it stays where it is when new data replaces the arrays.
import { nearestIndex } from '../base/arrays';
import type { ChartSeries, HoverPoint, Range } from './types';

export interface PointCursor {
  readonly key: string;
  readonly index: number;
  readonly x: number;
}

/** On the line's point nearest to x; null when it has none. */
export function cursorAt(line: ChartSeries | undefined, x: number): PointCursor | null {
  const index = line ? nearestIndex(line.x, x) : -1;
  return line && index >= 0 ? { key: line.key, index, x: line.x[index]! } : null;
}

/** So many points on; stops at the ends of the line. */
export function movedBy(cursor: PointCursor, line: ChartSeries, by: number): PointCursor {
  const index = Math.max(0, Math.min(line.x.length - 1, cursor.index + by));
  return { key: line.key, index, x: line.x[index]! };
}

/** After the arrays were replaced: the same place in the new ones. */
export function rebased(cursor: PointCursor, line: ChartSeries | undefined): PointCursor | null {
  if (line && line.x[cursor.index] === cursor.x) return cursor;
  return cursorAt(line, cursor.x);
}

/**
 * The key of the line next above (by = 1) or below (-1) this one among the points at the cursor; null at the last one.
 * `heightOf`: how high on the chart a point lies.
 */
export function lineBeside(
  points: readonly HoverPoint[],
  key: string,
  by: 1 | -1,
  heightOf: (point: HoverPoint) => number,
): string | null {
  const inOrder = points
    .filter((point) => Number.isFinite(heightOf(point)))
    .sort((a, b) => heightOf(a) - heightOf(b));
  const at = inOrder.findIndex((point) => point.key === key);
  if (at < 0) return inOrder[0]?.key ?? null;
  return inOrder[at + by]?.key ?? null;
}

/** The range moved so that x is inside, a little away from the edge. */
export function rangeShowing(range: Range, x: number): Range {
  const span = range[1] - range[0];
  if (x < range[0]) return [x - span * 0.1, x + span * 0.9];
  if (x > range[1]) return [x - span * 0.9, x + span * 0.1];
  return range;
}
