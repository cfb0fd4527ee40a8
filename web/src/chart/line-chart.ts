// The chart engine's entrance: one chart in one host element. Keeps what it was told (series, options, cursor, highlight),
// works out fit and layout when they are asked for, and queues drawing with the page's scheduler. Zooming changes the
// options' ranges at once and tells the callback; the owner may answer by setting the same ranges, or other ones.
// Pointers and keys are interaction.ts.
//
// The host is focusable and has the role "application" unless its owner said otherwise; its label is the owner's.
import { pageScheduler, type FrameBudget, type FrameScheduler, type FrameTask } from '../base/scheduler';
import { DataLayer } from './data-layer';
import { droppedText } from './draw-axes';
import type { Engine } from './engine';
import { fitView, type Fit } from './fit';
import type { Selected } from './handles';
import { Interaction } from './interaction';
import { makeLayout, type Layout } from './layout';
import type { Scene } from './render';
import { Surface, type Layer } from './surface';
import type { ChartCallbacks, ChartOptions, ChartSeries, Hover, LineChart, Range } from './types';

/** Columns are asked for in multiples of this. */
const COLUMN_STEP = 64;
/** Changing these changes the overlay only. */
const OVERLAY_OPTIONS: ReadonlySet<keyof ChartOptions> = new Set(['selected', 'marks', 'dots'] as const);
/** A movement that rests this long is over: what was only moved is drawn again. */
const MOVE_PAUSE_MS = 80;

export function createLineChart(
  host: HTMLElement,
  callbacks: ChartCallbacks,
  options: ChartOptions,
  scheduler: FrameScheduler = pageScheduler,
): LineChart {
  return new CanvasLineChart(host, callbacks, options, scheduler);
}

class CanvasLineChart implements LineChart, FrameTask, Engine {
  readonly host: HTMLElement;
  readonly callbacks: ChartCallbacks;
  readonly scheduler: FrameScheduler;
  options: ChartOptions;
  series: readonly ChartSeries[] = [];
  seriesByKey: ReadonlyMap<string, ChartSeries> = new Map();
  linkedX: number | null = null;
  highlightKey: string | null = null;

  readonly #surface: Surface;
  readonly #dataLayer: DataLayer | null;
  readonly #interaction: Interaction;
  /** null: to be worked out again. */
  #fit: Fit | null = null;
  #layout: Layout | null = null;
  #scene: Scene | null = null;
  #lastLeft = 0;
  #lastRight = 0;
  #hasDrawn = false;
  #isDestroyed = false;
  #pauseTimer: number | null = null;

  #toldPlotWidthPx = 0;
  #toldClipped = { above: 0, below: 0 };
  #toldDropped = 0;

  constructor(
    host: HTMLElement,
    callbacks: ChartCallbacks,
    options: ChartOptions,
    scheduler: FrameScheduler,
  ) {
    this.host = host;
    this.callbacks = callbacks;
    this.options = options;
    this.scheduler = scheduler;
    if (!host.hasAttribute('tabindex')) host.tabIndex = 0;
    if (!host.hasAttribute('role')) host.setAttribute('role', 'application');
    host.style.userSelect = 'none';
    this.#applyTouchAction();
    this.#surface = new Surface(host, {
      onResize: () => this.#onResize(),
      onShown: () => this.#interaction.queueOverlay(),
    });
    this.#dataLayer = this.#surface.data && new DataLayer(this.#surface.data);
    this.#interaction = new Interaction(this);
    this.#interaction.queueOverlay();
  }

  // ---- what the owner calls ----

  setSeries(series: readonly ChartSeries[]): void {
    this.series = series;
    this.seriesByKey = new Map(series.map((line) => [line.key, line]));
    this.#interaction.takeSeries();
    this.#invalidate();
  }

  setOptions(options: Partial<ChartOptions>): void {
    const before = this.options;
    const after = { ...before, ...options };
    const changed = (Object.keys(after) as (keyof ChartOptions)[]).filter(
      (name) => !isEqual(before[name], after[name]),
    );
    if (changed.length === 0) return;
    this.options = after;
    if (changed.every((name) => OVERLAY_OPTIONS.has(name))) {
      this.#interaction.queueOverlay();
      return;
    }
    this.#applyTouchAction();
    // Following another chart's movement is a movement, too.
    if (!isEqual(before.xRange, after.xRange) || !isEqual(before.yRange, after.yRange)) this.#startPause();
    this.#invalidate();
  }

  setCursor(x: number | null): void {
    if (x === this.linkedX) return;
    this.linkedX = x;
    this.#interaction.followCursor();
  }

  setHighlight(key: string | null): void {
    if (key === this.highlightKey) return;
    this.highlightKey = key;
    this.#interaction.queueOverlay();
  }

  get view(): { readonly x: Range; readonly y: Range; readonly yRight: Range | null } {
    const { x, y, right } = this.#currentFit();
    return { x, y, yRight: right?.range ?? null };
  }

  get plotWidthPx(): number {
    const layout = this.layout();
    if (!layout) return 0;
    return Math.ceil((layout.plot.right - layout.plot.left) / COLUMN_STEP) * COLUMN_STEP;
  }

  hoverAt(x: number): Hover {
    const layout = this.layout();
    return (
      (layout && this.#interaction.hoverAt(x, layout)) ?? {
        x,
        y: null,
        pointerPx: null,
        points: [],
        nearestKey: null,
      }
    );
  }

  moveCursor(by: number): void {
    this.#interaction.moveCursor(by);
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (this.#pauseTimer !== null) clearTimeout(this.#pauseTimer);
    this.#interaction.destroy();
    this.scheduler.cancel(this);
    this.#dataLayer?.destroy();
    this.#surface.destroy();
  }

  // ---- what follows pointer and keys asks (Engine) ----

  get overlay(): Layer | null {
    return this.#surface.overlay;
  }

  layout(): Layout | null {
    if (this.#layout) return this.#layout;
    const { size, data } = this.#surface;
    if (!size || !data) return null;
    const margins = [this.#lastLeft, this.#lastRight] as const;
    this.#layout = makeLayout(data.context, size, this.#currentFit(), this.options, ...margins);
    this.#lastLeft = this.#layout.plot.left;
    this.#lastRight = this.#layout.right ? size.width - this.#layout.plot.right : 0;
    return this.#layout;
  }

  show(x: Range | null, y: Range | null, yRight: Range | null): void {
    const { xRange, yRange, right = null } = this.options;
    if (isEqual([x, y, yRight], [xRange, yRange, right?.range ?? null])) return;
    this.options = {
      ...this.options,
      xRange: x,
      yRange: y,
      right: right && { ...right, range: yRight },
    };
    this.#startPause();
    this.#invalidate();
    this.callbacks.onView?.(right ? { x, y, yRight } : { x, y });
  }

  select(selected: Selected): void {
    this.options = { ...this.options, selected };
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
    this.host.dataset['drawn'] = String(series.length);
    this.host.dataset['drawnTo'] = String(ends.reduce((a, b) => Math.max(a, b), -Infinity));
  }

  #invalidate(): void {
    this.#fit = null;
    this.#layout = null;
    this.#scene = null;
    this.scheduler.draw(this);
    this.#interaction.refresh();
  }

  #onResize(): void {
    this.#layout = null;
    this.#scene = null;
    this.scheduler.draw(this);
    this.#interaction.queueOverlay();
    // A chart that was there must not blink: it is painted again before the browser shows the empty canvas. New ones, of
    // which a page opens a hundred at once, wait for their turn.
    const scene = this.#hasDrawn && this.#surface.isVisible ? this.#currentScene() : null;
    if (scene) this.#dataLayer?.drawNow(scene);
  }

  #startPause(): void {
    if (this.#pauseTimer !== null) clearTimeout(this.#pauseTimer);
    this.#pauseTimer = window.setTimeout(() => {
      this.#pauseTimer = null;
      if (!this.#dataLayer?.isExact) this.scheduler.draw(this);
    }, MOVE_PAUSE_MS);
  }

  #currentFit(): Fit {
    this.#fit ??= fitView(this.series, this.options);
    return this.#fit;
  }

  #currentScene(): Scene | null {
    if (this.#scene) return this.#scene;
    const layout = this.layout();
    if (!layout) return null;
    const { dropped } = this.#currentFit();
    // An owner who is told about values says it in its own words.
    const note = droppedText(this.callbacks.onDropped ? { x: dropped.x, y: 0 } : dropped);
    this.#scene = { layout, series: this.series, options: this.options, note };
    return this.#scene;
  }

  #tellOwner(): void {
    const { clipped, dropped } = this.#currentFit();
    const { plotWidthPx } = this;
    if (plotWidthPx !== this.#toldPlotWidthPx) {
      this.#toldPlotWidthPx = plotWidthPx;
      this.callbacks.onPlotWidth?.(plotWidthPx);
    }
    if (clipped.above !== this.#toldClipped.above || clipped.below !== this.#toldClipped.below) {
      this.#toldClipped = clipped;
      this.callbacks.onClipped?.(clipped);
    }
    if (dropped.y !== this.#toldDropped) {
      this.#toldDropped = dropped.y;
      this.callbacks.onDropped?.(dropped.y);
    }
  }

  #applyTouchAction(): void {
    this.host.style.touchAction = this.options.isTouchPanning ? 'pan-y' : 'none';
  }
}

/** By what they say: ranges, themes, axes, marks. All of them are small. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => isEqual(left[key], right[key]));
}
