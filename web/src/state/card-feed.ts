// What one card wants, has and still needs. No timers, no requests: scalar-loader.svelte.ts decides when to ask.
//
// Data has a shape (axis, range, columns, smoothing). While the shape stays, answers about single runs are merged: a run
// that grew is asked for alone. When the shape changes, everything is asked for anew, and what is there stays on screen
// as stale until the answer comes.
import type { ScalarQuery } from '../wire/client';
import type { DecodedSeries } from '../wire/frame';
import type { QueryShape } from './card-query';

export interface Wish {
  readonly tag: string;
  /** In the order in which lines are listed. */
  readonly runs: readonly number[];
  readonly shape: QueryShape;
}

/** What was fetched, apart from any card: kept when a card scrolls away, handed on when another shows the same tag. */
export interface Stock {
  /** JSON of the shape. */
  readonly shapeKey: string;
  /** Series by run; an empty list: the server has none. */
  readonly seriesByRun: ReadonlyMap<number, readonly DecodedSeries[]>;
  /** Runs whose data is older than the server's. */
  readonly outdated: ReadonlySet<number>;
}

const NOTHING: Stock = { shapeKey: '', seriesByRun: new Map(), outdated: new Set() };

export class CardFeed {
  #wish: Wish | null = null;
  #shapeKey = '';
  #stock: Stock;
  /** What the running request asks for, and which of it grew since. */
  #asked: {
    readonly shapeKey: string;
    readonly runs: ReadonlySet<number>;
    readonly outdated: Set<number>;
  } | null = null;
  error: string | null = null;
  /** Errors of the server are not asked away; only a retry, a change or a new wish clears them. */
  #isGivenUp = false;

  constructor(stock: Stock | undefined) {
    this.#stock = stock ?? NOTHING;
  }

  get wish(): Wish | null {
    return this.#wish;
  }

  get stock(): Stock {
    return this.#stock;
  }

  get hasData(): boolean {
    return this.#stock.shapeKey !== '';
  }

  /** Returns whether anything is different. */
  want(wish: Wish | null): boolean {
    const shapeKey = wish ? JSON.stringify(wish.shape) : '';
    const before = this.#wish;
    const isSame =
      shapeKey === this.#shapeKey &&
      before?.tag === wish?.tag &&
      before?.runs.length === wish?.runs.length &&
      (wish?.runs.every((run, i) => run === before?.runs[i]) ?? true);
    if (isSame) return false;
    if (before && wish && before.tag !== wish.tag) this.#stock = NOTHING;
    this.#wish = wish;
    this.#shapeKey = shapeKey;
    this.#clearError();
    return true;
  }

  /** Runs to ask for now; those of the running request are left out, unless it asks for another shape. */
  get needed(): readonly number[] {
    const wish = this.#wish;
    if (wish === null || this.#isGivenUp) return [];
    const isReshaped = this.#stock.shapeKey !== this.#shapeKey;
    const asked = this.#asked?.shapeKey === this.#shapeKey ? this.#asked.runs : null;
    return wish.runs.filter(
      (run) =>
        !asked?.has(run) &&
        (isReshaped || this.#stock.outdated.has(run) || !this.#stock.seriesByRun.has(run)),
    );
  }

  /** Of the running question: an answer to an earlier one has another. */
  get ticket(): object | null {
    return this.#asked;
  }

  get isAsking(): boolean {
    return this.#asked !== null;
  }

  /** The answer that is under way is for a shape nobody wants any more. */
  get isAskingInVain(): boolean {
    return this.#asked !== null && (this.#wish === null || this.#asked.shapeKey !== this.#shapeKey);
  }

  get isStale(): boolean {
    return (
      this.#wish !== null &&
      this.#wish.runs.length > 0 &&
      this.hasData &&
      this.#stock.shapeKey !== this.#shapeKey
    );
  }

  /** In the order of the wish. */
  get series(): DecodedSeries[] {
    return this.#wish?.runs.flatMap((run) => this.#stock.seriesByRun.get(run) ?? []) ?? [];
  }

  /** Takes what is needed as asked for, and gives the question. */
  ask(): ScalarQuery | null {
    this.#giveBack();
    const runs = this.needed;
    if (this.#wish === null || runs.length === 0) return null;
    this.#asked = { shapeKey: this.#shapeKey, runs: new Set(runs), outdated: new Set() };
    // From here on, news about these runs come after the question. What is there in another shape stays as old as it is.
    if (this.#stock.shapeKey === this.#shapeKey) {
      this.#stock = { ...this.#stock, outdated: without(this.#stock.outdated, runs) };
    }
    return { tag: this.#wish.tag, runs: [...runs], ...this.#wish.shape };
  }

  /** Returns whether the answer was of use. */
  receive(series: readonly DecodedSeries[]): boolean {
    const asked = this.#asked;
    if (asked === null || asked.shapeKey !== this.#shapeKey) {
      this.#giveBack();
      return false;
    }
    this.#asked = null;
    const isMerge = this.#stock.shapeKey === asked.shapeKey;
    const seriesByRun = new Map(isMerge ? this.#stock.seriesByRun : []);
    for (const run of asked.runs) seriesByRun.set(run, []);
    for (const one of series) seriesByRun.set(one.run, [...(seriesByRun.get(one.run) ?? []), one]);
    const marks = isMerge ? this.#stock.outdated : asked.outdated;
    this.#stock = { shapeKey: asked.shapeKey, seriesByRun, outdated: marks };
    this.error = null;
    return true;
  }

  /** The request came to nothing. `message` null: it will be asked again without a word. */
  fail(message: string | null): void {
    const asked = this.#asked;
    this.#giveBack();
    if (asked === null) return;
    if (message === null || asked.shapeKey !== this.#shapeKey) return;
    this.error = message;
    this.#isGivenUp = true;
  }

  /** Nobody answers: shown only where there is nothing else to show. */
  disconnect(message: string): void {
    this.fail(null);
    if (!this.hasData) this.error = message;
  }

  outdate(runs: Iterable<number>): void {
    const asked = this.#asked?.runs;
    // Those that were never asked for are needed anyway.
    const known = [...runs].filter((run) => this.#stock.seriesByRun.has(run) || asked?.has(run));
    if (known.length > 0) this.#stock = outdated(this.#stock, known);
    for (const run of known) this.#asked?.outdated.add(run);
    this.#isGivenUp = false;
  }

  renumber(renumbered: ReadonlyMap<number, number>): void {
    this.#asked = null;
    if (this.#wish) {
      const runs = this.#wish.runs.flatMap((run) => renumbered.get(run) ?? []);
      this.#wish = { ...this.#wish, runs };
    }
    this.#stock = renumberedStock(this.#stock, renumbered);
    this.#clearError();
  }

  retry(): void {
    this.#clearError();
  }

  /** The running question brings nothing: what it asked for is as old as before. */
  #giveBack(): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked?.shapeKey === this.#stock.shapeKey) this.#stock = outdated(this.#stock, asked.runs);
  }

  #clearError(): void {
    this.error = null;
    this.#isGivenUp = false;
  }
}

export function outdated(stock: Stock, runs: Iterable<number>): Stock {
  return { ...stock, outdated: union(stock.outdated, runs) };
}

/** After a restart of the server the runs have other numbers; what is on screen stays, under the new ones. */
export function renumberedStock(stock: Stock, renumbered: ReadonlyMap<number, number>): Stock {
  const seriesByRun = new Map<number, readonly DecodedSeries[]>();
  for (const [run, series] of stock.seriesByRun) {
    const now = renumbered.get(run);
    if (now !== undefined) {
      seriesByRun.set(
        now,
        series.map((one) => ({ ...one, run: now })),
      );
    }
  }
  return { ...stock, seriesByRun, outdated: new Set(seriesByRun.keys()) };
}

export function stockBytes(stock: Stock): number {
  let bytes = 0;
  for (const series of stock.seriesByRun.values()) {
    for (const { step, smoothed } of series) bytes += step.byteLength * (smoothed ? 4 : 3);
  }
  return bytes;
}

function without(set: ReadonlySet<number>, runs: Iterable<number>): Set<number> {
  const left = new Set(set);
  for (const run of runs) left.delete(run);
  return left;
}

function union(set: ReadonlySet<number>, runs: Iterable<number>): Set<number> {
  const all = new Set(set);
  for (const run of runs) all.add(run);
  return all;
}
