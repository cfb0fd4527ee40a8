// Steps of pictures, sounds, texts and tables, for whoever shows them. Nothing of it is part of the first view.
//
// Components say what they want (one tag of one kind in some runs) for as long as they are near the viewport; the store asks
// for all wants of one moment in one request, keeps the answers, and asks again for what grew.
import { SvelteMap } from 'svelte/reactivity';
import { isAbort, type MediaQuery, type MediaSeriesAnswer } from '../wire/client';
import type { Page } from './page.svelte';
import type { DataChange } from './types';

export type MediaKind = MediaQuery['kind'];

/** Every value of one tag in one run. Replaced, never changed in place. */
export interface MediaSeries {
  readonly run: number;
  readonly kind: MediaKind;
  readonly tag: string;
  /** Never falling. */
  readonly steps: Float64Array;
  readonly wallS: Float64Array;
  /** Pictures or sounds at one step, at least 1. */
  readonly samples: number;
  readonly supersededCount: number;
}

export interface MediaWant {
  readonly kind: MediaKind;
  readonly tag: string;
  readonly runs: readonly number[];
}

/** 'absent': the run has no such tag. */
type Known = MediaSeries | 'absent';

const MOST_QUERIES = 512;
const RETRY_MS = 3000;

export class MediaStore {
  readonly #page: Page;
  readonly #known = new SvelteMap<string, Known>();
  readonly #wanted = new Map<string, number>();
  readonly #stale = new Set<string>();
  readonly #abort = new AbortController();
  #question: Promise<void> | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #error = $state<string | null>(null);
  /** Grows when numbers of runs mean other runs: whatever was fetched by number is of no use. */
  #generation = $state(0);

  constructor(page: Page) {
    this.#page = page;
    page.dataListeners.add(this.#hear);
  }

  /** Why the last question has no answer; it is asked again by itself. */
  get error(): string | null {
    return this.#error;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Reactive. undefined: not known yet. null: the run has no such tag. */
  series(kind: MediaKind, tag: string, run: number): MediaSeries | null | undefined {
    const known = this.#known.get(keyOf(kind, tag, run));
    return known === 'absent' ? null : known;
  }

  /** Keeps the series of these runs known and fresh until the returned function is called. For effects. */
  want({ kind, tag, runs }: MediaWant): () => void {
    const keys = runs.map((run) => keyOf(kind, tag, run));
    for (const key of keys) {
      this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1);
      if (!this.#known.has(key)) this.#stale.add(key);
    }
    this.#ask();
    return () => {
      for (const key of keys) {
        const left = (this.#wanted.get(key) ?? 1) - 1;
        if (left > 0) this.#wanted.set(key, left);
        else this.#wanted.delete(key);
      }
    };
  }

  destroy(): void {
    this.#page.dataListeners.delete(this.#hear);
    this.#abort.abort();
    clearTimeout(this.#retryTimer);
  }

  readonly #hear = (change: DataChange | null): void => {
    if (change === null) {
      this.#known.clear();
      for (const key of this.#wanted.keys()) this.#stale.add(key);
      this.#generation += 1;
    } else {
      const runs = new Set(change.runs);
      const tags = change.tags === null ? null : new Set(change.tags);
      for (const key of new Set([...this.#known.keys(), ...this.#wanted.keys()])) {
        const { run, tag } = partsOf(key);
        if (runs.has(run) && (tags?.has(tag) ?? true)) this.#stale.add(key);
      }
    }
    this.#ask();
  };

  /** After the current task, so that all wants of one moment go together. */
  #ask(): void {
    this.#question ??= Promise.resolve()
      .then(() => this.#askAll())
      .finally(() => {
        this.#question = null;
      });
  }

  async #askAll(): Promise<void> {
    for (let keys = this.#due(); keys.length > 0; keys = this.#due()) {
      const { queries, asked } = queriesOf(keys);
      for (const key of asked) this.#stale.delete(key);
      const generation = this.#generation;
      try {
        const answer = await this.#page.client.post(
          'media/series',
          { queries, server_id: this.#page.runs.serverId },
          this.#abort.signal,
        );
        const { series } = (await answer.json()) as MediaSeriesAnswer;
        if (generation !== this.#generation) continue;
        const found = new Map(
          series.map((entry) => {
            const query = queries[entry.query]!;
            const { kind, tag } = query;
            const one: MediaSeries = {
              ...{ run: entry.run, kind, tag },
              steps: Float64Array.from(entry.step),
              wallS: Float64Array.from(entry.wall_s, Number),
              samples: Math.max(1, entry.samples),
              supersededCount: entry.superseded_count,
            };
            return [keyOf(kind, tag, entry.run), one] as const;
          }),
        );
        for (const key of asked) this.#known.set(key, found.get(key) ?? 'absent');
        this.#error = null;
      } catch (error) {
        if (isAbort(error)) return;
        for (const key of asked) this.#stale.add(key);
        this.#error = error instanceof Error ? error.message : String(error);
        clearTimeout(this.#retryTimer);
        this.#retryTimer = setTimeout(() => {
          this.#ask();
        }, RETRY_MS);
        return;
      }
    }
  }

  #due(): string[] {
    return [...this.#stale].filter((key) => this.#wanted.has(key));
  }
}

function keyOf(kind: MediaKind, tag: string, run: number): string {
  return `${run}\n${kind}\n${tag}`;
}

function partsOf(key: string): { run: number; kind: MediaKind; tag: string } {
  const [run = '', kind = ''] = key.split('\n', 2);
  return { run: Number(run), kind: kind as MediaKind, tag: key.slice(run.length + kind.length + 2) };
}

function queriesOf(keys: readonly string[]): { queries: MediaQuery[]; asked: string[] } {
  const byTag = new Map<string, MediaQuery>();
  const asked: string[] = [];
  for (const key of keys) {
    const { run, kind, tag } = partsOf(key);
    const name = `${kind}\n${tag}`;
    let query = byTag.get(name);
    if (query === undefined) {
      if (byTag.size === MOST_QUERIES) continue;
      query = { kind, tag, runs: [] };
      byTag.set(name, query);
    }
    query.runs.push(run);
    asked.push(key);
  }
  return { queries: [...byTag.values()], asked };
}

const stores = new WeakMap<Page, MediaStore>();

/** The one store of a page; made by the first who asks. */
export function mediaOf(page: Page): MediaStore {
  let store = stores.get(page);
  if (store === undefined) {
    store = new MediaStore(page);
    stores.set(page, store);
  }
  return store;
}
