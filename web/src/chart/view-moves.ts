// Zooming, panning and pinching: what pixels of a gesture mean for the ranges that the chart shows. All places and distances
// that come in are CSS pixels.
import type { Scale } from '../base/scale';
import type { Engine } from './engine';
import { fitX } from './fit';
import type { Place } from './gestures';
import type { Layout } from './layout';
import type { Brush, BrushAxes } from './overlay';
import type { Range } from './types';
import { covers, keepInTouch, panByPx, pinchPx, rangeBetweenPx, zoomAtPx } from './zoom';

/** What becomes of a y axis: it stays, it fits itself (null), or it shows what the scale's change says. */
type YChange = 'keep' | null | ((scale: Scale) => Range);
type YAxes = 'left' | 'right' | 'both';

export class ViewMoves {
  readonly #engine: Engine;
  /** Layout at the beginning of a pan or pinch: they count from there. */
  #start: Layout | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  showX(x: Range): void {
    this.#show(x, 'keep');
  }

  reset(): void {
    this.#show(null, null);
  }

  /** Shows `factor` times as much of x; what is at this x stays where it is. Without it, or when it is out of view: the middle. */
  zoomAround(x: number | null, factor: number): void {
    const layout = this.#engine.layout();
    if (!layout) return;
    const px = x === null ? NaN : layout.xScale.pxFromValue(x);
    const { left, right } = layout.plot;
    const anchorPx = px >= left && px <= right ? px : (left + right) / 2;
    this.#show(zoomAtPx(layout.xScale, anchorPx, factor), 'keep');
  }

  zoomAt(place: Place, factor: number, axes: 'x' | 'y' | 'plot'): void {
    const layout = this.#engine.layout();
    if (!layout) return;
    const { ratio, xScale } = layout;
    const { xRange, yRange } = this.#engine.options;
    const isYZoomed = axes === 'y' || (axes === 'plot' && yRange !== null);
    this.#show(
      axes === 'y' ? xRange : zoomAtPx(xScale, place.x * ratio, factor),
      isYZoomed ? (scale) => zoomAtPx(scale, place.y * ratio, factor) : 'keep',
      layout,
      yAxesAt(place, layout),
    );
  }

  zoomTo(brush: Brush): void {
    const layout = this.#engine.layout();
    if (!layout) return;
    const { ratio, xScale, plot } = layout;
    const within = (px: number, low: number, high: number): number =>
      Math.min(high, Math.max(low, px * ratio));
    const xPx = [brush.from.x, brush.to.x].map((px) => within(px, plot.left, plot.right)) as [number, number];
    const yPx = [brush.from.y, brush.to.y].map((px) => within(px, plot.top, plot.bottom)) as [number, number];
    this.#show(
      brush.axes === 'y' ? this.#engine.options.xRange : rangeBetweenPx(xScale, ...xPx),
      brush.axes === 'x' ? 'keep' : (scale) => rangeBetweenPx(scale, ...yPx),
      layout,
      yAxesAt(brush.from, layout),
    );
  }

  begin(): void {
    this.#start = this.#engine.layout();
  }

  panBy(dx: number, dy: number, axes: BrushAxes): void {
    const start = this.#start;
    if (!start) return;
    const { ratio, xScale } = start;
    const x = keepInTouch(panByPx(xScale, dx * ratio), this.#xLimits(), xScale);
    const { yRange, right } = this.#engine.options;
    const isYMoved = axes !== 'x' || yRange !== null || (right?.range ?? null) !== null;
    this.#show(x, isYMoved ? (scale) => panByPx(scale, dy * ratio) : null, start);
  }

  pinch(from: readonly [number, number], to: readonly [number, number]): void {
    const start = this.#start;
    if (!start) return;
    const { ratio, xScale } = start;
    const scaled = ([a, b]: readonly [number, number]): [number, number] => [a * ratio, b * ratio];
    this.#show(pinchPx(xScale, scaled(from), scaled(to)), 'keep');
  }

  /** Ranges that show everything are no ranges: the view follows the data again. */
  #show(
    x: Range | null,
    change: YChange,
    layout: Layout | null = this.#engine.layout(),
    axes: YAxes = 'both',
  ): void {
    const { yRange, right = null } = this.#engine.options;
    const changed = (range: Range | null, scale: Scale | undefined): Range | null =>
      change === 'keep' ? range : change && scale ? change(scale) : null;
    this.#engine.show(
      x && covers(x, this.#xLimits()) ? null : x,
      axes === 'right' ? yRange : changed(yRange, layout?.yScale),
      right && (axes === 'left' ? right.range : changed(right.range, layout?.right?.scale)),
    );
  }

  #xLimits(): Range {
    const { options, series } = this.#engine;
    return options.xLimits ?? fitX(series, options.xScale);
  }
}

/** Which y axes a gesture that begins here is about: in the margin of one it is about that one. */
function yAxesAt(place: Place, { plot, ratio, right }: Layout): YAxes {
  if (!right) return 'both';
  return place.x * ratio < plot.left ? 'left' : place.x * ratio > plot.right ? 'right' : 'both';
}
