// From values to pixels and back. A scale is two steps: a transform (identity, log10, symlog) and a straight line from the
// transformed value to pixels. Hot loops take the parts (`transform`, `slope`, …) and inline them; all others call
// `pxFromValue`. The line is written as pxMin + slope · (t − tMin) and not as offset + slope · t: with wall times near
// 1.7e9 s and a view of milliseconds the offset would eat all digits.

export type ScaleKind = 'linear' | 'log' | 'symlog';

export interface Scale {
  readonly kind: ScaleKind;
  /** What is shown, in values; min < max. */
  readonly min: number;
  readonly max: number;
  /** Where `min` and `max` lie. y axes have pxMin > pxMax. */
  readonly pxMin: number;
  readonly pxMax: number;
  /** Below this distance from zero a symlog scale is about linear; unused by the others. */
  readonly linearWidth: number;
  readonly tMin: number;
  /** Pixels per unit of the transformed value. */
  readonly slope: number;
  /** NaN for values that have no place on the scale (zero and below on a log scale). */
  pxFromValue(value: number): number;
  valueFromPx(px: number): number;
}

/** The value before the straight line; NaN where the scale has no place for it. */
export function transform(kind: ScaleKind, value: number, linearWidth = 1): number {
  switch (kind) {
    case 'linear':
      return value;
    case 'log':
      return value > 0 ? Math.log10(value) : NaN;
    case 'symlog':
      return symlog(value, linearWidth);
  }
}

/** log1p here and expm1 on the way back keep the digits of values near zero. */
export function symlog(value: number, linearWidth: number): number {
  return (Math.sign(value) * Math.log1p(Math.abs(value) / linearWidth)) / Math.LN10;
}

export function untransform(kind: ScaleKind, t: number, linearWidth = 1): number {
  switch (kind) {
    case 'linear':
      return t;
    case 'log':
      return 10 ** t;
    case 'symlog':
      return Math.sign(t) * linearWidth * Math.expm1(Math.abs(t) * Math.LN10);
  }
}

/** `range` must not be empty; see chart/fit.ts, which makes sure of it. */
export function makeScale(
  kind: ScaleKind,
  range: readonly [number, number],
  pxRange: readonly [number, number],
  linearWidth = 1,
): Scale {
  const [min, max] = range;
  const [pxMin, pxMax] = pxRange;
  const tMin = transform(kind, min, linearWidth);
  const tMax = transform(kind, max, linearWidth);
  const slope = (pxMax - pxMin) / (tMax - tMin);
  return {
    kind,
    min,
    max,
    pxMin,
    pxMax,
    linearWidth,
    tMin,
    slope,
    pxFromValue: (value) => pxMin + slope * (transform(kind, value, linearWidth) - tMin),
    valueFromPx: (px) => untransform(kind, tMin + (px - pxMin) / slope, linearWidth),
  };
}
