// What one card shows of x and y. Of x: the same as all cards, unless it has an axis of its own. Of y: what fits, what was
// typed, or what was zoomed to, which is kept apart so that resetting goes back to what was typed. A view at the end of the
// data goes on with it.
import { untrack } from 'svelte';
import type { Range, YScale } from '../../chart/types';
import type { Page } from '../../state/page.svelte';
import type { CardId } from '../../state/types';
import type { CardLines } from './card-lines.svelte';
import type { ChartCard } from './card-spec';
import type { CardMemories, CardMemory } from './chart-context.svelte';
import { cardOf, setCard } from '../../board/cards/card-state';
import { aheadOf, isAtEnd, learnedLimits, slid, UNKNOWN_LIMITS } from './x-limits';

const Y_SCALES: readonly YScale[] = ['linear', 'log', 'symlog'];

export interface CardRangesOptions {
  readonly id: CardId;
  readonly page: Page;
  readonly memories: CardMemories;
  readonly spec: () => ChartCard;
  readonly lines: Pick<CardLines, 'xKey' | 'isStale' | 'drawn'>;
}

export class CardRanges {
  readonly #options: CardRangesOptions;
  readonly #page: Page;
  readonly #memory: CardMemory;
  /** Of the request that data is an answer to, unless it says that it is stale. */
  #asked: Range | null = null;

  readonly yScale: YScale = $derived.by(
    () => cardOf(this.#page.view, this.#options.id)?.yScale ?? this.#page.view.yScale,
  );

  constructor(options: CardRangesOptions) {
    this.#options = options;
    this.#page = options.page;
    this.#memory = options.memories.of(options.id);
    // A link does not say whether its limits were typed; those of a zoom mostly come with a range of x.
    untrack(() => {
      this.#memory.isYZoomed ??= this.#page.view.xRange !== null && this.y !== null;
    });
  }

  /** The view differs from everything-that-is-there, so resetting does something. */
  get isZoomed(): boolean {
    return this.x !== null || (this.#memory.isYZoomed === true && this.y !== null);
  }

  reset(): void {
    this.zoomY(null);
    this.x = null;
  }

  // ---- x ----

  /** null: everything. */
  get x(): Range | null {
    const { axis, range } = this.#memory.ownX;
    if (!this.#isOwnX) return this.#page.view.xRange;
    return axis === this.#xAxis ? range : null;
  }

  set x(range: Range | null) {
    if (this.#isOwnX) this.#memory.ownX = { axis: this.#xAxis, range };
    else this.#page.view.xRange = range;
  }

  /** How far the data goes, whatever part of it was fetched. */
  get xLimits(): Range {
    const { axis, range } = this.#memory.xLimits;
    return axis === this.#xAxis ? range : UNKNOWN_LIMITS;
  }

  /** What to ask for: a view that goes on with the data wants what comes next, too. Read inside of effects. */
  ask(): Range | null {
    const shown = rangeCopy(this.x);
    const isFollowing =
      shown !== null && untrack(() => isAtEnd(shown, this.#options.memories.xEnd(this.#xAxis, shown)));
    return (this.#asked = isFollowing ? aheadOf(shown) : shown);
  }

  /** New data has come: how far does it go, and does the view go on with it? `before`: keys of the lines that were there. */
  learn(before: ReadonlySet<string>): void {
    const { isStale, drawn } = this.#options.lines;
    if (isStale || drawn.all.length === 0) return;
    const axis = this.#xAxis;
    const { memories } = this.#options;
    const shown = this.x;
    const endBefore = shown === null ? Infinity : memories.xEnd(axis, shown);
    let grownTo = -Infinity;
    const extents = drawn.all.map(({ key, chart: { x } }): Range => {
      const end = x[x.length - 1]!;
      // A run that was added just now has not grown.
      if (before.has(key)) grownTo = Math.max(grownTo, end);
      return [x[0]!, end];
    });
    this.#memory.xLimits = { axis, range: learnedLimits(this.xLimits, extents, this.#asked) };
    // Whichever card hears of it first moves all of them: for the others the end is known then.
    const growth = grownTo - endBefore;
    if (shown === null || !(growth > 0) || memories.isDragging) return;
    if (!isAtEnd(shown, endBefore)) return;
    const range = slid(shown, growth);
    this.x = range;
    memories.followed = { range: range.join(), end: grownTo };
  }

  get #xAxis(): string {
    return `${this.#options.lines.xKey} ${this.#page.view.xScale}`;
  }

  /** Its x is not that of the other cards. */
  get #isOwnX(): boolean {
    const { x } = this.#options.spec();
    const { xAxis, xTag } = this.#page.view;
    return x !== null && (x.axis !== xAxis || (x.axis === 'metric' && x.tag !== xTag));
  }

  // ---- y ----

  /** null: what fits. */
  get y(): Range | null {
    return rangeCopy(cardOf(this.#page.view, this.#options.id)?.yRange ?? null);
  }

  get typedY(): Range | null {
    return this.#memory.isYZoomed ? this.#memory.yTyped : this.y;
  }

  typeY(range: Range | null): void {
    this.#memory.isYZoomed = false;
    this.#setCard({ yRange: range });
  }

  /** null: back to the typed limits, or to fitting. */
  zoomY(range: Range | null): void {
    const memory = this.#memory;
    if (range === null && !memory.isYZoomed) return;
    if (!memory.isYZoomed) memory.yTyped = this.y;
    memory.isYZoomed = range !== null;
    this.#setCard({ yRange: range ?? memory.yTyped });
    if (range === null) memory.yTyped = null;
  }

  setYScale(yScale: YScale): void {
    this.zoomY(null);
    this.#setCard({ yScale: yScale === this.#page.view.yScale ? null : yScale });
  }

  cycleYScale(): void {
    this.setYScale(Y_SCALES[(Y_SCALES.indexOf(this.yScale) + 1) % Y_SCALES.length] ?? 'linear');
  }

  #setCard(change: Parameters<typeof setCard>[2]): void {
    setCard(this.#page.view, this.#options.id, change);
  }
}

/** The view's ranges are live state; what leaves it must not be. */
export function rangeCopy(range: Range | null): Range | null {
  return range === null ? null : [range[0], range[1]];
}
