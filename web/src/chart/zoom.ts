// Arithmetic of ranges under pan and zoom. It happens in transformed space (log10 on log axes), so that a value under the
// pointer stays under it on every scale.
import { transform, untransform, type Scale } from '../base/scale';
import { tidyRange } from './fit';
import type { Range } from './types';

/** The range between two places on the axis, whichever comes first. */
export function rangeBetweenPx(scale: Scale, aPx: number, bPx: number): Range {
  const a = scale.valueFromPx(aPx);
  const b = scale.valueFromPx(bPx);
  return tidyRange([Math.min(a, b), Math.max(a, b)], scale.kind, scale.linearWidth);
}

/** Shows `factor` times as much (below 1: zooms in) while the value at `anchorPx` stays where it is. */
export function zoomAtPx(scale: Scale, anchorPx: number, factor: number): Range {
  return rangeBetweenPx(
    scale,
    anchorPx + (scale.pxMin - anchorPx) * factor,
    anchorPx + (scale.pxMax - anchorPx) * factor,
  );
}

/** What is shown after the content was moved by so many pixels. */
export function panByPx(scale: Scale, byPx: number): Range {
  return rangeBetweenPx(scale, scale.pxMin - byPx, scale.pxMax - byPx);
}

/** After two fingers went from one pair of places to another: what was below each is below it again. */
export function pinchPx(scale: Scale, from: readonly [number, number], to: readonly [number, number]): Range {
  const ratio = (from[1] - from[0]) / (to[1] - to[0]);
  const placeBefore = (px: number): number => from[0] + (px - to[0]) * ratio;
  return rangeBetweenPx(scale, placeBefore(scale.pxMin), placeBefore(scale.pxMax));
}

/** Whether the whole of `inner` is shown by `outer`. */
export function covers(outer: Range, inner: Range): boolean {
  return outer[0] <= inner[0] && outer[1] >= inner[1];
}

/** The range moved (not resized) so that it touches `limits`: nobody pans into the void and gets lost. */
export function keepInTouch(range: Range, limits: Range, scale: Scale): Range {
  const { kind, linearWidth } = scale;
  const t = (value: number): number => transform(kind, value, linearWidth);
  const [min, max, low, high] = [t(range[0]), t(range[1]), t(limits[0]), t(limits[1])];
  const span = max - min;
  // A tenth of the axis keeps showing data.
  const overlap = Math.min(span, high - low) * 0.1;
  let shift = 0;
  if (max < low + overlap) shift = low + overlap - max;
  else if (min > high - overlap) shift = high - overlap - min;
  if (shift === 0) return range;
  return tidyRange(
    [untransform(kind, min + shift, linearWidth), untransform(kind, max + shift, linearWidth)],
    kind,
    linearWidth,
  );
}
