// Fetches the points of the cards that are in view, and keeps them fresh.
//
// Cards say what they want for each of their lines; all wishes of a moment go out together, a dozen per request so that the
// first ones appear early, at most two requests at a time. A live event outdates some runs of some lines: after a short
// pause only those are asked for. How to ask is a kind of its own: single runs here, groups of runs in group-lines.ts.
// Requests that nobody waits for any more are aborted. While the tab is hidden nothing is asked; what was outdated meanwhile
// is asked for when it is seen again.
import { untrack } from 'svelte';
import { ApiError, isAbort, type Client, type QueryNote } from '../wire/client';
import type { DecodedSeries } from '../wire/frame';
import { CardFeed, isAbout, subjectKey, type Entry, type Question, type Stock, type Wish } from './card-feed';
import { xKeyOf, type QueryShape } from './card-query';
import { StockShelf } from './stock-shelf';
import type { CardData, CardRequest, LineData, LineSource } from './types';

const MOST_CARDS_PER_REQUEST = 12;
const MOST_REQUESTS = 2;
/** News of a running job come in bursts. */
const LIVE_DELAY_MS = 100;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

export interface ScalarLoaderOptions {
  readonly client: Pick<Client, 'scalars'>;
  /** Visible runs that may have the line. Read inside of effects. */
  readonly runsOf: (source: LineSource) => readonly number[];
  /** Smoothing, axes and so on, from the view. Read inside of effects. */
  readonly shapeOf: (request: CardRequest) => QueryShape;
  /** The server whose run numbers are in use; '' as long as none has answered. */
  readonly serverId: () => string;
  /** An answer came from another server than the run table: the table has to be fetched anew. */
  readonly onOtherServer: () => void;
  readonly shelf?: StockShelf;
}

export interface ScalarChange {
  readonly runs: readonly number[];
  /** null: maybe all. */
  readonly tags: readonly string[] | null;
}

/** Answers by unit, in the order of the questions. */
export interface Answers<Series> {
  readonly serverId: string;
  readonly answers: readonly ReadonlyMap<number, Entry<Series>>[];
}

/** How lines of one kind are asked for. */
export interface LineKind<Series extends object> {
  readonly name: string;
  ask(questions: readonly Question[], signal: AbortSignal): Promise<Answers<Series>>;
}

/** One line of a card. */
interface Card {
  readonly kind: LineKind<object>;
  readonly feed: CardFeed<object>;
  readonly onData: (data: LineData<object>) => void;
}

interface Batch {
  readonly cards: readonly Card[];
  readonly abort: AbortController;
}

export class ScalarLoader {
  readonly #options: ScalarLoaderOptions;
  readonly #runs: LineKind<DecodedSeries>;
  readonly #shelf: StockShelf;
  readonly #cards = new Set<Card>();
  readonly #batches = new Set<Batch>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires. */
  #dueMs = Infinity;
  #retryMs = FIRST_RETRY_MS;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #isPaused = false;

  constructor(options: ScalarLoaderOptions) {
    this.#options = options;
    this.#runs = runLines(options.client);
    this.#shelf = options.shelf ?? new StockShelf();
  }

  /**
   * `request` is tracked: state it reads makes it run again. null: nothing wanted now. `onData` is called with every
   * change, first as soon as effects run, with what is at hand. Call the returned function when the card is gone or far
   * from view; its data is kept for a while.
   */
  subscribe(request: () => CardRequest | null, onData: (data: CardData) => void): () => void {
    const wishOf = (): Wish | null => {
      const wanted = request();
      return (
        wanted && {
          subject: wanted.source,
          units: this.#options.runsOf(wanted.source),
          members: null,
          shape: this.shapeOf(wanted),
        }
      );
    };
    return this.follow(this.#runs, wishOf, onData);
  }

  /** Read inside of effects. */
  shapeOf(request: CardRequest): QueryShape {
    return this.#options.shapeOf(request);
  }

  /** The same for lines of any kind. */
  follow<Series extends object>(
    kind: LineKind<Series>,
    wishOf: () => Wish | null,
    onData: (data: LineData<Series>) => void,
  ): () => void {
    let card: Card | null = null;
    const end = $effect.root(() => {
      $effect.pre(() => {
        const wish = wishOf();
        // What follows is no dependency: onData may read and write any state.
        untrack(() => {
          if (card === null) {
            if (wish === null) return;
            // A feed holds what its kind brings, and stock of the same kind.
            const feed = new CardFeed(this.#stockFor(kind, wish));
            card = { kind, feed, onData: onData as Card['onData'] };
            this.#cards.add(card);
          }
          if (!card.feed.want(wish)) return;
          this.#abortVain();
          if (wish) this.#tell(card);
          this.#schedule(0);
        });
      });
    });
    return () => {
      end();
      if (card !== null) this.#leave(card);
      card = null;
    };
  }

  /** Some runs have new points. */
  change({ runs, tags }: ScalarChange): void {
    const named = tags && new Set(tags);
    this.#shelf.outdate(runs, named);
    for (const { feed } of this.#cards) {
      if (feed.wish && isAbout(feed.wish, named)) feed.outdate(runs);
    }
    this.#schedule(LIVE_DELAY_MS);
  }

  /** The server was restarted. Call it right after the run table has taken the new numbers. */
  renumber(renumbered: ReadonlyMap<number, number>): void {
    for (const batch of this.#batches) batch.abort.abort();
    this.#batches.clear();
    this.#shelf.renumber(renumbered);
    for (const card of this.#cards) {
      card.feed.renumber(renumbered);
      // Also where the numbers look the same as before: they may mean other runs now.
      this.#tell(card);
    }
    this.#schedule(0);
  }

  /** Asks again for everything that failed: the connection is back. */
  retry(): void {
    this.#retryMs = FIRST_RETRY_MS;
    for (const card of this.#cards) {
      if (card.feed.error === null) continue;
      card.feed.retry();
      this.#tell(card);
    }
    this.#schedule(0);
  }

  pause(): void {
    this.#isPaused = true;
    clearTimeout(this.#timer);
    this.#dueMs = Infinity;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#schedule(0);
  }

  destroy(): void {
    this.pause();
    clearTimeout(this.#retryTimer);
    for (const batch of this.#batches) batch.abort.abort();
    this.#batches.clear();
    this.#cards.clear();
    this.#shelf.clear();
  }

  /** From a card that scrolled away, or one that shows the same elsewhere (pinned, full screen). */
  #stockFor(kind: LineKind<object>, wish: Wish): Stock<object> | undefined {
    const key = stockKey(kind, wish);
    for (const { kind: other, feed } of this.#cards) {
      if (feed.wish && feed.hasData && stockKey(other, feed.wish) === key) return feed.stock;
    }
    return this.#shelf.take(key);
  }

  #leave(card: Card): void {
    const { wish } = card.feed;
    this.#cards.delete(card);
    if (wish && card.feed.hasData) {
      if (card.feed.isAsking) card.feed.fail(null);
      this.#shelf.put(stockKey(card.kind, wish), card.feed.stock);
    }
    card.feed.want(null);
    this.#abortVain();
  }

  #abortVain(): void {
    for (const batch of this.#batches) {
      if (batch.cards.every(({ feed }) => !feed.isAsking || feed.isAskingInVain)) batch.abort.abort();
    }
  }

  #tell(card: Card): void {
    const { feed } = card;
    if (feed.wish === null) return;
    const { shape } = feed.stock;
    card.onData({
      series: feed.series,
      xKey: shape === null ? '' : xKeyOf({ axis: shape.x ?? 'step', tag: shape.x_tag ?? '' }),
      notes: feed.notes,
      isStale: feed.isStale,
      isPartial: feed.isPartial,
      isFirstLoad: !feed.hasData && feed.wish.units.length > 0 && feed.error === null,
      error: feed.error,
      retry: () => {
        feed.retry();
        this.#tell(card);
        this.#schedule(0);
      },
    });
  }

  #schedule(delayMs: number): void {
    if (this.#isPaused) return;
    const dueMs = performance.now() + delayMs;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#dueMs = Infinity;
      this.#pump();
    }, delayMs);
  }

  #pump(): void {
    if (this.#isPaused || this.#options.serverId() === '') return;
    while (this.#batches.size < MOST_REQUESTS) {
      const cards = this.#nextCards();
      if (cards.length === 0) return;
      void this.#fetch(cards);
    }
  }

  /** Empty cards first, then in order of subscription; all of one kind. One question per card at a time. */
  #nextCards(): Card[] {
    const waiting = [...this.#cards].filter(
      ({ feed }) => (!feed.isAsking || feed.isAskingInVain) && feed.needed.length > 0,
    );
    waiting.sort((a, b) => Number(a.feed.hasData) - Number(b.feed.hasData));
    return waiting.filter(({ kind }) => kind === waiting[0]?.kind).slice(0, MOST_CARDS_PER_REQUEST);
  }

  async #fetch(cards: readonly Card[]): Promise<void> {
    const batch: Batch = { cards, abort: new AbortController() };
    this.#batches.add(batch);
    // A card that asked in vain before belongs to this batch from now on; the old answer finds nobody.
    const questions = cards.map(({ feed }) => feed.ask()).filter((question) => question !== null);
    const tickets = cards.map(({ feed }) => feed.ticket);
    const isOurs = (i: number): boolean => cards[i]!.feed.ticket === tickets[i];
    try {
      const { serverId, answers } = await cards[0]!.kind.ask(questions, batch.abort.signal);
      if (!this.#batches.has(batch)) return;
      if (serverId !== this.#options.serverId()) {
        this.#endBatch(batch, isOurs, (feed) => {
          feed.fail(null);
        });
        this.#options.onOtherServer();
        return;
      }
      this.#retryMs = FIRST_RETRY_MS;
      this.#endBatch(batch, isOurs, (feed, i) => {
        feed.receive(answers[i]!);
      });
    } catch (error) {
      if (!this.#batches.has(batch)) return;
      this.#endBatch(batch, isOurs, (feed) => {
        if (isAbort(error)) feed.fail(null);
        else if (error instanceof ApiError && error.isConnectionLost) feed.disconnect(error.message);
        else feed.fail(error instanceof Error ? error.message : String(error));
      });
      if (error instanceof ApiError && error.isConnectionLost) {
        this.#retryLater();
        return;
      }
    }
    this.#schedule(0);
  }

  #endBatch(
    batch: Batch,
    isOurs: (i: number) => boolean,
    tell: (feed: CardFeed<object>, i: number) => void,
  ): void {
    this.#batches.delete(batch);
    batch.cards.forEach((card, i) => {
      if (!isOurs(i)) return;
      tell(card.feed, i);
      if (this.#cards.has(card)) this.#tell(card);
    });
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => {
      this.#pump();
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }
}

function stockKey({ name }: LineKind<object>, { subject }: Wish): string {
  return `${name}\n${subjectKey(subject)}`;
}

/** Series and notes of the answers to each question, by unit. What is noted without a run is about all units asked for. */
export function answersByUnit<Series extends { readonly query: number }>(
  questions: readonly Question[],
  series: readonly Series[],
  notes: readonly QueryNote[],
  {
    unitOf,
    unitsOf,
  }: { unitOf: (one: Series) => number; unitsOf: (run: number, question: Question) => number[] },
): Map<number, Entry<Series>>[] {
  const answers = questions.map(({ units }) => {
    const empty = (unit: number) => [unit, { series: [] as Series[], notes: [] as QueryNote[] }] as const;
    return new Map(units.map(empty));
  });
  for (const one of series) answers[one.query]?.get(unitOf(one))?.series.push(one);
  for (const note of notes) {
    const question = questions[note.query];
    if (question === undefined) continue;
    const units = note.run === null ? question.units : unitsOf(note.run, question);
    for (const unit of units) answers[note.query]!.get(unit)?.notes.push(note);
  }
  return answers;
}

/** A line for each run. */
function runLines(client: ScalarLoaderOptions['client']): LineKind<DecodedSeries> {
  return {
    name: 'runs',
    ask: async (questions, signal) => {
      const queries = questions.map(({ subject: { tag, formula }, units, shape }) => ({
        ...(formula === '' ? { tag } : { formula }),
        runs: [...units],
        ...shape,
      }));
      const { serverId, series, notes } = await client.scalars({ queries }, signal);
      const answers = answersByUnit(questions, series, notes, {
        unitOf: ({ run }) => run,
        unitsOf: (run) => [run],
      });
      return { serverId, answers };
    },
  };
}
