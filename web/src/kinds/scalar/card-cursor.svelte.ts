// Where pointer and keys are in one card, or in another one that it follows: which values that is about, which line stands
// out. None of it is state: engine and table are told what changed, as it changes with every movement of the pointer.
import { untrack } from 'svelte';
import { formatValue } from '../../base/format';
import type { Hover, LineChart } from '../../chart/types';
import type { Page } from '../../state/page.svelte';
import type { CardLines } from './card-lines.svelte';
import type { CardRanges } from './card-ranges.svelte';
import { groupSeriesKey, seriesKey } from './card-series';
import type { ChartCard } from './card-spec';
import type { ChartContext } from './chart-context.svelte';
import { bandText, membersText, valueRows, type ValueRow, type ValueRows } from './value-rows';
import { placeText } from './x-text';

/** The nearest line counts as pointed at up to this distance. */
const HIGHLIGHT_PX = 48;

/** A point of a line. */
export interface PointedAt {
  readonly key: string;
  /** In data space. */
  readonly x: number;
  /** From the host's top left corner; null: by keys. */
  readonly pointerPx?: { readonly left: number; readonly top: number } | null;
}

export interface CardCursorOptions {
  readonly page: Page;
  readonly context: ChartContext;
  readonly spec: () => ChartCard;
  readonly lines: CardLines;
  readonly ranges: CardRanges;
}

export class CardCursor {
  readonly #page: Page;
  readonly #context: ChartContext;
  readonly #spec: () => ChartCard;
  readonly #lines: CardLines;
  readonly #ranges: CardRanges;
  #chart: LineChart | null = null;
  #onRows: (() => void) | null = null;
  #hover: Hover | null = null;
  #followed: Hover | null = null;
  /** The pointer has left the plot but not the card: its cursor stays, so that values can be reached and copied. */
  #isHeld = false;
  #isPointerIn = false;
  /** The line under the pointer, in this chart or its table: of several lines of a run, or the line of a group. */
  #pointedKey: string | null = null;
  /** The point that pointer or keys are on, or were on last: a menu takes both away. */
  pointed: PointedAt | null = null;

  constructor({ page, context, spec, lines, ranges }: CardCursorOptions) {
    this.#page = page;
    this.#context = context;
    this.#spec = spec;
    this.#lines = lines;
    this.#ranges = ranges;
  }

  // ---- what it is about ----

  /** Calls whenever `rows` and `place` may have changed; null ends that. Not for every mouse move through state. */
  followRows(onRows: (() => void) | null): void {
    this.#onRows = onRows;
    onRows?.();
  }

  /**
   * Rows at the cursor, or at the ends of the lines without one. `isSteady`: the highlighted run stays where it is – a
   * row must not run away from the pointer that highlights it. In an effect only the settings count: of cursor, data and
   * highlight `followRows` tells.
   */
  rows(limit: number, { isSteady = false } = {}): ValueRows {
    const { tooltipSort } = this.#page.view;
    const xRange = this.#ranges.x;
    const lines = untrack(() => this.#lines.drawn);
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

  /** Where the rows are from. */
  get place(): string {
    const x = (this.#hover ?? this.#followed)?.x ?? null;
    if (x === null) return this.#ranges.x === null ? 'Last values' : 'Last in range';
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

  /** The pointer is over something else now, and nobody will say that it left. */
  forget(): void {
    this.#highlight(null);
  }

  // ---- wiring ----

  /** Call inside an effect: it then follows cursor and highlight of other cards. */
  subscribe(): () => void {
    const unfollow = this.#context.cursor.subscribe((x, source) => {
      if (source === this) return;
      // The same number means another place on another axis.
      const isSameAxis = !(source instanceof CardCursor) || source.#lines.xKey === this.#lines.xKey;
      this.#follow(isSameAxis ? x : null);
    });
    $effect(() => {
      const { highlighted, highlightedGroup } = this.#page.runs;
      untrack(() => {
        const pointed = this.#lines.drawn.get(this.#pointedKey ?? '');
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
  }

  /** The chart is there; the answer says that it goes. */
  attach(chart: LineChart, host: HTMLElement): () => void {
    this.#chart = chart;
    const unwatch = this.#watchPointer(host);
    return () => {
      if (this.#hover !== null) {
        this.#context.cursor.publish(null, this);
        this.forget();
      }
      this.#hover = null;
      this.#isHeld = false;
      this.#chart = null;
      unwatch();
    };
  }

  /** The chart has other lines now: points are named by their place in the arrays, and those are others. */
  takeSeries(chart: LineChart): void {
    if (this.#followed !== null) this.#followed = chart.hoverAt(this.#followed.x);
    if (this.#isHeld && this.#hover !== null)
      this.#hover = sameOrder(chart.hoverAt(this.#hover.x), this.#hover);
    // Untracked: rows are about the highlighted run, too, and pointing at one must not draw all charts again.
    untrack(() => this.#onRows?.());
  }

  /** What the engine tells. */
  onHover(hover: Hover | null): void {
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
      if (this.#isHeld) this.onHover(null);
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

  /** Another card's cursor; null: it is gone. */
  #follow(x: number | null): void {
    this.#hover = null;
    this.#isHeld = false;
    this.#chart?.setCursor(x);
    this.#followed = x === null ? null : (this.#chart?.hoverAt(x) ?? null);
    untrack(() => this.#onRows?.());
  }

  // ---- the line that stands out ----

  /** The one that is pointed at, or one of the run that is, or the group that run is in. */
  get #highlightKey(): string | null {
    const { highlighted, highlightedGroup } = this.#page.runs;
    const { drawn, isGrouped } = this.#lines;
    const pointed = this.#pointedKey === null ? undefined : drawn.get(this.#pointedKey);
    if (pointed && pointed.run === highlighted && (pointed.group ?? null) === highlightedGroup)
      return pointed.key;
    const ofRun = highlighted === null || !isGrouped ? undefined : this.#page.runs.groupOf(highlighted)?.key;
    const group = highlightedGroup ?? ofRun;
    const { lines } = this.#spec();
    const keys = [
      ...(highlighted === null ? [] : lines.map((_, line) => seriesKey(highlighted, false, line))),
      ...(group === undefined ? [] : lines.map((_, line) => groupSeriesKey(group, line))),
    ];
    return keys.find((key) => drawn.get(key) !== undefined) ?? null;
  }

  /** Tells the page which line is pointed at; null: none. */
  #highlight(key: string | null): void {
    const series = key === null ? undefined : this.#lines.drawn.get(key);
    this.#page.runs.highlighted = series?.run ?? null;
    this.#page.runs.highlightedGroup = series?.group ?? null;
  }

  #showHighlight(): void {
    this.#chart?.setHighlight(untrack(() => this.#highlightKey));
  }

  #speak(): void {
    const values = this.rows(3).rows.map(spokenRow);
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
