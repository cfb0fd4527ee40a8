// What a chart does when pointers and keys come: knows where they are, which points that is near, and paints what follows
// them. Zooming is view-moves.ts. Markers and pins are grips.ts, fetched with the first of them: most charts have none.
import { untilHere } from '../base/late-code';
import type { PxBox } from './draw-context';
import type { Engine } from './engine';
import { listenToGestures, type GestureTarget, type Grip, type Place } from './gestures';
import type { Grips } from './grips';
import type { SelectedEnd } from './handles';
import { findHover } from './hover-index';
import { listenToKeys, type KeyTarget } from './keys';
import { yScaleOf, type Layout } from './layout';
import { OverlayLayer, type Brush, type BrushAxes } from './overlay';
import { cursorAt, lineBeside, movedBy, rangeShowing, rebased, type PointCursor } from './point-cursor';
import type { ChartSeries, Hover, HoverPoint } from './types';
import { ViewMoves } from './view-moves';

/** How far from a line a click is still on it, in CSS pixels. */
const CLICK_REACH_PX = 12;
/** A click that is not followed by another in this time is no double click. */
const CLICK_PAUSE_MS = 250;

let gripsCode: { readonly Grips: typeof Grips } | null = null;
let gripsLoad: Promise<void> | null = null;

export function loadGrips(): Promise<void> {
  gripsLoad ??= untilHere(() => import('./grips')).then((code) => void (gripsCode = code));
  return gripsLoad;
}

export class Interaction implements GestureTarget, KeyTarget {
  readonly #engine: Engine;
  readonly #overlay: OverlayLayer | null;
  readonly #moves: ViewMoves;
  readonly #stops: readonly (() => void)[];
  #isDestroyed = false;
  /** null: there was nothing to take hold of yet, or its code is on its way. */
  #grips: Grips | null = null;
  #areGripsAsked = false;

  #pointer: Place | null = null;
  #keyboard: PointCursor | null = null;
  #hover: Hover | null = null;
  #lastHover: {
    readonly layout: Layout;
    readonly series: readonly ChartSeries[];
    readonly hover: Hover;
  } | null = null;
  #brush: Brush | null = null;
  /** A click that may become a double one. */
  #clickTimer: number | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#overlay = engine.overlay && new OverlayLayer(engine.overlay);
    this.#moves = new ViewMoves(engine);
    this.#stops = [listenToGestures(engine.host, this), listenToKeys(engine.host, this)];
  }

  destroy(): void {
    this.#isDestroyed = true;
    clearTimeout(this.#clickTimer);
    for (const stop of this.#stops) stop();
    this.#engine.scheduler.cancelUrgent(this.#updateHover);
    this.#engine.scheduler.cancelUrgent(this.#paintOverlay);
    this.#grips?.destroy();
    this.#overlay?.destroy();
  }

  // ---- what the engine tells ----

  /** Lines were replaced. */
  takeSeries(): void {
    const cursor = this.#keyboard;
    if (cursor) this.#keyboard = rebased(cursor, this.#engine.seriesByKey.get(cursor.key));
  }

  /** Lines or view have changed: what is under pointer and cursor may have, too. */
  refresh(): void {
    if (this.#hover || this.#pointer || this.#keyboard) this.#engine.scheduler.urgent(this.#updateHover);
    else this.queueOverlay();
  }

  /** The cursor of another chart has moved. The own pointer is in front of what other charts say. */
  followCursor(): void {
    if (!this.#hover) this.queueOverlay();
  }

  /** A chart that nobody sees catches up when it is scrolled into view. */
  readonly queueOverlay = (): void => {
    if (this.#engine.isVisible() && !this.#isDestroyed) this.#engine.scheduler.urgent(this.#paintOverlay);
  };

  hoverAt(x: number, layout: Layout): Hover {
    const { series } = this.#engine;
    const last = this.#lastHover;
    // Whoever follows a cursor asks for the same place as the overlay that is painted for it.
    if (last?.hover.x === x && last.layout === layout && last.series === series) return last.hover;
    const hover = { ...findHover(series, layout, { x: layout.xScale.pxFromValue(x), y: null }), x };
    this.#lastHover = { layout, series, hover };
    return hover;
  }

  // ---- hover and overlay ----

  /** What is under pointer or keyboard cursor now; tells the owner. Once per frame, however often the pointer moved. */
  readonly #updateHover = (): void => {
    const hover = this.#findHover();
    const isNews = hover !== null || this.#hover !== null;
    this.#hover = hover;
    if (isNews) this.#engine.callbacks.onHover?.(hover);
    this.#grips?.showShape(this.#pointer);
    this.queueOverlay();
  };

  #findHover(): Hover | null {
    const layout = this.#engine.layout();
    if (!layout) return null;
    if (this.#pointer) {
      const { ratio, plot } = layout;
      const x = this.#pointer.x * ratio;
      const y = this.#pointer.y * ratio;
      const isInside = x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom;
      return isInside ? findHover(this.#engine.series, layout, { x, y }) : null;
    }
    const cursor = this.#keyboard;
    const line = cursor && this.#engine.seriesByKey.get(cursor.key);
    if (!cursor || !line) return null;
    const hover = this.hoverAt(cursor.x, layout);
    const y = line.y[cursor.index]!;
    const own = { key: line.key, index: cursor.index, x: cursor.x, y, raw: line.raw?.[cursor.index] ?? y };
    const others = hover.points.filter((point) => point.key !== line.key);
    return { ...hover, y, nearestKey: line.key, points: [...others, { ...own, distancePx: 0 }] };
  }

  readonly #paintOverlay = (): void => {
    const { options, seriesByKey, linkedX, highlightKey } = this.#engine;
    const layout = this.#engine.layout();
    if (!layout || !this.#overlay) return;
    const grips = this.#gripsInUse();
    const linked = this.#hover === null && linkedX !== null ? this.hoverAt(linkedX, layout) : null;
    this.#overlay.paint({
      layout,
      options,
      seriesByKey,
      hover: this.#hover ?? linked,
      mainKey: this.#hover ? this.#hover.nearestKey : highlightKey,
      brush: this.#brush,
      highlight: highlightKey === null ? null : (seriesByKey.get(highlightKey) ?? null),
      drawHandles: grips && ((context) => grips.draw(context, this.#pointer, this.#keyboard)),
    });
  };

  // ---- markers and pins ----

  /** null: there are none to take hold of, or not yet. */
  #gripsInUse(): Grips | null {
    const { selected = null, marks = [] } = this.#engine.options;
    if (selected === null && marks.length === 0) return null;
    if (gripsCode) this.#grips ??= new gripsCode.Grips(this.#engine, this.queueOverlay);
    else if (!this.#areGripsAsked) {
      this.#areGripsAsked = true;
      this.#whenGripsCome(() => this.refresh());
    }
    return this.#grips;
  }

  #whenGripsCome(use: (grips: Grips) => void): void {
    void loadGrips().then(() => {
      const grips = this.#isDestroyed ? null : this.#gripsInUse();
      if (grips) use(grips);
    });
  }

  // ---- keys (KeyTarget) ----

  moveCursor(by: number): void {
    const line = this.#cursorLine();
    if (!line) return;
    // The first key press places the cursor, the next ones move it.
    this.#placeCursor(this.#keyboard ? movedBy(this.#keyboard, line, by) : cursorAt(line, this.#cursorX()));
  }

  moveToEnd(end: 'first' | 'last'): void {
    const line = this.#cursorLine();
    if (line) this.#placeCursor(cursorAt(line, this.#engine.view.x[end === 'first' ? 0 : 1]));
  }

  changeLine(by: 1 | -1): void {
    const line = this.#cursorLine();
    if (!line) return;
    if (!this.#keyboard) {
      this.#placeCursor(cursorAt(line, this.#cursorX()));
      return;
    }
    const { seriesByKey } = this.#engine;
    const { key, x } = this.#keyboard;
    const layout = this.#engine.layout();
    if (!layout) return;
    const heightOf = (point: HoverPoint): number =>
      -yScaleOf(layout, seriesByKey.get(point.key)!).pxFromValue(point.y);
    const next = lineBeside(this.hoverAt(x, layout).points, key, by, heightOf);
    if (next !== null) this.#placeCursor(cursorAt(seriesByKey.get(next), x));
  }

  zoom(factor: number): void {
    this.#moves.zoomAround(this.#hover?.x ?? null, factor);
  }

  dismiss(): boolean {
    if (!this.#keyboard) return false;
    this.#keyboard = null;
    this.#engine.scheduler.urgent(this.#updateHover);
    return true;
  }

  moveMarker(end: SelectedEnd, by: number): boolean {
    if (!this.#engine.options.selected) return false;
    const grips = this.#gripsInUse();
    if (grips) grips.move(end, by, this.#cursorLine());
    else this.#whenGripsCome((late) => late.move(end, by, this.#cursorLine()));
    return true;
  }

  choose(): boolean {
    const cursor = this.#keyboard;
    if (!cursor) return false;
    const { callbacks } = this.#engine;
    const mark = this.#gripsInUse()?.markOn(cursor);
    if (mark) callbacks.onMark?.(mark.id);
    else callbacks.onPoint?.({ key: cursor.key, index: cursor.index, x: cursor.x });
    return true;
  }

  #cursorLine(): ChartSeries | null {
    const { series, seriesByKey, highlightKey } = this.#engine;
    for (const key of [this.#keyboard?.key, highlightKey, this.#hover?.nearestKey]) {
      const line = key ? seriesByKey.get(key) : undefined;
      if (line && line.x.length > 0 && !line.isBackground) return line;
    }
    return series.find((line) => line.x.length > 0 && !line.isFaint && !line.isBackground) ?? null;
  }

  #cursorX(): number {
    const { linkedX, view } = this.#engine;
    return this.#keyboard?.x ?? this.#hover?.x ?? linkedX ?? view.x[1];
  }

  #placeCursor(cursor: PointCursor | null): void {
    if (!cursor) return;
    this.#keyboard = cursor;
    this.#pointer = null;
    const range = this.#engine.options.xRange;
    if (range) {
      const moved = rangeShowing(range, cursor.x);
      if (moved !== range) this.#moves.showX(moved);
    }
    this.#engine.scheduler.urgent(this.#updateHover);
  }

  // ---- gestures (GestureTarget) ----

  get isTouchPanning(): boolean {
    return this.#engine.options.isTouchPanning;
  }

  get hasRightAxis(): boolean {
    return (this.#engine.options.right ?? null) !== null;
  }

  plotBox(): PxBox | null {
    const layout = this.#engine.layout();
    if (!layout) return null;
    const { plot, ratio } = layout;
    return {
      left: plot.left / ratio,
      top: plot.top / ratio,
      right: plot.right / ratio,
      bottom: plot.bottom / ratio,
    };
  }

  point(place: Place | null): void {
    if (place === null && this.#pointer === null) return;
    this.#pointer = place;
    if (place) this.#keyboard = null;
    this.#engine.scheduler.urgent(this.#updateHover);
  }

  grab(place: Place): Grip | null {
    const grips = this.#gripsInUse();
    return grips && grips.grab(place, () => grips.showShape(this.#pointer));
  }

  click(place: Place): void {
    const { callbacks, series, options } = this.#engine;
    const layout = this.#engine.layout();
    if (!layout) return;
    const mark = this.#gripsInUse()?.markAt(place);
    if (mark) {
      callbacks.onMark?.(mark.id);
      return;
    }
    clearTimeout(this.#clickTimer);
    if (!callbacks.onPoint) return;
    const { ratio } = layout;
    const hover = findHover(series, layout, { x: place.x * ratio, y: place.y * ratio });
    const point = hover.points.find(({ key }) => key === hover.nearestKey);
    // Dots of the owner's say what is meant, however far they are.
    if (!point || (point.distancePx > CLICK_REACH_PX && !options.dots)) return;
    const { key, index, x } = point;
    this.#clickTimer = window.setTimeout(() => callbacks.onPoint?.({ key, index, x }), CLICK_PAUSE_MS);
  }

  brush(brush: Brush | null): void {
    const ratio = this.#engine.layout()?.ratio ?? 1;
    const scaled = (place: Place): Place => ({ x: place.x * ratio, y: place.y * ratio });
    this.#brush = brush && { axes: brush.axes, from: scaled(brush.from), to: scaled(brush.to) };
    this.queueOverlay();
  }

  zoomTo(brush: Brush): void {
    clearTimeout(this.#clickTimer);
    this.#moves.zoomTo(brush);
  }

  beginMove(): void {
    this.#moves.begin();
  }

  panBy(dx: number, dy: number, axes: BrushAxes): void {
    this.#moves.panBy(dx, dy, axes);
  }

  pinch(from: readonly [number, number], to: readonly [number, number]): void {
    this.#moves.pinch(from, to);
  }

  zoomAt(place: Place, factor: number, axes: 'x' | 'y' | 'plot'): void {
    this.#moves.zoomAt(place, factor, axes);
  }

  reset(): void {
    // Its two clicks meant nothing else.
    clearTimeout(this.#clickTimer);
    this.#moves.reset();
  }
}
