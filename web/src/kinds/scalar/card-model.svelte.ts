// One card's logic without its looks: says what the chart can show and drives the chart engine with the lines that come. The
// lines are card-lines.svelte.ts, what is shown of x and y card-ranges.svelte.ts, pointer and values card-cursor.svelte.ts.
// Only facts that the markup shows are state; engine and table are plain objects that are told what changed.
import { untrack } from 'svelte';
import type { ChartOptions, Hover, LineChart, Range, RightAxis, YScale } from '../../chart/types';
import type { Page } from '../../state/page.svelte';
import type { LineX } from '../../state/feeds/line-query';
import type { CardId, Selected } from '../../state/types';
import { CardCursor, type PointedAt } from './card-cursor.svelte';
import { CardLines } from './card-lines.svelte';
import { baselineLabel, logNote, outlierNote, supersededNote, type Clipped } from './card-notes';
import { CardRanges, rangeCopy } from './card-ranges.svelte';
import { hasPointsIn, yCoreOf, type CardSeries } from './card-series';
import { lineName, type ChartCard } from './card-spec';
import type { CardHandle } from '../../board/board.svelte';
import type { ChartContext } from './chart-context.svelte';
import { smoothingNote } from '../../state/settings/smoothing';
import type { SeriesByKey } from './value-rows';
import type { ValueTableOptions } from './value-table';
import { togglePin } from '../../board/cards/card-state';
import { roundedRange } from './x-limits';
import { xName, xText } from './x-text';

const NO_CLIPPED: Clipped = { above: 0, below: 0 };

export type CardState = 'loading' | 'error' | 'empty' | 'shown';

export class CardModel implements CardHandle {
  readonly id: CardId;
  readonly #specOf: () => ChartCard;
  readonly #page: Page;
  readonly #context: ChartContext;
  readonly #memory;
  readonly lines: CardLines;
  readonly ranges: CardRanges;
  /** Where pointer and keys are, and which values that is about. */
  readonly cursor: CardCursor;
  #chart: LineChart | null = null;
  host: HTMLElement | null = null;
  /** Of a card in full screen, which brings it. */
  toggleTable?: () => void;

  #widthPx = $state(0);
  #clipped = $state.raw<Clipped>(NO_CLIPPED);
  #droppedCount = $state(0);

  /** What the chart is told, but with y fit to the data, and without what reading values adds. */
  readonly fitted = $derived.by(() => this.#fitOptions());
  readonly #options = $derived.by(() => this.#makeOptions());

  constructor(page: Page, context: ChartContext, specOf: () => ChartCard) {
    // Lists are keyed by id: what a card shows may change, its id never does.
    this.id = untrack(specOf).id;
    this.#specOf = specOf;
    this.#page = page;
    this.#context = context;
    this.#memory = context.memories.of(this.id);
    const lines = (this.lines = new CardLines({
      page,
      spec: specOf,
      request: (source) =>
        this.#widthPx === 0 ? null : { source, widthPx: this.#widthPx, xRange: this.ranges.ask() },
      onData: (before) => this.ranges.learn(before),
    }));
    const { memories } = context;
    const ranges = (this.ranges = new CardRanges({ id: this.id, page, memories, spec: specOf, lines }));
    this.cursor = new CardCursor({ page, context, spec: specOf, lines, ranges });
  }

  // ---- what the markup shows -------------------------------------------------------------------------------------

  get title(): string {
    return this.#specOf().title;
  }

  get spec(): ChartCard {
    return this.#specOf();
  }

  get x(): LineX {
    return this.lines.x;
  }

  get drawn(): SeriesByKey {
    return this.lines.drawn;
  }

  get pointed(): PointedAt | null {
    return this.cursor.pointed;
  }

  get state(): CardState {
    const { isStale, error } = this.lines;
    const { xRange } = this;
    // The server sends a neighbour on each side of the range, so a line need not have a point in it.
    const isShown = (line: CardSeries) => isStale || xRange === null || hasPointsIn(line, xRange);
    if (this.drawn.all.some(isShown)) return 'shown';
    if (this.lines.isLoading) return 'loading';
    return error !== null && this.drawn.all.length === 0 ? 'error' : 'empty';
  }

  /** What is shown of x; null: everything. */
  get xRange(): Range | null {
    return this.ranges.x;
  }

  get yScale(): YScale {
    return this.ranges.yScale;
  }

  /** What the values are compared with, and what they are drawn over when that is not usual; null: nothing. */
  get comparison(): string | null {
    const { baseline } = this.lines;
    const run = baseline === null ? undefined : this.#page.runs.idOf(baseline.run);
    return baseline === null || run === undefined
      ? null
      : baselineLabel(baseline, this.#page.runs.shortName(run));
  }

  get over(): string | null {
    const { axis, tag } = this.lines.x;
    if (axis === 'metric') return `over ${tag}`;
    return axis === 'active' ? 'active time' : null;
  }

  /** What a row of the table is about. */
  get rowWord(): string {
    if (this.lines.isGrouped) return 'groups';
    return this.#specOf().lines.length > 1 ? 'lines' : 'runs';
  }

  get tableOptions(): ValueTableOptions {
    const { x, isGrouped: hasGroups } = this.lines;
    const centerName = this.#page.view.grouping?.center === 'median' ? 'Median' : 'Mean';
    return {
      hasGroups,
      hasBounds: this.lines.hasBounds,
      centerName,
      xName: xName(x),
      xText: (at) => xText(at, x.axis),
    };
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
    return this.yScale === 'log' ? logNote(this.#droppedCount, this.lines.wireSeries) : null;
  }

  get superseded(): string | null {
    return supersededNote(this.lines.wireSeries, this.#page.view.showSuperseded);
  }

  get runCount(): number {
    return this.drawn.all.length;
  }

  // ---- what the user does ----------------------------------------------------------------------------------------

  togglePin(): void {
    togglePin(this.#page.view, this.id);
  }

  toggleFullScreen(): void {
    const { view } = this.#page;
    view.fullScreenCard = view.fullScreenCard === this.id ? null : this.id;
    this.cursor.forget();
  }

  showOutliers(areShown: boolean): void {
    this.#memory.areOutliersShown = areShown;
  }

  /** What the y axis shows now; the engine knows, once it has drawn. */
  get shownYRange(): Range {
    return this.#chart?.view.y ?? [0, 1];
  }

  moveCursor(by: number): void {
    this.#chart?.moveCursor(by);
  }

  copyValues(): void {
    // Those of now: the pointer may be elsewhere when the code is here.
    const text = this.#context.reading?.tsvOf(this);
    const { rows } = this.cursor.rows(Infinity);
    void import('./value-tsv').then(({ copyValues, tsvFrom }) =>
      copyValues(this.#page, this.title, text ?? tsvFrom(rows)),
    );
  }

  // ---- wiring ----------------------------------------------------------------------------------------------------

  /** Call inside an effect while the card is near the viewport: it then asks for data and follows cursor and highlight. */
  subscribe(): () => void {
    return untrack(() => {
      this.lines.subscribe();
      $effect(() => this.#context.reading?.add(this));
      return this.cursor.subscribe();
    });
  }

  /** Attachment of the element that the chart is drawn in. */
  readonly attachChart = (host: HTMLElement): (() => void) => {
    const chart = untrack(() => this.#context.makeChart(host, this.#callbacks(), this.#options));
    const detach = this.cursor.attach(chart, host);
    this.#chart = chart;
    this.host = host;
    this.#widthPx = chart.plotWidthPx;

    // Options first: fitting depends on them.
    $effect(() => chart.setOptions(this.#options));
    $effect(() => {
      chart.setSeries(this.drawn.all.map((series) => series.chart));
      this.cursor.takeSeries(chart);
    });

    return () => {
      detach();
      this.#chart = null;
      this.host = null;
      chart.destroy();
    };
  };

  /** With what the step selector, notes and limits for several charts add, once they are loaded. */
  #makeOptions(): ChartOptions {
    const { fitted } = this;
    const { reading } = this.#context;
    if (reading === null) return { ...fitted, yRange: this.ranges.y };
    const { right } = fitted;
    return {
      ...fitted,
      yRange: this.ranges.y ?? reading.yRangeOf(this),
      right: right && { ...right, range: reading.yRangeOf(this, 'right') },
      selected: reading.selectedIn(this),
      marks: reading.marksIn(this),
    };
  }

  #fitOptions() {
    const { view } = this.#page;
    const { x } = this.lines;
    const { xRange } = this;
    return {
      xKind: x.axis,
      xScale: view.xScale,
      yScale: this.yScale,
      xRange: rangeCopy(xRange),
      xLimits: xRange === null ? null : this.ranges.xLimits,
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
    return yCoreOf(this.drawn.all.filter(({ chart }) => (chart.axis ?? 'left') === axis));
  }

  #rightAxis(): RightAxis | null {
    if (!this.#specOf().lines.some(({ axis }) => axis === 'right')) return null;
    // Ticks of an axis that no line belongs to would be numbers about nothing.
    const isEmpty = !this.drawn.all.some(({ chart }) => chart.axis === 'right');
    if (isEmpty && !this.lines.isLoading) return null;
    return { scale: this.yScale, range: null, core: this.#coreOf('right'), label: this.#axisLabel('right') };
  }

  /** With two axes: whose they are. What values are compared with, where they are not themselves. */
  #axisLabel(axis: 'left' | 'right'): string {
    const { lines } = this.#specOf();
    const names = lines.filter((line) => line.axis === axis).map(lineName);
    const isOneOfTwo = names.length < lines.length;
    return [isOneOfTwo ? names.join(', ') : '', this.comparison ?? '']
      .filter((part) => part !== '')
      .join(' · ');
  }

  #callbacks() {
    return {
      onHover: (hover: Hover | null) => this.cursor.onHover(hover),
      onView: ({ x, y }: { readonly x: Range | null; readonly y: Range | null }) => {
        // A zoom of x hands the limits of y back as they are.
        if (y?.join() !== this.#options.yRange?.join()) this.ranges.zoomY(y && roundedRange(y));
        this.ranges.x = x && roundedRange(x);
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
}
