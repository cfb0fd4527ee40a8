// The last values of the metrics that the run table shows as columns or a filter compares, for all runs together. Asked for again
// when runs grew, at most once a second, since a table is read by people.
import type { Client } from '../../wire/client';
import { Feed } from './feed';
import type { ViewState } from '../types';

const REFRESH_MS = 1000;
const COLUMN_PREFIX = 'metric:';

export interface LastValuesOptions {
  readonly client: Pick<Client, 'lastValues'>;
  readonly view: ViewState;
  readonly serverId: () => string;
}

export class LastValues {
  readonly #feed: Feed<string, ReadonlyMap<number, number>>;
  #byTag = $state.raw<ReadonlyMap<string, ReadonlyMap<number, number>>>(new Map());
  readonly #endEffects: () => void;
  /** By a filter, beside the columns. */
  #wanted = $state.raw<readonly string[]>([]);

  constructor({ client, view, serverId }: LastValuesOptions) {
    this.#feed = new Feed<string, ReadonlyMap<number, number>>({
      serverId,
      refreshMs: REFRESH_MS,
      ask: async (tags, signal) => {
        const answer = await client.lastValues(tags, signal);
        const values = answer.tags.map(({ tag, run, value }) => {
          // JSON has no number for what is not finite; the words are what Number understands.
          return [tag, new Map(run.map((id, i) => [id, Number(value[i])]))] as const;
        });
        return { serverId: answer.server_id, values: new Map(values) };
      },
      take: (tag, values = new Map()) => (this.#byTag = new Map(this.#byTag).set(tag, values)),
    });
    this.#endEffects = $effect.root(() => {
      let leave = (): void => undefined;
      $effect(() => {
        const columns = view.table.columns.filter((column) => column.startsWith(COLUMN_PREFIX));
        const tags = columns.map((column) => column.slice(COLUMN_PREFIX.length));
        const stay = this.#feed.want([...tags, ...this.#wanted]);
        leave();
        leave = stay;
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
    this.#feed.outdate();
  }

  /** The server was restarted: what is here belongs to other numbers. */
  clear(): void {
    this.#byTag = new Map();
    this.#feed.restart();
  }

  destroy(): void {
    this.#endEffects();
    this.#feed.destroy();
  }
}
