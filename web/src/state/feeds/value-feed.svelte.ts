// What the server computes from the values of a tag in a run (buckets, statistics, curves …), for whoever shows it: one feed per
// route, whose answers are series of numbers in one frame.
//
// A want is a tag in a run and what is wanted of it. It counts while somebody shows it; answers that nobody wants any more
// are kept for a while, because people scroll back.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { ApiError } from '../../wire/client';
import type { Answer as FrameAnswer, DecodedValues } from '../../wire/value-frame';
import type { Page } from '../page.svelte';
import type { DataChange } from '../types';
import { Feed, type Answer } from './feed';
import { RecentlyUsed } from './recently-used';

export interface ValueWant {
  readonly run: number;
  readonly tag: string;
  /** What else the query says. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface ValueRoute<Value extends DecodedValues> {
  /** Below api/v1/. */
  readonly path: string;
  readonly decode: (buffer: ArrayBuffer) => FrameAnswer<Value>;
}

/** 'absent': the run has no such tag. */
type Known<Value> = Value | 'absent';

const MOST_WANTS = 64;
const AT_ONCE = 2;
/** What is known already is asked for again this much later at the earliest. */
const REFRESH_MS = 1000;
/** Of series that nobody wants any more and that are kept. */
const MOST_IDLE_BYTES = 64 << 20;

interface Query {
  readonly tag: string;
  readonly runs: number[];
}

export class ValueFeed<Value extends DecodedValues> {
  readonly #page: Page;
  readonly #route: ValueRoute<Value>;
  readonly #feed: Feed<string, Value>;
  readonly #known = new SvelteMap<string, Known<Value>>();
  readonly #errors = new SvelteMap<string, string>();
  readonly #idle: RecentlyUsed<string>;
  readonly #endEffects: () => void;
  /** After an answer was too large for the server. */
  #mostWants = MOST_WANTS;

  constructor(page: Page, route: ValueRoute<Value>) {
    this.#page = page;
    this.#route = route;
    this.#idle = new RecentlyUsed(MOST_IDLE_BYTES, (key) => {
      this.#known.delete(key);
      this.#feed.forget(key);
    });
    this.#feed = new Feed({
      serverId: () => page.runs.serverId,
      refreshMs: REFRESH_MS,
      atOnce: AT_ONCE,
      batch: (keys) => keys.slice(0, this.#mostWants),
      ask: (keys, signal) => this.#ask(keys, signal),
      take: (key, value) => {
        this.#errors.delete(key);
        this.#known.set(key, value ?? 'absent');
      },
      fail: (key, { message }) => this.#errors.set(key, message),
      onError: (error, { length }) => {
        if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return 'later';
        // Too much at once: less, and at once. Alone it is too much for good, as is what makes no sense.
        if (error.status !== 413 || length === 1) return error.status === 409 ? 'later' : 'never';
        this.#mostWants = Math.ceil(length / 2);
        return 'now';
      },
    });
    page.dataListeners.add(this.#hear);
    this.#endEffects = $effect.root(() => {
      $effect(() => {
        if (page.connection === 'live') this.#feed.retry();
      });
    });
  }

  /** Reactive. undefined: not known yet. null: the run has no such tag. */
  value(want: ValueWant): Value | null | undefined {
    const known = this.#known.get(keyOf(want));
    return known === 'absent' ? null : known;
  }

  /** Reactive: why there is nothing, or nothing newer. */
  error(want: ValueWant): string | null {
    return this.#errors.get(keyOf(want)) ?? null;
  }

  /** Keeps them known and fresh until the returned function is called. For effects. */
  want(wants: readonly ValueWant[]): () => void {
    const keys = wants.map(keyOf);
    const leave = untrack(() => {
      for (const key of keys) this.#idle.take(key);
      return this.#feed.want(keys);
    });
    return () => {
      leave();
      untrack(() => keys.forEach((key) => this.#rest(key)));
    };
  }

  retry(): void {
    this.#errors.clear();
    this.#feed.retry();
  }

  destroy(): void {
    this.#page.dataListeners.delete(this.#hear);
    this.#endEffects();
    this.#feed.destroy();
  }

  #rest(key: string): void {
    if (this.#feed.isWanted(key)) return;
    const known = this.#known.get(key);
    if (known !== undefined) this.#idle.put(key, key, bytesOf(known));
  }

  readonly #hear = (change: DataChange | null): void => {
    if (change === null) {
      this.#known.clear();
      this.#idle.clear();
      this.#feed.restart();
      return;
    }
    const runs = new Set(change.runs);
    const tags = change.tags === null ? null : new Set(change.tags);
    this.#feed.outdate((key) => runs.has(parseInt(key, 10)) && (tags?.has(wantOf(key).tag) ?? true));
  };

  async #ask(keys: readonly string[], signal: AbortSignal): Promise<Answer<string, Value>> {
    const { serverId } = this.#page.runs;
    const { queries, keyOfAnswer } = queriesOf(keys);
    const body = { queries, server_id: serverId };
    const answer = await this.#page.client.post(this.#route.path, body, signal);
    const { series } = this.#route.decode(await answer.arrayBuffer());
    const values = series.map((one) => [keyOfAnswer(one.query, one.run), one] as const);
    return { serverId, values: new Map(values) };
  }
}

const LEAST_BYTES = 200;

function bytesOf(known: object | string): number {
  if (typeof known === 'string') return LEAST_BYTES;
  const columns = Object.values(known).filter((one) => ArrayBuffer.isView(one));
  return columns.reduce((sum, { byteLength }) => sum + byteLength, LEAST_BYTES);
}

function keyOf({ run, tag, more }: ValueWant): string {
  return `${run}\n${more === undefined ? '' : JSON.stringify(more)}\n${tag}`;
}

function wantOf(key: string): { run: number; tag: string; more: string } {
  const [run = '', more = ''] = key.split('\n', 2);
  return { run: Number(run), more, tag: key.slice(run.length + more.length + 2) };
}

/** One query for all runs of which the same is wanted. */
function queriesOf(keys: readonly string[]) {
  const queries: Query[] = [];
  const names: string[] = [];
  for (const key of keys) {
    const { run, tag, more } = wantOf(key);
    const name = `${more}\n${tag}`;
    let at = names.indexOf(name);
    if (at < 0) {
      at = names.push(name) - 1;
      queries.push({ tag, runs: [], ...(more === '' ? {} : (JSON.parse(more) as object)) });
    }
    queries[at]!.runs.push(run);
  }
  return { queries, keyOfAnswer: (query: number, run: number) => `${run}\n${names[query]}` };
}
