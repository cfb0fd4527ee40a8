// Fetches the points of the cards that are in view, and keeps them fresh.
//
// Cards say what they want; all wishes of a moment go out together, a dozen cards per request so that the first ones
// appear early, at most two requests at a time. A live event outdates some runs of some cards: after a short pause only
// those are asked for. Requests that nobody waits for any more are aborted. While the tab is hidden nothing is asked;
// what was outdated meanwhile is asked for when it is seen again.
import { untrack } from 'svelte';
import { ApiError, isAbort, type Client, type ScalarQuery } from '../wire/client';
import { CardFeed } from './card-feed';
import type { QueryShape } from './card-query';
import { StockShelf } from './stock-shelf';
import type { CardData, CardRequest } from './types';

const MOST_CARDS_PER_REQUEST = 12;
const MOST_REQUESTS = 2;
/** News of a running job come in bursts. */
const LIVE_DELAY_MS = 100;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

export interface ScalarLoaderOptions {
  readonly client: Pick<Client, 'scalars'>;
  /** Visible runs that have the tag. Read inside of effects. */
  readonly runsOf: (tag: string) => readonly number[];
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

interface Card {
  readonly feed: CardFeed;
  readonly onData: (data: CardData) => void;
}

interface Batch {
  readonly cards: readonly Card[];
  readonly abort: AbortController;
}

export class ScalarLoader {
  readonly #options: ScalarLoaderOptions;
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
    this.#shelf = options.shelf ?? new StockShelf();
  }

  /**
   * `request` is tracked: state it reads makes it run again. null: nothing wanted now. `onData` is called with every
   * change, first as soon as effects run, with what is at hand. Call the returned function when the card is gone or far
   * from view; its data is kept for a while.
   */
  subscribe(request: () => CardRequest | null, onData: (data: CardData) => void): () => void {
    let card: Card | null = null;
    const end = $effect.root(() => {
      $effect.pre(() => {
        const wanted = request();
        const wish = wanted && {
          tag: wanted.tag,
          runs: this.#options.runsOf(wanted.tag),
          shape: this.#options.shapeOf(wanted),
        };
        // What follows is no dependency: onData may read and write any state.
        untrack(() => {
          if (card === null) {
            if (wish === null) return;
            card = { feed: new CardFeed(this.#stockFor(wish.tag)), onData };
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
      if (feed.wish && (named === null || named.has(feed.wish.tag))) feed.outdate(runs);
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

  /** From a card that scrolled away, or one that shows the same tag elsewhere (pinned, full screen). */
  #stockFor(tag: string): CardFeed['stock'] | undefined {
    for (const { feed } of this.#cards) {
      if (feed.wish?.tag === tag && feed.hasData) return feed.stock;
    }
    return this.#shelf.take(tag);
  }

  #leave(card: Card): void {
    const tag = card.feed.wish?.tag;
    this.#cards.delete(card);
    if (tag !== undefined && card.feed.hasData) {
      if (card.feed.isAsking) card.feed.fail(null);
      this.#shelf.put(tag, card.feed.stock);
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
    card.onData({
      tag: feed.wish.tag,
      series: feed.series,
      isStale: feed.isStale,
      isFirstLoad: !feed.hasData && feed.wish.runs.length > 0 && feed.error === null,
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

  /** Empty cards first, then in order of subscription. One question per card at a time. */
  #nextCards(): Card[] {
    const waiting = [...this.#cards].filter(
      ({ feed }) => (!feed.isAsking || feed.isAskingInVain) && feed.needed.length > 0,
    );
    waiting.sort((a, b) => Number(a.feed.hasData) - Number(b.feed.hasData));
    return waiting.slice(0, MOST_CARDS_PER_REQUEST);
  }

  async #fetch(cards: readonly Card[]): Promise<void> {
    const batch: Batch = { cards, abort: new AbortController() };
    this.#batches.add(batch);
    // A card that asked in vain before belongs to this batch from now on; the old answer finds nobody.
    const asking = cards.map((card) => ({ card, query: card.feed.ask() }));
    const tickets = asking.map(({ card }) => card.feed.ticket);
    const isOurs = (i: number): boolean => cards[i]!.feed.ticket === tickets[i];
    try {
      const queries = asking
        .map(({ query }) => query)
        .filter((query): query is ScalarQuery => query !== null);
      const frame = await this.#options.client.scalars({ queries }, batch.abort.signal);
      if (!this.#batches.has(batch)) return;
      if (frame.serverId !== this.#options.serverId()) {
        this.#endBatch(batch, isOurs, (feed) => {
          feed.fail(null);
        });
        this.#options.onOtherServer();
        return;
      }
      this.#retryMs = FIRST_RETRY_MS;
      const answers = cards.map((_, i) => frame.series.filter((series) => series.query === i));
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

  #endBatch(batch: Batch, isOurs: (i: number) => boolean, tell: (feed: CardFeed, i: number) => void): void {
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
