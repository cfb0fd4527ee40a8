// The chart engine's entrance: one chart in one host element. Keeps what it was told (series, options, cursor, highlight),
// works out fit and layout when they are asked for, and queues drawing with the page's scheduler. Zooming changes the
// options' ranges at once and tells the callback; the owner may answer by setting the same ranges, or other ones.
//
// The host is focusable and has the role "application" unless its owner said otherwise; its label is the owner's.
import type { Scale } from '../base/scale';
import { pageScheduler, type FrameBudget, type FrameScheduler, type FrameTask } from '../base/scheduler';
import { lowerBound, upperBound } from '../base/arrays';
import { areMoreTicksLoaded, loadMoreTicks } from '../base/ticks';
import type { DrawContext, PxBox } from './draw-context';
import { DataLayer } from './data-layer';
import { droppedText } from './draw-axes';
import { fitView, fitX, type Fit } from './fit';
import type { GestureTarget, Grip, Place } from './gestures';
import type * as HandlesModule from './handles';
import type { HandleScene, Selected, SelectedEnd } from './handles';
import type * as InputModule from './input';
import { makeLayout, yScaleOf, type Layout } from './layout';
import type { Brush, BrushAxes } from './overlay';
import type { OverlayLayer } from './overlay-layer';
import type { PointCursor } from './point-cursor';
import type { Scene } from './render';
import { Surface } from './surface';
import type { ChartCallbacks, ChartOptions, ChartSeries, Hover, HoverPoint, LineChart, Range } from './types';

/** Columns are asked for in multiples of this. */
const COLUMN_STEP = 64;
/** How far from a line a click is still on it, in CSS pixels. */
const CLICK_REACH_PX = 12;
/** A click that is not followed by another in this time is no double click. */
const CLICK_PAUSE_MS = 250;
/** Changing these changes the overlay only. */
const OVERLAY_OPTIONS: ReadonlySet<keyof ChartOptions> = new Set(['selected', 'marks'] as const);
/** A movement that rests this long is over: what was only moved is drawn again. */
const MOVE_PAUSE_MS = 80;

/** What draws markers and pins, and knows where they are; there when a chart had the first of them. */
let loadedHandles: typeof HandlesModule | null = null;

/** What listens to pointers and keys, and draws what they do; fetched while the first chart still waits for its lines. */
let loadedInput: typeof InputModule | null = null;

export async function loadInput(): Promise<void> {
  loadedInput ??= await import('./input');
}

/** For what only pointers and keys lead to. */
function input(): typeof InputModule {
  if (!loadedInput) throw new Error('No pointer and no key can have come here yet');
  return loadedInput;
}

/** What becomes of a y axis: it stays, it fits itself (null), or it shows what the scale's change says. */
type YChange = 'keep' | null | ((scale: Scale) => Range);

export function createLineChart(
  host: HTMLElement,
  callbacks: ChartCallbacks,
  options: ChartOptions,
  scheduler: FrameScheduler = pageScheduler,
): LineChart {
  return new CanvasLineChart(host, callbacks, options, scheduler);
}

class CanvasLineChart implements LineChart, FrameTask, GestureTarget {
  readonly #host: HTMLElement;
  readonly #callbacks: ChartCallbacks;
  readonly #scheduler: FrameScheduler;
  readonly #surface: Surface;
  readonly #dataLayer: DataLayer | null;
  /** null: nothing to draw on, or nothing to draw with yet. */
  #overlay: OverlayLayer | null = null;
  readonly #stops: (() => void)[] = [];

  #options: ChartOptions;
  #series: readonly ChartSeries[] = [];
  #seriesByKey: ReadonlyMap<string, ChartSeries> = new Map();
  /** null: to be worked out again. */
  #fit: Fit | null = null;
  #layout: Layout | null = null;
  #scene: Scene | null = null;
  #lastLeft = 0;
  #lastRight = 0;
  #hasDrawn = false;
  #isDestroyed = false;

  #pointer: Place | null = null;
  #keyboard: PointCursor | null = null;
  #hover: Hover | null = null;
  #linkedX: number | null = null;
  #lastHover: {
    readonly layout: Layout;
    readonly series: readonly ChartSeries[];
    readonly hover: Hover;
  } | null = null;
  #highlightKey: string | null = null;
  #brush: Brush | null = null;
  /** Layout at the beginning of a pan or pinch: they count from there. */
  #moveStart: Layout | null = null;
  #pauseTimer: number | null = null;
  /** A click that may become a double one. */
  #clickTimer: number | undefined;
  /** A marker is being dragged. */
  #isGripped = false;
  #gripShape = '';

  #toldPlotWidthPx = 0;
  #toldClipped = { above: 0, below: 0 };
  #toldDropped = 0;

  constructor(
    host: HTMLElement,
    callbacks: ChartCallbacks,
    options: ChartOptions,
    scheduler: FrameScheduler,
  ) {
    this.#host = host;
    this.#callbacks = callbacks;
    this.#options = options;
    this.#scheduler = scheduler;
    if (!host.hasAttribute('tabindex')) host.tabIndex = 0;
    if (!host.hasAttribute('role')) host.setAttribute('role', 'application');
    host.style.userSelect = 'none';
    this.#applyTouchAction();
    this.#surface = new Surface(host, { onResize: () => this.#onResize(), onShown: this.#queueOverlay });
    this.#dataLayer = this.#surface.data && new DataLayer(this.#surface.data);
    void this.#listen().catch(ignoreLostServer);
    this.#loadHandles();
    this.#loadTicks();
  }

  /** At once, when the code is there already. */
  async #listen(): Promise<void> {
    const isLate = loadedInput === null;
    if (isLate) await loadInput();
    if (!loadedInput || this.#isDestroyed) return;
    const { listenToGestures, listenToKeys, OverlayLayer: Overlay } = loadedInput;
    this.#overlay = this.#surface.overlay && new Overlay(this.#surface.overlay);
    if (isLate) this.#queueOverlay();
    this.#stops.push(listenToGestures(this.#host, this));
    this.#stops.push(
      listenToKeys(this.#host, {
        moveCursor: (by) => this.moveCursor(by),
        moveToEnd: (end) => this.#moveToEnd(end),
        changeLine: (by) => this.#changeLine(by),
        zoom: (factor) => this.#zoomAtCursor(factor),
        dismiss: () => this.#dismissCursor(),
        moveMarker: (end, by) => this.#moveMarker(end, by),
        choose: () => this.#choosePoint(),
      }),
    );
  }

  #loadTicks(): void {
    const { xKind, xScale, yScale, right } = this.#options;
    const isPlain =
      ['step', 'metric'].includes(xKind) && [xScale, yScale].every((scale) => scale === 'linear');
    if (areMoreTicksLoaded() || (isPlain && (right?.scale ?? 'linear') === 'linear')) return;
    loadMoreTicks().then(() => this.#isDestroyed || this.#invalidate(), ignoreLostServer);
  }

  // ---- what the owner calls ----

  setSeries(series: readonly ChartSeries[]): void {
    this.#series = series;
    this.#seriesByKey = new Map(series.map((line) => [line.key, line]));
    if (this.#keyboard)
      this.#keyboard = input().rebased(this.#keyboard, this.#seriesByKey.get(this.#keyboard.key));
    this.#invalidate();
  }

  setOptions(options: Partial<ChartOptions>): void {
    const before = this.#options;
    const after = { ...before, ...options };
    const changed = (Object.keys(after) as (keyof ChartOptions)[]).filter(
      (name) => !isEqual(before[name], after[name]),
    );
    if (changed.length === 0) return;
    this.#options = after;
    this.#loadHandles();
    this.#loadTicks();
    if (changed.every((name) => OVERLAY_OPTIONS.has(name))) {
      this.#queueOverlay();
      return;
    }
    this.#applyTouchAction();
    // Following another chart's movement is a movement, too.
    if (!isEqual(before.xRange, after.xRange) || !isEqual(before.yRange, after.yRange)) this.#startPause();
    this.#invalidate();
  }

  setCursor(x: number | null): void {
    if (x === this.#linkedX) return;
    this.#linkedX = x;
    // The own pointer is in front of what other charts say.
    if (!this.#hover) this.#queueOverlay();
  }

  setHighlight(key: string | null): void {
    if (key === this.#highlightKey) return;
    this.#highlightKey = key;
    this.#queueOverlay();
  }

  get view(): { readonly x: Range; readonly y: Range; readonly yRight: Range | null } {
    const { x, y, right } = this.#currentFit();
    return { x, y, yRight: right?.range ?? null };
  }

  get plotWidthPx(): number {
    const layout = this.#currentLayout();
    if (!layout) return 0;
    return Math.ceil((layout.plot.right - layout.plot.left) / COLUMN_STEP) * COLUMN_STEP;
  }

  hoverAt(x: number): Hover {
    const layout = this.#currentLayout();
    if (!layout || !loadedInput) return { x, y: null, pointerPx: null, points: [], nearestKey: null };
    const last = this.#lastHover;
    // Whoever follows a cursor asks for the same place as the overlay that is painted for it.
    if (last?.hover.x === x && last.layout === layout && last.series === this.#series) return last.hover;
    const hover = {
      ...input().findHover(this.#series, layout, { x: layout.xScale.pxFromValue(x), y: null }),
      x,
    };
    this.#lastHover = { layout, series: this.#series, hover };
    return hover;
  }

  moveCursor(by: number): void {
    const line = this.#cursorLine();
    if (!line || !loadedInput) return;
    // The first key press places the cursor, the next ones move it.
    const next = this.#keyboard
      ? input().movedBy(this.#keyboard, line, by)
      : input().cursorAt(line, this.#cursorX());
    this.#placeCursor(next);
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (this.#pauseTimer !== null) clearTimeout(this.#pauseTimer);
    clearTimeout(this.#clickTimer);
    for (const stop of this.#stops) stop();
    this.#scheduler.cancel(this);
    this.#scheduler.cancelUrgent(this.#updateHover);
    this.#scheduler.cancelUrgent(this.#paintOverlay);
    this.#scheduler.cancelUrgent(this.#tellSelected);
    this.#dataLayer?.destroy();
    this.#overlay?.destroy();
    this.#surface.destroy();
  }

  // ---- drawing (FrameTask) ----

  isVisible(): boolean {
    return this.#surface.isVisible;
  }

  drawSlice(budget: FrameBudget): boolean {
    const scene = this.#currentScene();
    if (!scene || !this.#dataLayer) return true;
    this.#hasDrawn = true;
    this.#tellOwner();
    const isDone = this.#dataLayer.drawSlice(scene, budget, this.#pauseTimer !== null);
    if (this.#dataLayer.isExact) this.#sayWhatIsDrawn(scene);
    return isDone;
  }

  /** For tests and benchmarks, which cannot look at pixels: how many lines the canvas shows, and up to which x. */
  #sayWhatIsDrawn({ series }: Scene): void {
    const ends = series.map((line) => line.x.at(-1) ?? -Infinity);
    this.#host.dataset['drawn'] = String(series.length);
    this.#host.dataset['drawnTo'] = String(ends.reduce((a, b) => Math.max(a, b), -Infinity));
  }

  #invalidate(): void {
    this.#fit = null;
    this.#layout = null;
    this.#scene = null;
    this.#scheduler.draw(this);
    if (this.#hover || this.#pointer || this.#keyboard) this.#scheduler.urgent(this.#updateHover);
    else this.#queueOverlay();
  }

  #onResize(): void {
    this.#layout = null;
    this.#scene = null;
    this.#scheduler.draw(this);
    this.#queueOverlay();
    // A chart that was there must not blink: it is painted again before the browser shows the empty canvas. New ones, of
    // which a page opens a hundred at once, wait for their turn.
    const scene = this.#hasDrawn && this.#surface.isVisible ? this.#currentScene() : null;
    if (scene) this.#dataLayer?.drawNow(scene);
  }

  #currentFit(): Fit {
    this.#fit ??= fitView(this.#series, this.#options);
    return this.#fit;
  }

  #currentLayout(): Layout | null {
    if (this.#layout) return this.#layout;
    const { size, data } = this.#surface;
    if (!size || !data) return null;
    const margins = [this.#lastLeft, this.#lastRight] as const;
    this.#layout = makeLayout(data.context, size, this.#currentFit(), this.#options, ...margins);
    this.#lastLeft = this.#layout.plot.left;
    this.#lastRight = this.#layout.right ? size.width - this.#layout.plot.right : 0;
    return this.#layout;
  }

  #currentScene(): Scene | null {
    if (this.#scene) return this.#scene;
    const layout = this.#currentLayout();
    if (!layout) return null;
    const { dropped } = this.#currentFit();
    // An owner who is told about values says it in its own words.
    const note = droppedText(this.#callbacks.onDropped ? { x: dropped.x, y: 0 } : dropped);
    this.#scene = { layout, series: this.#series, options: this.#options, note };
    return this.#scene;
  }

  #tellOwner(): void {
    const { clipped, dropped } = this.#currentFit();
    const { plotWidthPx } = this;
    if (plotWidthPx !== this.#toldPlotWidthPx) {
      this.#toldPlotWidthPx = plotWidthPx;
      this.#callbacks.onPlotWidth?.(plotWidthPx);
    }
    if (clipped.above !== this.#toldClipped.above || clipped.below !== this.#toldClipped.below) {
      this.#toldClipped = clipped;
      this.#callbacks.onClipped?.(clipped);
    }
    if (dropped.y !== this.#toldDropped) {
      this.#toldDropped = dropped.y;
      this.#callbacks.onDropped?.(dropped.y);
    }
  }

  #applyTouchAction(): void {
    this.#host.style.touchAction = this.#options.isTouchPanning ? 'pan-y' : 'none';
  }

  // ---- hover and overlay ----

  /** A chart that nobody sees catches up when it is scrolled into view. */
  readonly #queueOverlay = (): void => {
    if (this.#surface.isVisible) this.#scheduler.urgent(this.#paintOverlay);
  };

  /** What is under pointer or keyboard cursor now; tells the owner. Once per frame, however often the pointer moved. */
  readonly #updateHover = (): void => {
    const hover = this.#findHover();
    const isNews = hover !== null || this.#hover !== null;
    this.#hover = hover;
    if (isNews) this.#callbacks.onHover?.(hover);
    this.#showGrip();
    this.#queueOverlay();
  };

  #findHover(): Hover | null {
    const layout = this.#currentLayout();
    if (!layout) return null;
    if (this.#pointer) {
      const { ratio, plot } = layout;
      const x = this.#pointer.x * ratio;
      const y = this.#pointer.y * ratio;
      const isInside = x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom;
      return isInside ? input().findHover(this.#series, layout, { x, y }) : null;
    }
    const cursor = this.#keyboard;
    const line = cursor && this.#seriesByKey.get(cursor.key);
    if (!cursor || !line) return null;
    const hover = this.hoverAt(cursor.x);
    const y = line.y[cursor.index]!;
    const own = { key: line.key, index: cursor.index, x: cursor.x, y, raw: line.raw?.[cursor.index] ?? y };
    const others = hover.points.filter((point) => point.key !== line.key);
    return { ...hover, y, nearestKey: line.key, points: [...others, { ...own, distancePx: 0 }] };
  }

  readonly #paintOverlay = (): void => {
    const layout = this.#currentLayout();
    if (!layout || !this.#overlay) return;
    const linked = this.#hover === null && this.#linkedX !== null ? this.hoverAt(this.#linkedX) : null;
    this.#overlay.paint({
      layout,
      options: this.#options,
      seriesByKey: this.#seriesByKey,
      hover: this.#hover ?? linked,
      mainKey: this.#hover ? this.#hover.nearestKey : this.#highlightKey,
      brush: this.#brush,
      highlight: this.#highlightKey === null ? null : (this.#seriesByKey.get(this.#highlightKey) ?? null),
      drawHandles: this.#hasHandles() ? this.#drawHandles : null,
    });
  };

  // ---- markers of the step selector, pins of notes ----

  #hasHandles(): boolean {
    const { selected = null, marks = [] } = this.#options;
    return selected !== null || marks.length > 0;
  }

  #loadHandles(): void {
    if (loadedHandles || !this.#hasHandles()) return;
    import('./handles').then((handles) => {
      loadedHandles = handles;
      if (!this.#isDestroyed) this.#queueOverlay();
    }, ignoreLostServer);
  }

  #handleScene(): HandleScene | null {
    const layout = this.#hasHandles() ? this.#currentLayout() : null;
    return layout && { layout, options: this.#options, seriesByKey: this.#seriesByKey };
  }

  readonly #drawHandles = (context: DrawContext): void => {
    const scene = this.#handleScene();
    if (!scene || !loadedHandles) return;
    loadedHandles.drawSelected(context, scene);
    const { markAt, markOn } = loadedHandles;
    const cursor = this.#keyboard;
    const hovered = this.#pointer
      ? markAt(scene, this.#pointer)
      : cursor && markOn(scene, cursor.key, cursor.index);
    loadedHandles.drawPins(context, scene, hovered);
  };

  #endAt(place: Place): SelectedEnd | null {
    const scene = this.#handleScene();
    const context = this.#surface.overlay?.context;
    return (scene && context && loadedHandles?.selectedEndAt(context, scene, place)) ?? null;
  }

  /** The pointer's shape tells what a press would take hold of. */
  #showGrip(): void {
    const scene = this.#pointer && this.#handleScene();
    const isOnMark = scene && loadedHandles?.markAt(scene, this.#pointer!);
    const isOnMarker = this.#isGripped || (scene && this.#endAt(this.#pointer!));
    const shape = isOnMarker ? 'ew-resize' : isOnMark ? 'pointer' : '';
    // A pan has a shape of its own, which is none of this one's business.
    if (shape === this.#gripShape) return;
    this.#gripShape = shape;
    this.#host.style.cursor = shape;
  }

  #select(selected: Selected): void {
    this.#options = { ...this.#options, selected };
    this.#scheduler.urgent(this.#tellSelected);
    this.#queueOverlay();
  }

  /** Once per frame, however often the pointer moved. */
  readonly #tellSelected = (): void => {
    if (this.#options.selected) this.#callbacks.onSelected?.(this.#options.selected);
  };

  /** By keys a marker goes from point to point of the line at hand: pixels are too coarse to reach one otherwise. */
  #moveMarker(end: SelectedEnd, by: number): boolean {
    const { selected } = this.#options;
    if (!selected || !loadedHandles) return false;
    const line = this.#cursorLine();
    const from = end === 'to' ? (selected.to ?? selected.from) : selected.from;
    const x = line && pointBeside(line.x, from, by);
    if (x !== null) this.#select(loadedHandles.moveSelected(selected, end, x).selected);
    return true;
  }

  #choosePoint(): boolean {
    const cursor = this.#keyboard;
    if (!cursor) return false;
    const scene = this.#handleScene();
    const mark = scene && loadedHandles?.markOn(scene, cursor.key, cursor.index);
    if (mark) this.#callbacks.onMark?.(mark.id);
    else this.#callbacks.onPoint?.({ key: cursor.key, index: cursor.index, x: cursor.x });
    return true;
  }

  // ---- view ----

  /** Ranges that show everything are no ranges: the view follows the data again. */
  #setView(
    x: Range | null,
    change: YChange,
    layout: Layout | null = this.#currentLayout(),
    axes: 'left' | 'right' | 'both' = 'both',
  ): void {
    const shown = x && input().covers(x, this.#xLimits()) ? null : x;
    const { xRange, yRange, right = null } = this.#options;
    const changed = (range: Range | null, scale: Scale | undefined): Range | null =>
      change === 'keep' ? range : change && scale ? change(scale) : null;
    const y = axes === 'right' ? yRange : changed(yRange, layout?.yScale);
    const yRight = right && (axes === 'left' ? right.range : changed(right.range, layout?.right?.scale));
    if (isEqual(shown, xRange) && isEqual(y, yRange) && isEqual(yRight, right?.range ?? null)) return;
    this.#options = {
      ...this.#options,
      xRange: shown,
      yRange: y,
      right: right && { ...right, range: yRight },
    };
    this.#startPause();
    this.#invalidate();
    this.#callbacks.onView?.(right ? { x: shown, y, yRight } : { x: shown, y });
  }

  /** Which y axes a gesture that begins here is about: in the margin of one it is about that one. */
  #axesAt(place: Place, { plot, ratio, right }: Layout): 'left' | 'right' | 'both' {
    if (!right) return 'both';
    return place.x * ratio < plot.left ? 'left' : place.x * ratio > plot.right ? 'right' : 'both';
  }

  #xLimits(): Range {
    return this.#options.xLimits ?? fitX(this.#series, this.#options.xScale);
  }

  #startPause(): void {
    if (this.#pauseTimer !== null) clearTimeout(this.#pauseTimer);
    this.#pauseTimer = window.setTimeout(() => {
      this.#pauseTimer = null;
      if (!this.#dataLayer?.isExact) this.#scheduler.draw(this);
    }, MOVE_PAUSE_MS);
  }

  #zoomAtCursor(factor: number): void {
    const layout = this.#currentLayout();
    if (!layout) return;
    const cursorPx = this.#hover ? layout.xScale.pxFromValue(this.#hover.x) : NaN;
    const { left, right } = layout.plot;
    const anchorPx = cursorPx >= left && cursorPx <= right ? cursorPx : (left + right) / 2;
    this.#setView(input().zoomAtPx(layout.xScale, anchorPx, factor), 'keep');
  }

  // ---- keyboard ----

  #cursorLine(): ChartSeries | null {
    const keys = [this.#keyboard?.key, this.#highlightKey, this.#hover?.nearestKey];
    for (const key of keys) {
      const line = key ? this.#seriesByKey.get(key) : undefined;
      if (line && line.x.length > 0 && !line.isBackground) return line;
    }
    return this.#series.find((line) => line.x.length > 0 && !line.isFaint && !line.isBackground) ?? null;
  }

  #cursorX(): number {
    return this.#keyboard?.x ?? this.#hover?.x ?? this.#linkedX ?? this.view.x[1];
  }

  #placeCursor(cursor: PointCursor | null): void {
    if (!cursor) return;
    this.#keyboard = cursor;
    this.#pointer = null;
    const range = this.#options.xRange;
    if (range) {
      const moved = input().rangeShowing(range, cursor.x);
      if (moved !== range) this.#setView(moved, 'keep');
    }
    this.#scheduler.urgent(this.#updateHover);
  }

  #moveToEnd(end: 'first' | 'last'): void {
    const line = this.#cursorLine();
    if (line) this.#placeCursor(input().cursorAt(line, this.view.x[end === 'first' ? 0 : 1]));
  }

  #changeLine(by: 1 | -1): void {
    const line = this.#cursorLine();
    if (!line) return;
    if (!this.#keyboard) {
      this.#placeCursor(input().cursorAt(line, this.#cursorX()));
      return;
    }
    const layout = this.#currentLayout();
    const heightOf = ({ key, y }: HoverPoint): number =>
      layout ? -yScaleOf(layout, this.#seriesByKey.get(key)!).pxFromValue(y) : y;
    const key = input().lineBeside(this.hoverAt(this.#keyboard.x).points, this.#keyboard.key, by, heightOf);
    if (key !== null) this.#placeCursor(input().cursorAt(this.#seriesByKey.get(key), this.#keyboard.x));
  }

  /** Whether there was a cursor to take away. */
  #dismissCursor(): boolean {
    if (!this.#keyboard) return false;
    this.#keyboard = null;
    this.#scheduler.urgent(this.#updateHover);
    return true;
  }

  // ---- gestures (GestureTarget) ----

  get isTouchPanning(): boolean {
    return this.#options.isTouchPanning;
  }

  get hasRightAxis(): boolean {
    return (this.#options.right ?? null) !== null;
  }

  grab(place: Place): Grip | null {
    let end = this.#endAt(place);
    if (!end) return null;
    this.#isGripped = true;
    const move = ({ x }: Place): void => {
      const { selected } = this.#options;
      const layout = this.#currentLayout();
      if (!selected || !layout || !end || !loadedHandles) return;
      const { plot, ratio, xScale } = layout;
      const px = Math.max(plot.left, Math.min(plot.right, x * ratio));
      const next = loadedHandles.moveSelected(selected, end, xScale.valueFromPx(px));
      end = next.end;
      this.#select(next.selected);
    };
    const release = (): void => {
      this.#isGripped = false;
      this.#showGrip();
    };
    return { move, end: release };
  }

  click(place: Place): void {
    const layout = this.#currentLayout();
    if (!layout) return;
    const scene = this.#handleScene();
    const mark = scene && loadedHandles?.markAt(scene, place);
    if (mark) {
      this.#callbacks.onMark?.(mark.id);
      return;
    }
    clearTimeout(this.#clickTimer);
    if (!this.#callbacks.onPoint) return;
    const { ratio } = layout;
    const hover = input().findHover(this.#series, layout, { x: place.x * ratio, y: place.y * ratio });
    const point = hover.points.find(({ key }) => key === hover.nearestKey);
    if (!point || point.distancePx > CLICK_REACH_PX) return;
    const { key, index, x } = point;
    this.#clickTimer = window.setTimeout(() => this.#callbacks.onPoint?.({ key, index, x }), CLICK_PAUSE_MS);
  }

  plotBox(): PxBox | null {
    const layout = this.#currentLayout();
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
    this.#scheduler.urgent(this.#updateHover);
  }

  brush(brush: Brush | null): void {
    const ratio = this.#currentLayout()?.ratio ?? 1;
    const scaled = (place: Place): Place => ({ x: place.x * ratio, y: place.y * ratio });
    this.#brush = brush && { axes: brush.axes, from: scaled(brush.from), to: scaled(brush.to) };
    this.#queueOverlay();
  }

  zoomTo(brush: Brush): void {
    clearTimeout(this.#clickTimer);
    const layout = this.#currentLayout();
    if (!layout) return;
    const { ratio, xScale, plot } = layout;
    const within = (px: number, low: number, high: number): number =>
      Math.min(high, Math.max(low, px * ratio));
    const xPx = [brush.from.x, brush.to.x].map((px) => within(px, plot.left, plot.right)) as [number, number];
    const yPx = [brush.from.y, brush.to.y].map((px) => within(px, plot.top, plot.bottom)) as [number, number];
    this.#setView(
      brush.axes === 'y' ? this.#options.xRange : input().rangeBetweenPx(xScale, ...xPx),
      brush.axes === 'x' ? 'keep' : (scale) => input().rangeBetweenPx(scale, ...yPx),
      layout,
      this.#axesAt(brush.from, layout),
    );
  }

  beginMove(): void {
    this.#moveStart = this.#currentLayout();
  }

  panBy(dx: number, dy: number, axes: BrushAxes): void {
    const start = this.#moveStart;
    if (!start) return;
    const { ratio, xScale } = start;
    const x = input().keepInTouch(input().panByPx(xScale, dx * ratio), this.#xLimits(), xScale);
    const { yRange, right } = this.#options;
    const isYMoved = axes !== 'x' || yRange !== null || (right?.range ?? null) !== null;
    this.#setView(x, isYMoved ? (scale) => input().panByPx(scale, dy * ratio) : null, start);
  }

  pinch(from: readonly [number, number], to: readonly [number, number]): void {
    const start = this.#moveStart;
    if (!start) return;
    const { ratio, xScale } = start;
    const scaled = ([a, b]: readonly [number, number]): [number, number] => [a * ratio, b * ratio];
    this.#setView(input().pinchPx(xScale, scaled(from), scaled(to)), 'keep');
  }

  zoomAt(place: Place, factor: number, axes: 'x' | 'y' | 'plot'): void {
    const layout = this.#currentLayout();
    if (!layout) return;
    const { ratio, xScale } = layout;
    const isYZoomed = axes === 'y' || (axes === 'plot' && this.#options.yRange !== null);
    this.#setView(
      axes === 'y' ? this.#options.xRange : input().zoomAtPx(xScale, place.x * ratio, factor),
      isYZoomed ? (scale) => input().zoomAtPx(scale, place.y * ratio, factor) : 'keep',
      layout,
      this.#axesAt(place, layout),
    );
  }

  reset(): void {
    // Its two clicks meant nothing else.
    clearTimeout(this.#clickTimer);
    this.#setView(null, null);
  }
}

/** There is a message about that already, and the next change or chart tries again. */
function ignoreLostServer(): void {}

/** The nearest x before or after this one in the ascending list; null: there is none. */
function pointBeside(x: Float64Array, from: number, by: number): number | null {
  const index = by > 0 ? upperBound(x, from) : lowerBound(x, from) - 1;
  return x[index] ?? null;
}

/** By what they say: ranges, themes, axes, marks. All of them are small. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => isEqual(left[key], right[key]));
}
