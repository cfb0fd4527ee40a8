// The last values of the metrics that the run table shows as columns. Fetched for all runs together, when a column is
// added and when runs grew – at most once a second, since a table is read by people.
import type { Client, LastValuesAnswer } from '../wire/client';
import type { ViewState } from './types';

const MOST_OFTEN_MS = 1000;
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
  #abort: AbortController | null = null;

  #tags = $derived.by(() =>
    this.#options.view.table.columns
      .filter((column) => column.startsWith(COLUMN_PREFIX))
      .map((column) => column.slice(COLUMN_PREFIX.length)),
  );

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

  /** Runs grew. */
  outdate(): void {
    this.#plan(Math.max(0, this.#lastMs + MOST_OFTEN_MS - performance.now()));
  }

  destroy(): void {
    this.#endEffects();
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  #plan(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fetch(), delayMs);
  }

  async #fetch(): Promise<void> {
    const tags = this.#tags;
    if (tags.length === 0 || this.#options.serverId() === '') return;
    this.#lastMs = performance.now();
    this.#abort?.abort();
    this.#abort = new AbortController();
    try {
      const answer = await this.#options.client.lastValues(tags, this.#abort.signal);
      if (answer.server_id !== this.#options.serverId()) return;
      const byTag = byTagOf(answer);
      // Asked for and without any value: known to be empty, not missing.
      for (const tag of tags) if (!byTag.has(tag)) byTag.set(tag, new Map());
      this.#byTag = byTag;
    } catch {
      // Whether the server can be reached is shown elsewhere; the next change asks again.
    }
  }
}

/** JSON has no number for what is not finite; the words are what Number understands. */
function byTagOf(answer: LastValuesAnswer): Map<string, Map<number, number>> {
  return new Map(
    answer.tags.map(({ tag, run, value }) => [tag, new Map(run.map((id, i) => [id, Number(value[i])]))]),
  );
}
