// One card's logic without its looks: asks the loader for what the chart can show, turns it into lines, drives the chart
// engine and the value table, and tells the rest of the page where the pointer is. The engine and the table are
// plain objects that are told what changed; only facts that the markup shows are state.
import { untrack } from 'svelte';
import { formatInteger, formatValue } from '../../base/format';
import { formatMoment, formatSpan } from '../../base/time';
import type { ChartOptions, Hover, LineChart, Range, XKind, YScale } from '../../chart/types';
import type { Page } from '../../state/page.svelte';
import type { CardData } from '../../state/types';
import { areSameLines, cardSeriesFrom, hasPointsIn, runOfKey, yCoreOf, type CardSeries } from './card-series';
import { logNote, outlierNote, supersededNote, type Clipped } from './card-notes';
import { chartSummary } from './chart-summary';
import type { ScalarsContext } from './scalars-context.svelte';
import { smoothingNote } from './smoothing-scale';
import { SeriesByKey, tsvFrom, valueRows, type ValueRows } from './value-rows';
import { cardOf, setCard } from './view-changes';
import { aheadOf, isAtEnd, learnedLimits, roundedRange, slid, UNKNOWN_LIMITS } from './x-limits';

/** The nearest line counts as pointed at up to this distance. */
const HIGHLIGHT_PX = 48;

const NO_CLIPPED: Clipped = { above: 0, below: 0 };
const Y_SCALES: readonly YScale[] = ['linear', 'log', 'symlog'];

export type CardState = 'loading' | 'error' | 'empty' | 'shown';

export class CardModel {
  readonly tag: string;
  readonly #page: Page;
  readonly #context: ScalarsContext;
  readonly #memory;
  #chart: LineChart | null = null;
  #onRows: (() => void) | null = null;
  #hover: Hover | null = null;
  #followed: Hover | null = null;
  /** The pointer has left the plot but not the card: its cursor stays, so that values can be reached and copied. */
  #isHeld = false;
  #isPointerIn = false;
  #lastLines: SeriesByKey | null = null;
  /** Of the request that data is an answer to, unless it says that it is stale. */
  #askedRange: Range | null = null;

  #data = $state.raw<CardData | null>(null);
  #widthPx = $state(0);
  #clipped = $state.raw<Clipped>(NO_CLIPPED);
  #droppedCount = $state(0);

  readonly yScale: YScale = $derived.by(() => this.#typed?.yScale ?? this.#page.view.yScale);
  readonly #lines = $derived.by(() => this.#makeLines());
  readonly #options = $derived.by(() => this.#makeOptions());
  readonly summary = $derived.by(() =>
    chartSummary(this.tag, this.#lines.all, this.#page.view.xAxis, {
      value: (value) => formatValue(value),
      x: xText,
    }),
  );

  constructor(page: Page, context: ScalarsContext, tag: string) {
    this.tag = tag;
    this.#page = page;
    this.#context = context;
    this.#memory = context.memories.of(tag);
    // A link does not say whether its limits were typed; those of a zoom mostly come with a range of x.
    untrack(() => {
      this.#memory.isYZoomed ??= page.view.xRange !== null && this.#yRange !== null;
    });
  }

  // ---- what the markup shows -------------------------------------------------------------------------------------

  get state(): CardState {
    const data = this.#data;
    if (data === null || (data.isFirstLoad && data.error === null)) return 'loading';
    if (data.series.length === 0 && data.error !== null) return 'error';
    const { xRange } = this.#page.view;
    // The server sends a neighbour on each side of the range, so a line need not have a point in it.
    const isShown = (line: CardSeries) => data.isStale || xRange === null || hasPointsIn(line, xRange);
    return this.#lines.all.some(isShown) ? 'shown' : 'empty';
  }

  get error(): string | null {
    return this.#data?.error ?? null;
  }

  get isStale(): boolean {
    return this.#data?.isStale ?? false;
  }

  retry(): void {
    this.#data?.retry();
  }

  get isPinned(): boolean {
    return this.#page.view.pins.includes(this.tag);
  }

  /** The view differs from everything-that-is-there, so resetting does something. */
  get isZoomed(): boolean {
    return this.#page.view.xRange !== null || (this.#memory.isYZoomed === true && this.#yRange !== null);
  }

  get typedRange(): Range | null {
    return this.#memory.isYZoomed ? this.#memory.yTyped : this.#yRange;
  }

  get smoothing(): string | null {
    return smoothingNote(this.#page.view.smoothing);
  }

  get outliers(): string | null {
    return this.areOutliersIgnored ? outlierNote(this.#clipped) : null;
  }

  get areOutliersIgnored(): boolean {
    return this.#page.view.ignoreOutliers && !this.#memory.areOutliersShown;
  }

  get areOutliersShownByHand(): boolean {
    return this.#page.view.ignoreOutliers && this.#memory.areOutliersShown;
  }

  get hiddenByLog(): string | null {
    return this.yScale === 'log' ? logNote(this.#droppedCount, this.#data?.series ?? []) : null;
  }

  get superseded(): string | null {
    return this.#data === null ? null : supersededNote(this.#data.series, this.#page.view.showSuperseded);
  }

  get runCount(): number {
    return this.#lines.all.length;
  }

  // ---- what the user does ----------------------------------------------------------------------------------------

  togglePin(): void {
    const { view } = this.#page;
    view.pins = this.isPinned ? view.pins.filter((tag) => tag !== this.tag) : [...view.pins, this.tag];
  }

  toggleFullScreen(): void {
    const { view } = this.#page;
    view.fullScreenCard = view.fullScreenCard === this.tag ? null : this.tag;
    // The pointer is over something else now, and nobody will say that it left.
    this.#page.runs.highlighted = null;
  }

  reset(): void {
    this.#zoomY(null);
    this.#page.view.xRange = null;
  }

  showOutliers(areShown: boolean): void {
    this.#memory.areOutliersShown = areShown;
  }

  setYScale(yScale: YScale): void {
    this.#zoomY(null);
    setCard(this.#page.view, this.tag, { yScale: yScale === this.#page.view.yScale ? null : yScale });
  }

  cycleYScale(): void {
    this.setYScale(Y_SCALES[(Y_SCALES.indexOf(this.yScale) + 1) % Y_SCALES.length] ?? 'linear');
  }

  setTypedRange(range: Range | null): void {
    this.#memory.isYZoomed = false;
    setCard(this.#page.view, this.tag, { yRange: range });
  }

  /** What the y axis shows now; the engine knows, once it has drawn. */
  get shownYRange(): Range {
    return this.#chart?.view.y ?? [0, 1];
  }

  moveCursor(by: number): void {
    this.#chart?.moveCursor(by);
  }

  /**
   * Rows at the cursor, or at the ends of the lines without one. `isSteady`: the highlighted run stays where it is – a
   * row must not run away from the pointer that highlights it. In an effect only the settings count: of cursor, data and
   * highlight `followRows` tells.
   */
  rows(limit: number, { isSteady = false } = {}): ValueRows {
    const { tooltipSort, xRange } = this.#page.view;
    const { lines, highlighted } = untrack(() => ({
      lines: this.#lines,
      highlighted: this.#page.runs.highlighted,
    }));
    if (this.#hover !== null) {
      const first = isPointed(this.#hover) ? this.#hover.nearestKey : null;
      return valueRows(this.#hover.points, lines, { sort: tooltipSort, limit, first });
    }
    const points = this.#followed?.points ?? lines.ends(xRange);
    return valueRows(points, lines, {
      sort: tooltipSort === 'nearest' ? 'given' : tooltipSort,
      limit,
      first: highlighted === null || isSteady ? null : String(highlighted),
    });
  }

  tsv(): string {
    return tsvFrom(this.rows(Infinity).rows);
  }

  /** Where the rows are from. */
  get place(): string {
    const x = (this.#hover ?? this.#followed)?.x ?? null;
    const { xRange, xAxis: kind } = this.#page.view;
    if (x === null) return xRange === null ? 'Last values' : 'Last in range';
    return kind === 'step' ? `Step ${xText(Math.round(x), kind)}` : xText(x, kind);
  }

  // ---- wiring ----------------------------------------------------------------------------------------------------

  /** Call inside an effect while the card is near the viewport: it then asks for data and follows cursor and highlight. */
  subscribe(): () => void {
    return untrack(() => {
      const unsubscribe = this.#page.scalars.subscribe(
        () => this.#request(),
        (data) => this.#receive(data),
      );
      const unfollow = this.#context.cursor.subscribe((x, source) => {
        if (source !== this) this.#follow(x);
      });
      $effect(() => {
        const { highlighted } = this.#page.runs;
        this.#chart?.setHighlight(highlighted === null ? null : String(highlighted));
        if (this.#hover === null) untrack(() => this.#onRows?.());
      });
      return () => {
        unsubscribe();
        unfollow();
        this.#chart?.setHighlight(null);
        this.#follow(null);
      };
    });
  }

  /** Attachment of the element that the chart is drawn in. */
  readonly attachChart = (host: HTMLElement): (() => void) => {
    const chart = untrack(() => this.#context.makeChart(host, this.#callbacks(), this.#options));
    const unwatch = this.#watchPointer(host);
    this.#chart = chart;
    this.#widthPx = chart.plotWidthPx;

    // Options first: fitting depends on them.
    $effect(() => chart.setOptions(this.#options));
    $effect(() => {
      chart.setSeries(this.#lines.all.map((series) => series.chart));
      // Points are named by their place in the arrays, and those are others now.
      if (this.#followed !== null) this.#followed = chart.hoverAt(this.#followed.x);
      if (this.#isHeld && this.#hover !== null)
        this.#hover = sameOrder(chart.hoverAt(this.#hover.x), this.#hover);
      // Untracked: rows are about the highlighted run, too, and pointing at one must not draw all charts again.
      untrack(() => this.#onRows?.());
    });

    return () => {
      if (this.#hover !== null) {
        this.#context.cursor.publish(null, this);
        // Nobody else will say that the pointer has left.
        this.#page.runs.highlighted = null;
      }
      this.#hover = null;
      this.#isHeld = false;
      this.#chart = null;
      unwatch();
      chart.destroy();
    };
  };

  /** Calls whenever `rows` and `place` may have changed; null ends that. Not for every mouse move through state. */
  followRows(onRows: (() => void) | null): void {
    this.#onRows = onRows;
    onRows?.();
  }

  get #typed() {
    return cardOf(this.#page.view, this.tag);
  }

  get #yRange(): Range | null {
    return rangeCopy(this.#typed?.yRange ?? null);
  }

  /** null: back to the typed limits, or to fitting. */
  #zoomY(range: Range | null): void {
    const memory = this.#memory;
    if (range === null && !memory.isYZoomed) return;
    if (!memory.isYZoomed) memory.yTyped = this.#yRange;
    memory.isYZoomed = range !== null;
    setCard(this.#page.view, this.tag, { yRange: range ?? memory.yTyped });
    if (range === null) memory.yTyped = null;
  }

  #request() {
    if (this.#widthPx === 0) return null;
    const shown = rangeCopy(this.#page.view.xRange);
    const isFollowing =
      shown !== null && untrack(() => isAtEnd(shown, this.#context.memories.xEnd(this.#xAxis, shown)));
    const xRange = isFollowing ? aheadOf(shown) : shown;
    this.#askedRange = xRange;
    return { tag: this.tag, widthPx: this.#widthPx, xRange };
  }

  #receive(data: CardData): void {
    const before = new Set(this.#lines.all.map(({ key }) => key));
    this.#data = data;
    if (data.isFirstLoad || data.isStale) return;
    const axis = this.#xAxis;
    const { memories } = this.#context;
    const { view } = this.#page;
    const endBefore = view.xRange === null ? Infinity : memories.xEnd(axis, view.xRange);
    let grownTo = -Infinity;
    const extents = this.#lines.all.map(({ key, chart: { x } }): Range => {
      const end = x[x.length - 1]!;
      // A run that was added just now has not grown.
      if (before.has(key)) grownTo = Math.max(grownTo, end);
      return [x[0]!, end];
    });
    const known = this.#memory.xLimits.axis === axis ? this.#memory.xLimits.range : UNKNOWN_LIMITS;
    this.#memory.xLimits = { axis, range: learnedLimits(known, extents, this.#askedRange) };
    // Whichever card hears of it first moves all of them: for the others the end is known then.
    const growth = grownTo - endBefore;
    if (view.xRange === null || !(growth > 0) || memories.isDragging) return;
    if (!isAtEnd(view.xRange, endBefore)) return;
    view.xRange = slid(view.xRange, growth);
    memories.followed = { range: view.xRange.join(), end: grownTo };
  }

  get #xAxis(): string {
    return `${this.#page.view.xAxis} ${this.#page.view.xScale}`;
  }

  /** Another card's cursor; null: it is gone. */
  #follow(x: number | null): void {
    this.#hover = null;
    this.#isHeld = false;
    this.#chart?.setCursor(x);
    this.#followed = x === null ? null : (this.#chart?.hoverAt(x) ?? null);
    untrack(() => this.#onRows?.());
  }

  /** The run table changes whenever any run grows; lines that came out the same are not drawn again. */
  #makeLines(): SeriesByKey {
    const { runs, view } = this.#page;
    const series = cardSeriesFrom(this.#data?.series ?? [], view.xAxis, {
      showSuperseded: view.showSuperseded,
      lookOf: (run) =>
        runs.has(run) ? { label: runs.shortName(run), color: runs.color(run), dash: runs.dash(run) } : null,
    });
    if (this.#lastLines === null || !areSameLines(series, this.#lastLines.all)) {
      this.#lastLines = new SeriesByKey(series);
    }
    return this.#lastLines;
  }

  get #xLimits(): Range {
    const { axis, range } = this.#memory.xLimits;
    return axis === this.#xAxis ? range : UNKNOWN_LIMITS;
  }

  #makeOptions(): ChartOptions {
    const { view } = this.#page;
    return {
      xKind: view.xAxis,
      xScale: view.xScale,
      yScale: this.yScale,
      xRange: rangeCopy(view.xRange),
      xLimits: view.xRange === null ? null : this.#xLimits,
      yRange: this.#yRange,
      yCore: this.areOutliersIgnored ? yCoreOf(this.#lines.all) : null,
      theme: this.#context.theme.current,
      isTouchPanning: this.#context.isTouch,
    };
  }

  #callbacks() {
    return {
      onHover: (hover: Hover | null) => this.#onHover(hover),
      onView: ({ x, y }: { readonly x: Range | null; readonly y: Range | null }) => {
        // A zoom of x hands the limits of y back as they are.
        if (y?.join() !== this.#yRange?.join()) this.#zoomY(y && roundedRange(y));
        this.#page.view.xRange = x && roundedRange(x);
        // What the chart did by itself may differ from what we make of it (typed limits of y stay), without any change here.
        untrack(() => this.#chart?.setOptions(this.#options));
      },
      onClipped: (clipped: Clipped) => {
        this.#clipped = clipped;
      },
      onDropped: (count: number) => {
        this.#droppedCount = count;
      },
      onPlotWidth: (widthPx: number) => {
        this.#widthPx = widthPx;
      },
    };
  }

  /** Listens for the pointer's ways in the card around the chart. */
  #watchPointer(host: HTMLElement): () => void {
    const area = host.closest('[data-cursor-area]') ?? host;
    const stop = new AbortController();
    const on = (target: EventTarget, names: string, act: (event: PointerEvent) => void) => {
      for (const name of names.split(' ')) {
        target.addEventListener(name, (event) => act(event as PointerEvent), { signal: stop.signal });
      }
    };
    const leave = () => {
      this.#isPointerIn = false;
      if (this.#isHeld) this.#onHover(null);
    };
    const { memories } = this.#context;
    on(area, 'pointerenter', () => (this.#isPointerIn = true));
    // A finger leaves the card whenever it is lifted; what it placed stays until it touches something else.
    on(area, 'pointerleave', (event) => event.pointerType !== 'touch' && leave());
    on(document, 'pointerdown', ({ target }) => !area.contains(target as Node | null) && leave());
    // After the button for menus nobody may say that it was let go.
    on(host, 'pointerdown', ({ button }) => (memories.isDragging = button !== 2));
    on(document, 'pointerup pointercancel', () => (memories.isDragging = false));
    return () => {
      memories.isDragging = false;
      stop.abort();
    };
  }

  #onHover(hover: Hover | null): void {
    const isLeft = hover === null && !this.#isHeld && !!this.#hover?.pointerPx;
    if (isLeft && this.#isPointerIn && !this.#context.memories.isDragging) {
      this.#isHeld = true;
      this.#chart?.setCursor(this.#hover!.x);
      return;
    }
    if (this.#isHeld) this.#chart?.setCursor(null);
    this.#isHeld = false;
    this.#hover = hover;
    this.#followed = null;
    this.#context.cursor.publish(hover?.x ?? null, this);
    this.#page.runs.highlighted = hover !== null && isPointed(hover) ? runOfKey(hover.nearestKey!) : null;
    this.#onRows?.();
    if (hover?.pointerPx === null) this.#speak();
  }

  #speak(): void {
    const { rows } = this.rows(3);
    const values = rows.map((row) => `${row.label} ${formatValue(row.smoothed ?? row.value)}`);
    this.#context.speak(`${this.place}: ${values.join(', ')}`);
  }
}

/** Whether the nearest line is near enough to be meant. */
function isPointed({ nearestKey, points }: Hover): boolean {
  const nearest = points.find((point) => point.key === nearestKey);
  return nearest !== undefined && nearest.distancePx <= HIGHLIGHT_PX;
}

/** Rows must not change places under the pointer that is on its way to them. */
function sameOrder(now: Hover, before: Hover): Hover {
  const distances = new Map(before.points.map(({ key, distancePx }) => [key, distancePx]));
  const points = now.points.map((point) => ({ ...point, distancePx: distances.get(point.key) ?? Infinity }));
  return { ...before, points };
}

function xText(x: number, kind: XKind): string {
  if (kind === 'step') return formatInteger(x);
  return kind === 'wall' ? formatMoment(x) : formatSpan(x);
}

/** The view's ranges are live state; what leaves it must not be. */
function rangeCopy(range: Range | null): Range | null {
  return range === null ? null : [range[0], range[1]];
}
