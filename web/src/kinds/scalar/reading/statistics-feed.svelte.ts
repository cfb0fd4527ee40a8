// Asks the server for the numbers at the step selector: from all points, for all cards near the viewport together. One
// question at a time, and the next one as soon as it is answered, so that numbers follow a marker that is dragged as fast
// as the server can, without a queue. Cards whose data grew are asked about again, at most once a second. What is known
// stays until something newer has come.
import { untrack } from 'svelte';
import type { Client, StatisticsAnswer, StatisticsRequest } from '../../../wire/client';
import type { TableKind } from './columns';

export type StatisticsQuery = StatisticsRequest['queries'][number];

/** What one card wants to know. */
export interface Wish {
  readonly kind: TableKind;
  /** By line of the card. */
  readonly queries: readonly StatisticsQuery[];
  /** What is drawn: another object when there are more points. */
  readonly data: object;
}

export interface CardNumbers {
  readonly kind: TableKind;
  /** By line of the card. */
  readonly ofLines: readonly StatisticsAnswer['queries'][number][];
  /** About another place or other lines than those that are wanted now. */
  readonly isStale: boolean;
  /** Why there is nothing newer; null: nothing went wrong. */
  readonly error: string | null;
}

export interface FeedOptions<Card> {
  readonly client: Pick<Client, 'statistics'>;
  readonly serverId: () => string;
  /** Read inside an effect. */
  readonly wishes: () => ReadonlyMap<Card, Wish>;
}

/** As on the server. */
const MOST_QUERIES = 512;
/** Between two questions while something is dragged. */
const PAUSE_MS = 40;
const GROWTH_PAUSE_MS = 1000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

interface Known {
  readonly key: string;
  readonly data: object;
  readonly numbers: CardNumbers;
}

export class StatisticsFeed<Card extends object> {
  readonly #options: FeedOptions<Card>;
  readonly #endEffects: () => void;
  readonly #abort = new AbortController();
  #wishes: ReadonlyMap<Card, Wish> = new Map();
  readonly #keys = new Map<Card, string>();
  #known = $state.raw<ReadonlyMap<Card, Known>>(new Map());
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastMs = -Infinity;
  #retryMs = FIRST_RETRY_MS;

  constructor(options: FeedOptions<Card>) {
    this.#options = options;
    this.#endEffects = $effect.root(() => {
      $effect(() => {
        const wishes = options.wishes();
        untrack(() => this.#want(wishes));
      });
    });
  }

  /** null: nothing has come yet. */
  numbersOf(card: Card): CardNumbers | null {
    return this.#known.get(card)?.numbers ?? null;
  }

  destroy(): void {
    this.#endEffects();
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #want(wishes: ReadonlyMap<Card, Wish>): void {
    this.#wishes = wishes;
    this.#keys.clear();
    for (const [card, { kind, queries }] of wishes) this.#keys.set(card, JSON.stringify([kind, queries]));
    this.#keep((card, known) => {
      const isStale = known.key !== this.#keys.get(card);
      return isStale === known.numbers.isStale ? known : { ...known, numbers: { ...known.numbers, isStale } };
    });
    this.#plan();
  }

  /** Of the cards that are still there. */
  #keep(change: (card: Card, known: Known) => Known): void {
    const entries = [...this.#known].filter(([card]) => this.#wishes.has(card));
    const changed = entries.map(([card, known]) => [card, change(card, known)] as const);
    const isSame =
      changed.length === this.#known.size &&
      changed.every(([card, known]) => this.#known.get(card) === known);
    if (!isSame) this.#known = new Map(changed);
  }

  #isNew(card: Card): boolean {
    return this.#known.get(card)?.key !== this.#keys.get(card);
  }

  #isGrown(card: Card): boolean {
    return this.#known.get(card)?.data !== this.#wishes.get(card)?.data;
  }

  #plan(): void {
    if (this.#isAsking) return;
    const cards = [...this.#wishes.keys()];
    const isNews = cards.some((card) => this.#isNew(card));
    if (!isNews && !cards.some((card) => this.#isGrown(card))) return;
    clearTimeout(this.#timer);
    const pauseMs = isNews ? PAUSE_MS : GROWTH_PAUSE_MS;
    const delayMs = Math.max(0, this.#lastMs + pauseMs - performance.now());
    this.#timer = setTimeout(() => void this.#ask(), delayMs);
  }

  async #ask(): Promise<void> {
    const asked = this.#nextCards();
    if (asked.length === 0) return;
    this.#isAsking = true;
    const wishes = asked.map((card) => this.#wishes.get(card)!);
    const keys = asked.map((card) => this.#keys.get(card)!);
    let error: string | null = null;
    try {
      const queries = wishes.flatMap((wish) => wish.queries);
      const answer = await this.#options.client.statistics({ queries }, this.#abort.signal);
      if (answer.server_id !== this.#options.serverId()) {
        error = 'The server was started anew';
      } else {
        this.#take(asked, wishes, keys, answer);
        this.#retryMs = FIRST_RETRY_MS;
      }
    } catch (thrown) {
      if (this.#abort.signal.aborted) return;
      error = thrown instanceof Error ? thrown.message : String(thrown);
    }
    this.#isAsking = false;
    this.#lastMs = performance.now();
    if (error === null) this.#plan();
    else this.#fail(asked, wishes, error);
  }

  /** Those with another place first; all of them in a few questions, when they are very many. */
  #nextCards(): Card[] {
    const cards = [...this.#wishes.keys()];
    const news = cards.filter((card) => this.#isNew(card));
    const wanted = news.length > 0 ? news : cards.filter((card) => this.#isGrown(card));
    const chosen: Card[] = [];
    let count = 0;
    for (const card of wanted) {
      count += this.#wishes.get(card)!.queries.length;
      if (count > MOST_QUERIES && chosen.length > 0) break;
      chosen.push(card);
    }
    return chosen;
  }

  #take(
    cards: readonly Card[],
    wishes: readonly Wish[],
    keys: readonly string[],
    { queries }: StatisticsAnswer,
  ): void {
    const known = new Map(this.#known);
    let first = 0;
    cards.forEach((card, i) => {
      const { kind, queries: asked, data } = wishes[i]!;
      const end = first + asked.length;
      const ofLines = queries.slice(first, end);
      first = end;
      if (!this.#wishes.has(card)) return;
      const isStale = this.#keys.get(card) !== keys[i];
      known.set(card, { key: keys[i]!, data, numbers: { kind, ofLines, isStale, error: null } });
    });
    this.#known = known;
  }

  #fail(cards: readonly Card[], wishes: readonly Wish[], error: string): void {
    const known = new Map(this.#known);
    cards.forEach((card, i) => {
      if (!this.#wishes.has(card)) return;
      const { kind, data } = wishes[i]!;
      const before = known.get(card);
      const nothing = { kind, ofLines: [], isStale: true };
      // The key stays what it was: it is asked for again.
      known.set(card, {
        key: before?.key ?? '',
        data: before?.data ?? data,
        numbers: { ...(before?.numbers ?? nothing), error },
      });
    });
    this.#known = known;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }
}
