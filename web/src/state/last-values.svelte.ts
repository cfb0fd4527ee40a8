// The last values of the metrics that the run table shows as columns or a filter compares. Fetched for all runs together,
// when a column is added and when runs grew – at most once a second, since a table is read by people. One question at a
// time: runs that grow faster than the server answers must not keep every answer from arriving.
import { isAbort, type Client, type LastValuesAnswer } from '../wire/client';
import type { ViewState } from './types';

const MOST_OFTEN_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
const COLUMN_PREFIX = 'metric:';

export interface LastValuesOptions {
  readonly client: Pick<Client, 'lastValues'>;
  readonly view: ViewState;
  readonly serverId: () => string;
}

export class LastValues {
  readonly #options: LastValuesOptions;
  readonly #endEffects: () => void;
  #byTag = $state.raw<ReadonlyMap<string, ReadonlyMap<number, number>>>(new Map());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastMs = -Infinity;
  #retryMs = MOST_OFTEN_MS;
  /** The running question. */
  #abort: AbortController | null = null;
  /** Something changed since it was asked. */
  #isAgain = false;

  /** By a filter, beside the columns. */
  #wanted = $state.raw<readonly string[]>([]);
  #tags = $derived.by(() => [
    ...new Set([
      ...this.#options.view.table.columns
        .filter((column) => column.startsWith(COLUMN_PREFIX))
        .map((column) => column.slice(COLUMN_PREFIX.length)),
      ...this.#wanted,
    ]),
  ]);

  constructor(options: LastValuesOptions) {
    this.#options = options;
    this.#endEffects = $effect.root(() => {
      $effect(() => {
        if (this.#tags.some((tag) => !this.#byTag.has(tag))) this.#plan(0);
      });
    });
  }

  /** undefined: the run has none, or it has not arrived yet. */
  get(tag: string, id: number): number | undefined {
    return this.#byTag.get(tag)?.get(id);
  }

  /** Whether the answer for this metric is there. */
  has(tag: string): boolean {
    return this.#byTag.has(tag);
  }

  /** From now on these are fetched too, whatever the table shows; in place of those wanted before. */
  want(tags: readonly string[]): void {
    this.#wanted = tags;
  }

  /** Runs grew. */
  outdate(): void {
    this.#plan(Math.max(0, this.#lastMs + MOST_OFTEN_MS - performance.now()));
  }

  /** The server was restarted: what is here belongs to other numbers. */
  clear(): void {
    this.#byTag = new Map();
    this.#plan(0);
  }

  destroy(): void {
    this.#endEffects();
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  #plan(delayMs: number): void {
    if (this.#abort !== null) {
      this.#isAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fetch(), delayMs);
  }

  async #fetch(): Promise<void> {
    const tags = this.#tags;
    if (tags.length === 0 || this.#options.serverId() === '') return;
    this.#lastMs = performance.now();
    this.#isAgain = false;
    const abort = new AbortController();
    this.#abort = abort;
    let retryMs = 0;
    try {
      const answer = await this.#options.client.lastValues(tags, abort.signal);
      if (answer.server_id === this.#options.serverId()) {
        const byTag = byTagOf(answer);
        // Asked for and without any value: known to be empty, not missing.
        for (const tag of tags) if (!byTag.has(tag)) byTag.set(tag, new Map());
        this.#byTag = byTag;
        this.#retryMs = MOST_OFTEN_MS;
      } else {
        retryMs = MOST_OFTEN_MS;
      }
    } catch (error) {
      // Whether the server can be reached is shown elsewhere.
      if (isAbort(error)) return;
      retryMs = this.#retryMs;
      this.#retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    }
    this.#abort = null;
    this.#goOn(retryMs);
  }

  #goOn(retryMs: number): void {
    if (retryMs > 0) this.#plan(retryMs);
    else if (this.#tags.some((tag) => !this.#byTag.has(tag))) this.#plan(0);
    else if (this.#isAgain) this.outdate();
  }
}

/** JSON has no number for what is not finite; the words are what Number understands. */
function byTagOf(answer: LastValuesAnswer): Map<string, Map<number, number>> {
  return new Map(
    answer.tags.map(({ tag, run, value }) => [tag, new Map(run.map((id, i) => [id, Number(value[i])]))]),
  );
}
