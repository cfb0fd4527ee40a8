// Asks the server for the numbers at the step selector: from all points, for all cards near the viewport together. One
// question at a time, and the next one as soon as it is answered, so that numbers follow a marker that is dragged as fast
// as the server can, without a queue. What is known stays until something newer has come.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { Feed, type Answer } from '../../../state/feeds/feed';
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
const REFRESH_MS = 1000;

/** `key`: the same for the same question. */
type Keyed = Wish & { readonly key: string };

interface Asked {
  readonly wish: Keyed;
  readonly ofLines: CardNumbers['ofLines'];
}

export class StatisticsFeed<Card extends object> {
  readonly #client: FeedOptions<Card>['client'];
  readonly #feed: Feed<Card, Asked>;
  readonly #endEffects: () => void;
  #wishes: ReadonlyMap<Card, Keyed> = new Map();
  readonly #known = new SvelteMap<Card, CardNumbers>();

  constructor({ client, serverId, wishes }: FeedOptions<Card>) {
    this.#client = client;
    this.#feed = new Feed({
      serverId,
      pauseMs: PAUSE_MS,
      refreshMs: REFRESH_MS,
      batch: (cards) => this.#batch(cards),
      ask: (cards, signal) => this.#ask(cards, signal),
      take: (card, answer) => {
        const { wish, ofLines } = answer!;
        const isStale = wish.key !== this.#wishes.get(card)?.key;
        this.#known.set(card, { kind: wish.kind, ofLines, isStale, error: null });
      },
      fail: (card, { message: error }) => {
        const { kind } = this.#wishes.get(card)!;
        const before = this.#known.get(card) ?? { kind, ofLines: [], isStale: true };
        this.#known.set(card, { ...before, error });
      },
    });
    this.#endEffects = $effect.root(() => {
      let leave = (): void => undefined;
      $effect(() => {
        const wanted = wishes();
        untrack(() => {
          const stay = this.#feed.want(wanted.keys());
          leave();
          leave = stay;
          this.#want(wanted);
        });
      });
    });
  }

  /** null: nothing has come yet. */
  numbersOf(card: Card): CardNumbers | null {
    return this.#known.get(card) ?? null;
  }

  destroy(): void {
    this.#endEffects();
    this.#feed.destroy();
  }

  #want(wishes: ReadonlyMap<Card, Wish>): void {
    const before = this.#wishes;
    const keyed = [...wishes].map(([card, wish]) => {
      return [card, { ...wish, key: JSON.stringify([wish.kind, wish.queries]) }] as const;
    });
    this.#wishes = new Map(keyed);
    for (const card of before.keys()) {
      if (wishes.has(card)) continue;
      this.#known.delete(card);
      this.#feed.forget(card);
    }
    for (const [card, { key }] of this.#wishes) {
      if (key === (before.get(card)?.key ?? key)) continue;
      const known = this.#known.get(card);
      if (known !== undefined) this.#known.set(card, { ...known, isStale: true });
      this.#feed.renew(card);
    }
    this.#feed.outdate((card) => before.has(card) && before.get(card)!.data !== wishes.get(card)?.data);
  }

  /** All of them in a few questions, when they are very many. */
  #batch(cards: readonly Card[]): Card[] {
    const chosen: Card[] = [];
    let count = 0;
    for (const card of cards) {
      count += this.#wishes.get(card)!.queries.length;
      if (count > MOST_QUERIES && chosen.length > 0) break;
      chosen.push(card);
    }
    return chosen;
  }

  async #ask(cards: readonly Card[], signal: AbortSignal): Promise<Answer<Card, Asked>> {
    const wishes = cards.map((card) => this.#wishes.get(card)!);
    const answer = await this.#client.statistics({ queries: wishes.flatMap((wish) => wish.queries) }, signal);
    let end = 0;
    const values = wishes.map((wish, i) => {
      const first = end;
      end += wish.queries.length;
      return [cards[i]!, { wish, ofLines: answer.queries.slice(first, end) }] as const;
    });
    return { serverId: answer.server_id, values: new Map(values) };
  }
}
