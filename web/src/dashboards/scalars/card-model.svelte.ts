// One card's logic without its looks: says what the chart can show, drives the chart engine and the value table with the
// lines that come (card-lines.svelte.ts), and tells the rest of the page where the pointer is. The engine and the table are
// plain objects that are told what changed; only facts that the markup shows are state.
import { untrack } from 'svelte';
import { formatValue } from '../../base/format';
import type { ChartOptions, Hover, LineChart, Range, RightAxis, YScale } from '../../chart/types';
import type { Page } from '../../state/page.svelte';
import type { LineX } from '../../state/card-query';
import type { CardId, CardRequest, LineSource, Selected } from '../../state/types';
import { CardLines } from './card-lines.svelte';
import {
  baselineLabel,
  type CardNote,
  logNote,
  outlierNote,
  supersededNote,
  type Clipped,
} from './card-notes';
import { groupSeriesKey, hasPointsIn, seriesKey, yCoreOf, type CardSeries } from './card-series';
import { lineName, type CardSpec } from './card-spec';
import type { PointedAt, ReadCard } from './reading/read-card';
import type { ScalarsContext } from './scalars-context.svelte';
import { smoothingNote } from './smoothing-note';
import {
  bandText,
  membersText,
  tsvFrom,
  valueRows,
  type SeriesByKey,
  type ValueRow,
  type ValueRows,
} from './value-rows';
import type { ValueTableOptions } from './value-table';
import { cardOf, setCard } from './view-changes';
import { aheadOf, isAtEnd, learnedLimits, roundedRange, slid, UNKNOWN_LIMITS } from './x-limits';
import { placeText, xName, xText } from './x-text';

/** The nearest line counts as pointed at up to this distance. */
const HIGHLIGHT_PX = 48;

const NO_CLIPPED: Clipped = { above: 0, below: 0 };
const Y_SCALES: readonly YScale[] = ['linear', 'log', 'symlog'];

export type CardState = 'loading' | 'error' | 'empty' | 'shown';

export class CardModel implements ReadCard {
  readonly id: CardId;
  readonly #specOf: () => CardSpec;
  readonly #page: Page;
  readonly #context: ScalarsContext;
  readonly #memory;
  #chart: LineChart | null = null;
  host: HTMLElement | null = null;
  /** The point that pointer or keys are on, or were on last: a menu takes both away. */
  pointed: PointedAt | null = null;
  #onRows: (() => void) | null = null;
  #hover: Hover | null = null;
  #followed: Hover | null = null;
  /** The pointer has left the plot but not the card: its cursor stays, so that values can be reached and copied. */
  #isHeld = false;
  #isPointerIn = false;
  /** The line under the pointer, in this chart or its table: of several lines of a run, or the line of a group. */
  #pointedKey: string | null = null;
  /** Of the request that data is an answer to, unless it says that it is stale. */
  #askedRange: Range | null = null;

  #widthPx = $state(0);
  #clipped = $state.raw<Clipped>(NO_CLIPPED);
  #droppedCount = $state(0);

  readonly yScale: YScale = $derived.by(() => this.#typed?.yScale ?? this.#page.view.yScale);
  readonly #lines: CardLines;
  readonly fitted = $derived.by(() => this.#fitOptions());
  readonly #options = $derived.by(() => this.#makeOptions());

  constructor(page: Page, context: ScalarsContext, specOf: () => CardSpec) {
    // Lists are keyed by id: what a card shows may change, its id never does.
    this.id = untrack(specOf).id;
    this.#specOf = specOf;
    this.#page = page;
    this.#context = context;
    this.#memory = context.memories.of(this.id);
    this.#lines = new CardLines({
      page,
      spec: specOf,
      request: (source) => this.#request(source),
      onData: (before) => this.#learn(before),
    });
    // A link does not say whether its limits were typed; those of a zoom mostly come with a range of x.
    untrack(() => {
      this.#memory.isYZoomed ??= page.view.xRange !== null && this.#yRange !== null;
    });
  }

  // ---- what the markup shows -------------------------------------------------------------------------------------

  get title(): string {
    return this.#specOf().title;
  }

  get spec(): CardSpec {
    return this.#specOf();
  }

  get x(): LineX {
    return this.#lines.x;
  }

  get drawn(): SeriesByKey {
    return this.#drawn;
  }

  get state(): CardState {
    const { isStale } = this;
    const { xRange } = this;
    // The server sends a neighbour on each side of the range, so a line need not have a point in it.
    const isShown = (line: CardSeries) => isStale || xRange === null || hasPointsIn(line, xRange);
    if (this.#drawn.all.some(isShown)) return 'shown';
    if (this.#lines.isLoading) return 'loading';
    return this.error !== null && this.#drawn.all.length === 0 ? 'error' : 'empty';
  }

  get error(): string | null {
    return this.#lines.error;
  }

  get isStale(): boolean {
    return this.#lines.isStale;
  }

  /** Lines are on their way, though others may be shown already. */
  get isLoading(): boolean {
    return this.#lines.isLoading;
  }

  retry(): void {
    this.#lines.retry();
  }

  /** What is shown of x: as in all cards, unless this one has an axis of its own. null: everything. */
  get xRange(): Range | null {
    const { axis, range } = this.#memory.ownX;
    if (!this.#isOwnX) return this.#page.view.xRange;
    return axis === this.#xAxis ? range : null;
  }

  set xRange(range: Range | null) {
    if (this.#isOwnX) this.#memory.ownX = { axis: this.#xAxis, range };
    else this.#page.view.xRange = range;
  }

  /** Sentences of the server, the most important first; the only thing to see when there are no lines because of them. */
  get notes(): readonly CardNote[] {
    return this.#lines.notes;
  }

  /** What the values are compared with, and what they are drawn over when that is not usual; null: nothing. */
  get comparison(): string | null {
    return this.#comparison;
  }

  get over(): string | null {
    const { axis, tag } = this.#lines.x;
    if (axis === 'metric') return `over ${tag}`;
    return axis === 'active' ? 'active time' : null;
  }

  get members(): string | null {
    return this.#lines.membersNote;
  }

  /** What a row of the table is about. */
  get rowWord(): string {
    if (this.isGrouped) return 'groups';
    return this.#specOf().lines.length > 1 ? 'lines' : 'runs';
  }

  /** Some rows of the table are groups. */
  get isGrouped(): boolean {
    return this.#lines.isGrouped;
  }

  get tableOptions(): ValueTableOptions {
    const { x, isGrouped: hasGroups } = this.#lines;
    const centerName = this.#page.view.grouping?.center === 'median' ? 'Median' : 'Mean';
    return { hasGroups, centerName, xName: xName(x), xText: (at) => xText(at, x.axis) };
  }

  get isPinned(): boolean {
    return this.#page.view.pins.includes(this.id);
  }

  /** The view differs from everything-that-is-there, so resetting does something. */
  get isZoomed(): boolean {
    return this.xRange !== null || (this.#memory.isYZoomed === true && this.#yRange !== null);
  }

  get typedRange(): Range | null {
    return this.#memory.isYZoomed ? this.#memory.yTyped : this.#yRange;
  }

  get smoothing(): string | null {
    const { smoothing } = this.#page.view;
    const notes = new Set(this.#specOf().lines.map((line) => smoothingNote(line.smoothing ?? smoothing)));
    const [note = null] = notes;
    return notes.size > 1 ? 'Smoothed line by line' : note;
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
    return this.yScale === 'log' ? logNote(this.#droppedCount, this.#lines.wireSeries) : null;
  }

  get superseded(): string | null {
    return supersededNote(this.#lines.wireSeries, this.#page.view.showSuperseded);
  }

  get runCount(): number {
    return this.#drawn.all.length;
  }

  // ---- what the user does ----------------------------------------------------------------------------------------

  togglePin(): void {
    const { view } = this.#page;
    view.pins = this.isPinned ? view.pins.filter((id) => id !== this.id) : [...view.pins, this.id];
  }

  toggleFullScreen(): void {
    const { view } = this.#page;
    view.fullScreenCard = view.fullScreenCard === this.id ? null : this.id;
    // The pointer is over something else now, and nobody will say that it left.
    this.#highlight(null);
  }

  reset(): void {
    this.#zoomY(null);
    this.xRange = null;
  }

  showOutliers(areShown: boolean): void {
    this.#memory.areOutliersShown = areShown;
  }

  setYScale(yScale: YScale): void {
    this.#zoomY(null);
    setCard(this.#page.view, this.id, { yScale: yScale === this.#page.view.yScale ? null : yScale });
  }

  cycleYScale(): void {
    this.setYScale(Y_SCALES[(Y_SCALES.indexOf(this.yScale) + 1) % Y_SCALES.length] ?? 'linear');
  }

  setTypedRange(range: Range | null): void {
    this.#memory.isYZoomed = false;
    setCard(this.#page.view, this.id, { yRange: range });
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
    const { tooltipSort } = this.#page.view;
    const { xRange } = this;
    const lines = untrack(() => this.#drawn);
    if (this.#hover !== null) {
      const first = isPointed(this.#hover) ? this.#hover.nearestKey : null;
      return valueRows(this.#hover.points, lines, { sort: tooltipSort, limit, first });
    }
    const points = this.#followed?.points ?? lines.ends(xRange);
    return valueRows(points, lines, {
      sort: tooltipSort === 'nearest' ? 'given' : tooltipSort,
      limit,
      first: isSteady ? null : untrack(() => this.#highlightKey),
    });
  }

  tsv(): string {
    return this.#context.reading?.tsvOf(this) ?? tsvFrom(this.rows(Infinity).rows);
  }

  /** Where the rows are from. */
  get place(): string {
    const x = (this.#hover ?? this.#followed)?.x ?? null;
    if (x === null) return this.xRange === null ? 'Last values' : 'Last in range';
    return placeText(x, this.#lines.x);
  }

  /** The pointer is on a row of the table; null: it has left them. */
  pointAt(row: ValueRow | null): void {
    this.#pointedKey = row?.key ?? null;
    this.#highlight(this.#pointedKey);
    this.#showHighlight();
  }

  isHighlighted(row: ValueRow): boolean {
    if (row.run === null) return row.key === this.#highlightKey;
    return row.run === this.#page.runs.highlighted;
  }

  // ---- wiring ----------------------------------------------------------------------------------------------------

  /** Call inside an effect while the card is near the viewport: it then asks for data and follows cursor and highlight. */
  subscribe(): () => void {
    return untrack(() => {
      this.#lines.subscribe();
      $effect(() => this.#context.reading?.add(this));
      const unfollow = this.#context.cursor.subscribe((x, source) => {
        if (source === this) return;
        // The same number means another place on another axis.
        const isSameAxis = !(source instanceof CardModel) || source.#lines.xKey === this.#lines.xKey;
        this.#follow(isSameAxis ? x : null);
      });
      $effect(() => {
        const { highlighted, highlightedGroup } = this.#page.runs;
        untrack(() => {
          const pointed = this.#drawn.get(this.#pointedKey ?? '');
          // Another run or group, pointed at elsewhere.
          const isOther = pointed?.run !== highlighted || (pointed.group ?? null) !== highlightedGroup;
          if ((highlighted !== null || highlightedGroup !== null) && isOther) this.#pointedKey = null;
          this.#showHighlight();
          if (this.#hover === null) this.#onRows?.();
        });
      });
      return () => {
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
    this.host = host;
    this.#widthPx = chart.plotWidthPx;

    // Options first: fitting depends on them.
    $effect(() => chart.setOptions(this.#options));
    $effect(() => {
      chart.setSeries(this.#drawn.all.map((series) => series.chart));
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
        this.#highlight(null);
      }
      this.#hover = null;
      this.#isHeld = false;
      this.#chart = null;
      this.host = null;
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
    return cardOf(this.#page.view, this.id);
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
    setCard(this.#page.view, this.id, { yRange: range ?? memory.yTyped });
    if (range === null) memory.yTyped = null;
  }

  #request(source: LineSource): CardRequest | null {
    if (this.#widthPx === 0) return null;
    const shown = rangeCopy(this.xRange);
    const isFollowing =
      shown !== null && untrack(() => isAtEnd(shown, this.#context.memories.xEnd(this.#xAxis, shown)));
    const xRange = isFollowing ? aheadOf(shown) : shown;
    this.#askedRange = xRange;
    return { source, widthPx: this.#widthPx, xRange };
  }

  /** New data has come: how far does it go, and does the view go on with it? */
  #learn(before: ReadonlySet<string>): void {
    if (this.#lines.isStale || this.#drawn.all.length === 0) return;
    const axis = this.#xAxis;
    const { memories } = this.#context;
    const shown = this.xRange;
    const endBefore = shown === null ? Infinity : memories.xEnd(axis, shown);
    let grownTo = -Infinity;
    const extents = this.#drawn.all.map(({ key, chart: { x } }): Range => {
      const end = x[x.length - 1]!;
      // A run that was added just now has not grown.
      if (before.has(key)) grownTo = Math.max(grownTo, end);
      return [x[0]!, end];
    });
    const known = this.#memory.xLimits.axis === axis ? this.#memory.xLimits.range : UNKNOWN_LIMITS;
    this.#memory.xLimits = { axis, range: learnedLimits(known, extents, this.#askedRange) };
    // Whichever card hears of it first moves all of them: for the others the end is known then.
    const growth = grownTo - endBefore;
    if (shown === null || !(growth > 0) || memories.isDragging) return;
    if (!isAtEnd(shown, endBefore)) return;
    const range = slid(shown, growth);
    this.xRange = range;
    memories.followed = { range: range.join(), end: grownTo };
  }

  get #xAxis(): string {
    return `${this.#lines.xKey} ${this.#page.view.xScale}`;
  }

  /** Its x is not that of the other cards. */
  get #isOwnX(): boolean {
    const { x } = this.#specOf();
    const { xAxis, xTag } = this.#page.view;
    return x !== null && (x.axis !== xAxis || (x.axis === 'metric' && x.tag !== xTag));
  }

  get #drawn(): SeriesByKey {
    return this.#lines.drawn;
  }

  get #comparison(): string | null {
    const { baseline } = this.#lines;
    const run = baseline === null ? undefined : this.#page.runs.idOf(baseline.run);
    return baseline === null || run === undefined
      ? null
      : baselineLabel(baseline, this.#page.runs.shortName(run));
  }

  /** The line that stands out: the one that is pointed at, or one of the run that is, or the group that run is in. */
  get #highlightKey(): string | null {
    const { highlighted, highlightedGroup } = this.#page.runs;
    const pointed = this.#pointedKey === null ? undefined : this.#drawn.get(this.#pointedKey);
    if (pointed && pointed.run === highlighted && (pointed.group ?? null) === highlightedGroup)
      return pointed.key;
    const ofRun =
      highlighted === null || !this.isGrouped ? undefined : this.#page.runs.groupOf(highlighted)?.key;
    const group = highlightedGroup ?? ofRun;
    const { lines } = this.#specOf();
    const keys = [
      ...(highlighted === null ? [] : lines.map((_, line) => seriesKey(highlighted, false, line))),
      ...(group === undefined ? [] : lines.map((_, line) => groupSeriesKey(group, line))),
    ];
    return keys.find((key) => this.#drawn.get(key) !== undefined) ?? null;
  }

  /** Tells the page which line is pointed at; null: none. */
  #highlight(key: string | null): void {
    const series = key === null ? undefined : this.#drawn.get(key);
    this.#page.runs.highlighted = series?.run ?? null;
    this.#page.runs.highlightedGroup = series?.group ?? null;
  }

  #showHighlight(): void {
    this.#chart?.setHighlight(untrack(() => this.#highlightKey));
  }

  /** Another card's cursor; null: it is gone. */
  #follow(x: number | null): void {
    this.#hover = null;
    this.#isHeld = false;
    this.#chart?.setCursor(x);
    this.#followed = x === null ? null : (this.#chart?.hoverAt(x) ?? null);
    untrack(() => this.#onRows?.());
  }

  get #xLimits(): Range {
    const { axis, range } = this.#memory.xLimits;
    return axis === this.#xAxis ? range : UNKNOWN_LIMITS;
  }

  /** With what the step selector, notes and limits for several charts add, once they are loaded. */
  #makeOptions(): ChartOptions {
    const { fitted } = this;
    const { reading } = this.#context;
    if (reading === null) return { ...fitted, yRange: this.#yRange };
    const { right } = fitted;
    return {
      ...fitted,
      yRange: this.#yRange ?? reading.yRangeOf(this),
      right: right && { ...right, range: reading.yRangeOf(this, 'right') },
      selected: reading.selectedIn(this),
      marks: reading.marksIn(this),
    };
  }

  #fitOptions() {
    const { view } = this.#page;
    const { x } = this.#lines;
    const { xRange } = this;
    return {
      xKind: x.axis,
      xScale: view.xScale,
      yScale: this.yScale,
      xRange: rangeCopy(xRange),
      xLimits: xRange === null ? null : this.#xLimits,
      yRange: null,
      yCore: this.#coreOf('left'),
      yLabel: this.#axisLabel('left'),
      xLabel: x.tag,
      right: this.#rightAxis(),
      theme: this.#context.theme.current,
      isTouchPanning: this.#context.isTouch,
    };
  }

  #coreOf(axis: 'left' | 'right'): Range | null {
    if (!this.areOutliersIgnored) return null;
    return yCoreOf(this.#drawn.all.filter(({ chart }) => (chart.axis ?? 'left') === axis));
  }

  #rightAxis(): RightAxis | null {
    if (!this.#specOf().lines.some(({ axis }) => axis === 'right')) return null;
    // Ticks of an axis that no line belongs to would be numbers about nothing.
    const isEmpty = !this.#drawn.all.some(({ chart }) => chart.axis === 'right');
    if (isEmpty && !this.isLoading) return null;
    return { scale: this.yScale, range: null, core: this.#coreOf('right'), label: this.#axisLabel('right') };
  }

  /** With two axes: whose they are. What values are compared with, where they are not themselves. */
  #axisLabel(axis: 'left' | 'right'): string {
    const { lines } = this.#specOf();
    const names = lines.filter((line) => line.axis === axis).map(lineName);
    const isOneOfTwo = names.length < lines.length;
    return [isOneOfTwo ? names.join(', ') : '', this.#comparison ?? '']
      .filter((part) => part !== '')
      .join(' · ');
  }

  #callbacks() {
    return {
      onHover: (hover: Hover | null) => this.#onHover(hover),
      onView: ({ x, y }: { readonly x: Range | null; readonly y: Range | null }) => {
        // A zoom of x hands the limits of y back as they are.
        if (y?.join() !== this.#options.yRange?.join()) this.#zoomY(y && roundedRange(y));
        this.xRange = x && roundedRange(x);
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
      onSelected: (selected: Selected) => this.#context.reading?.select(selected, this),
      onMark: (id: string) => this.#context.reading?.openMark(this, id),
      // A finger that taps wants to see values; notes are in the menu.
      ...(!this.#context.isTouch && {
        onPoint: ({ key, x }: PointedAt) => this.#context.reading?.annotate(this, key, x),
      }),
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
    const nearest = hover?.points.find(({ key }) => key === hover.nearestKey);
    if (nearest) this.pointed = { key: nearest.key, x: nearest.x, pointerPx: hover!.pointerPx };
    this.#followed = null;
    this.#context.cursor.publish(hover?.x ?? null, this);
    this.#pointedKey = hover !== null && isPointed(hover) ? hover.nearestKey : null;
    this.#highlight(this.#pointedKey);
    this.#showHighlight();
    this.#onRows?.();
    if (hover?.pointerPx === null) this.#speak();
  }

  #speak(): void {
    const { rows } = this.rows(3);
    const values = rows.map(spokenRow);
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

function spokenRow(row: ValueRow): string {
  const text = `${row.label} ${formatValue(row.smoothed ?? row.value)}`;
  if (row.group === undefined) return text;
  const band = bandText(row, (value, leastDigits = 0) => formatValue(value, Math.max(4, leastDigits)));
  const runs = row.group.members === 1 ? 'run' : 'runs';
  return `${text}${band === '' ? '' : ` ${band}`} from ${membersText(row)} ${runs}`;
}

/** The view's ranges are live state; what leaves it must not be. */
function rangeCopy(range: Range | null): Range | null {
  return range === null ? null : [range[0], range[1]];
}
