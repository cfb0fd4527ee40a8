// Fetches the points of the cards that are in view, and keeps them fresh.
//
// Cards say what they want for each of their lines; all wishes of a moment go out together, a dozen per request so that the
// first ones appear early, at most two requests at a time. A live event outdates some runs of some lines, and only those are
// asked for. There are two routes: single runs here, groups of runs in group-lines.ts.
import { untrack } from 'svelte';
import { ApiError, type Client, type QueryNote } from '../../wire/client';
import type { DecodedSeries } from '../../wire/frame';
import {
  WantedLine,
  outdate,
  stockBytes,
  subjectKey,
  type Entry,
  type Question,
  type Stock,
  type Wish,
} from './wanted-line';
import { xKeyOf, type QueryShape } from './line-query';
import { Feed, isOtherServer } from './feed';
import { RecentlyUsed } from './recently-used';
import type { CardData, CardRequest, DataChange, LineData, LineSource } from '../types';

const MOST_CARDS_PER_REQUEST = 12;
const MOST_REQUESTS = 2;
/** News of a running job come in bursts. */
const REFRESH_MS = 100;
/** Of cards that are out of sight. */
const MOST_BYTES = 64 * 1024 * 1024;

type Shelf = RecentlyUsed<Stock<object>>;

export interface LineFeedOptions {
  readonly client: Pick<Client, 'scalars'>;
  /** Visible runs that may have the line. Read inside of effects. */
  readonly runsOf: (source: LineSource) => readonly number[];
  /** Smoothing, axes and so on, from the view. Read inside of effects. */
  readonly shapeOf: (request: CardRequest) => QueryShape;
  /** The server whose run numbers are in use; '' as long as none has answered. */
  readonly serverId: () => string;
  /** An answer came from another server than the run table: the table has to be fetched anew. */
  readonly onOtherServer: () => void;
  /** Data of cards that are out of sight. It hears of growth, and is asked for anew when it is seen again. */
  readonly shelf?: Shelf;
}

/** Answers by unit, in the order of the questions. */
export interface Answers<Series> {
  readonly serverId: string;
  readonly answers: readonly ReadonlyMap<number, Entry<Series>>[];
}

/** How lines are asked for. */
export interface LineRoute<Series extends object> {
  readonly name: string;
  ask(questions: readonly Question[], signal: AbortSignal): Promise<Answers<Series>>;
}

/** One line of a card. */
interface Card {
  readonly route: LineRoute<object>;
  readonly line: WantedLine<object>;
  readonly onData: (data: LineData<object>) => void;
  /** Nobody wants it any more. */
  leave: () => void;
}

export class LineFeed {
  readonly #options: LineFeedOptions;
  readonly #runs: LineRoute<DecodedSeries>;
  readonly #shelf: Shelf;
  readonly #cards = new Set<Card>();
  readonly #feed: Feed<Card, ReadonlyMap<number, Entry<object>>>;

  constructor(options: LineFeedOptions) {
    const { client, shelf = new RecentlyUsed(MOST_BYTES), serverId, onOtherServer } = options;
    this.#options = options;
    this.#runs = runLines(client);
    this.#shelf = shelf;
    this.#feed = new Feed({
      serverId,
      onOtherServer,
      atOnce: MOST_REQUESTS,
      refreshMs: REFRESH_MS,
      batch: nextCards,
      ask: async (cards, signal) => {
        const questions = cards.map(({ line }) => line.ask());
        const { serverId: answering, answers } = await cards[0]!.route.ask(questions, signal);
        return { serverId: answering, values: new Map(cards.map((card, i) => [card, answers[i]!])) };
      },
      take: (card, answer) => {
        card.line.receive(answer!);
        this.#tell(card);
      },
      fail: (card, error) => {
        // Nobody answers: shown only where there is nothing else to show. Another server: the table has to be fetched first.
        const isSilent = isOtherServer(error) || (isConnectionLost(error) && card.line.hasData);
        card.line.fail(isSilent ? null : error.message);
        this.#tell(card);
      },
      // Errors of the server are not asked away.
      onError: (error) => (isConnectionLost(error) ? 'later' : 'never'),
    });
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

  /** The same by any route. */
  follow<Series extends object>(
    route: LineRoute<Series>,
    wishOf: () => Wish | null,
    onData: (data: LineData<Series>) => void,
  ): () => void {
    let card: Card | null = null;
    const end = $effect.root(() => {
      $effect.pre(() => {
        const wish = wishOf();
        // What follows is no dependency: onData may read and write any state.
        untrack(() => {
          card ??= wish && this.#add(route, wish, onData as Card['onData']);
          if (card) this.#want(card, wish);
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
  change({ runs, tags }: DataChange): void {
    const named = tags && new Set(tags);
    for (const stock of this.#shelf.values()) outdate(stock, runs, named);
    this.#feed.outdate(({ line }) => line.outdate(runs, named));
  }

  /** The server was restarted. Call it right after the run table has taken the new numbers. */
  renumber(renumbered: ReadonlyMap<number, number>): void {
    this.#feed.restart();
    this.#shelf.clear();
    for (const card of this.#cards) {
      card.line.renumber(renumbered);
      // Also where the numbers look the same as before: they may mean other runs now.
      this.#tell(card);
    }
  }

  /** Asks again for everything that failed: the connection is back. */
  retry(): void {
    for (const card of this.#cards) {
      if (card.line.error === null) continue;
      card.line.error = null;
      this.#tell(card);
    }
    this.#feed.retry();
  }

  destroy(): void {
    this.#feed.destroy();
    this.#cards.clear();
    this.#shelf.clear();
  }

  #add(route: LineRoute<object>, wish: Wish, onData: Card['onData']): Card {
    // A line holds what its route brings, and stock of the same route.
    const line = new WantedLine(this.#stockFor(route, wish));
    const card: Card = { route, line, onData, leave: () => undefined };
    card.leave = this.#feed.want([card]);
    this.#cards.add(card);
    return card;
  }

  #want(card: Card, wish: Wish | null): void {
    const { line } = card;
    const asked = line.asked;
    if (!line.want(wish)) return;
    if (asked !== line.asked) this.#feed.replace(card);
    else this.#feed.renew(card);
    this.#tell(card);
  }

  /** From a card that scrolled away, or one that shows the same elsewhere (pinned, full screen). */
  #stockFor(route: LineRoute<object>, wish: Wish): Stock<object> | undefined {
    const key = stockKey(route, wish);
    for (const { route: other, line } of this.#cards) {
      if (line.wish && line.hasData && stockKey(other, line.wish) === key) return line.stock;
    }
    return this.#shelf.take(key);
  }

  #leave(card: Card): void {
    const { line, route } = card;
    card.leave();
    this.#feed.forget(card);
    this.#cards.delete(card);
    if (line.wish && line.hasData)
      this.#shelf.put(stockKey(route, line.wish), line.stock, stockBytes(line.stock));
  }

  #tell(card: Card): void {
    const { line } = card;
    if (line.wish === null) return;
    const { shape } = line.stock;
    card.onData({
      series: line.series,
      xKey: shape === null ? '' : xKeyOf({ axis: shape.x ?? 'step', tag: shape.x_tag ?? '' }),
      notes: line.notes,
      isStale: line.isStale,
      isPartial: line.isPartial,
      isFirstLoad: !line.hasData && line.wish.units.length > 0 && line.error === null,
      error: line.error,
      retry: () => {
        line.error = null;
        this.#tell(card);
        this.#feed.renew(card);
      },
    });
  }
}

/** Empty cards first, then in order of subscription; all by one route. */
function nextCards(cards: readonly Card[]): Card[] {
  const waiting = cards.filter(({ line }) => line.needed.length > 0);
  waiting.sort((a, b) => Number(a.line.hasData) - Number(b.line.hasData));
  return waiting.filter(({ route }) => route === waiting[0]?.route).slice(0, MOST_CARDS_PER_REQUEST);
}

function isConnectionLost(error: Error): boolean {
  return error instanceof ApiError && error.isConnectionLost;
}

function stockKey({ name }: LineRoute<object>, { subject }: Wish): string {
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
function runLines(client: LineFeedOptions['client']): LineRoute<DecodedSeries> {
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
