// Which threshold the pointer is at.
import type { Curve } from './curve';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The threshold of the point nearest to a place; `pxPer`: how many pixels 1 is on each axis. null: there are no points. */
export function nearestThreshold(curves: readonly Curve[], { x, y }: Place, pxPer: Place): number | null {
  let best: number | null = null;
  let least = Infinity;
  for (const curve of curves)
    for (let i = 0; i < curve.x.length; i++) {
      if (Number.isNaN(curve.threshold[i])) continue;
      const distance = Math.hypot((curve.x[i]! - x) * pxPer.x, (curve.y[i]! - y) * pxPer.y);
      if (distance < least) [best, least] = [curve.threshold[i]!, distance];
    }
  return best;
}
