// Pictures of the tiles in sight, and those that will be wanted next. Neighbouring steps are fetched while nobody waits: each
// tile says what may come, and what it says is forgotten when it moves on.
import { answersOf, type LoadedAnswer, type AnswerCache } from '../../state/feeds/answer-cache';
import { onePer } from '../../state/one-per-page.svelte';
import type { Client } from '../../wire/client';

type Answers = Pick<AnswerCache, 'load' | 'loadAhead' | 'peek'>;

/** Wishes of 100 tiles for two neighbours each; older ones are out of sight by now. */
const MOST_WISHES = 200;
/** Fewer than the server would take: a picture that is wanted now finds a free line. */
const AHEAD_AT_ONCE = 2;

export class PictureLoads {
  readonly #answers: Answers;
  #waiting = 0;
  #ahead = 0;
  /** Oldest first. */
  readonly #wishes = new Set<{ readonly path: string }>();

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** Rejects as AnswerCache.load does. */
  async load(path: string, signal: AbortSignal): Promise<LoadedAnswer> {
    this.#waiting += 1;
    try {
      return await this.#answers.load(path, signal);
    } finally {
      this.#waiting -= 1;
      this.#loadAhead();
    }
  }

  /** Fetches them when nothing else is to be done, unless the returned function is called before. */
  wish(paths: readonly string[]): () => void {
    const wishes = paths.filter((path) => this.#answers.peek(path) === undefined).map((path) => ({ path }));
    for (const wish of wishes) this.#wishes.add(wish);
    for (const oldest of this.#wishes) {
      if (this.#wishes.size <= MOST_WISHES) break;
      this.#wishes.delete(oldest);
    }
    this.#loadAhead();
    return () => {
      for (const wish of wishes) this.#wishes.delete(wish);
    };
  }

  #loadAhead(): void {
    while (this.#waiting === 0 && this.#ahead < AHEAD_AT_ONCE) {
      const [wish] = this.#wishes;
      if (wish === undefined) return;
      this.#wishes.delete(wish);
      this.#ahead += 1;
      void this.#answers.loadAhead(wish.path).then(() => {
        this.#ahead -= 1;
        this.#loadAhead();
      });
    }
  }
}

/** The one line of a page's client. */
export const picturesOf = onePer((client: Client) => new PictureLoads(answersOf(client)));
