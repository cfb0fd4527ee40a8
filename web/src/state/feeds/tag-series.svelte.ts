// Steps and times of the values of tags, run by run, for whoever shows them. Nothing of it is part of the first view.
//
// Components say what they want (one tag of one kind in some runs) for as long as they are near the viewport; series that nobody
// wants any more are kept for a while, because people scroll back.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { ApiError, type MediaQuery } from '../../wire/client';
import { decodeMediaFrame } from '../../wire/value-frame';
import { Feed, type Answer } from './feed';
import { answersOf } from './answer-cache';
import { RecentlyUsed } from './recently-used';
import { onePerPage } from '../one-per-page.svelte';
import type { Page } from '../page.svelte';
import type { DataChange } from '../types';

const WALL_TOLERANCE_S = 0.001;

export type SeriesKind = MediaQuery['kind'];

/** Every value of one tag in one run. Replaced, never changed in place. */
export interface TagSeries {
  readonly run: number;
  readonly kind: SeriesKind;
  readonly tag: string;
  /** Never falling. */
  readonly steps: Float64Array;
  readonly wallS: Float64Array;
  /** Pictures or sounds at one step, at least 1. */
  readonly samples: number;
  readonly supersededCount: number;
}

export interface SeriesWant {
  readonly kind: SeriesKind;
  readonly tag: string;
  readonly runs: readonly number[];
}

/** 'absent': the run has no such tag. */
type Known = TagSeries | 'absent';

const MOST_QUERIES = 512;
/** Series of the first question, when nothing is known about their length. */
const FIRST_SERIES = 32;
/** What an answer should have at most: it is read in one go, and frames are waiting. */
const VALUES_PER_ANSWER = 100_000;
/** What is known already is asked for again this much later at the earliest: a series comes whole. */
const REFRESH_MS = 1000;
/** Values of series that nobody wants any more and that are kept. */
const MOST_IDLE_VALUES = 1_000_000;

export class SeriesFeed {
  readonly #page: Page;
  readonly #feed: Feed<string, TagSeries>;
  readonly #known = new SvelteMap<string, Known>();
  /** Keys of what is known and wanted by nobody. */
  readonly #idle: RecentlyUsed<string>;
  /** Series that one question asks for, by the length of those that came last. */
  #most = FIRST_SERIES;
  /** The same, after an answer was too large for the server. */
  #mostTaken = Infinity;
  readonly #endEffects: () => void;
  #error = $state<string | null>(null);
  /** Grows when numbers of runs mean other runs, or a restarted job has replaced values: what was fetched is of no use. */
  #generation = $state(0);

  constructor(page: Page, mostIdleValues = MOST_IDLE_VALUES) {
    this.#page = page;
    this.#idle = new RecentlyUsed(mostIdleValues, (key) => {
      this.#known.delete(key);
      this.#feed.forget(key);
    });
    this.#feed = new Feed({
      serverId: () => page.runs.serverId,
      refreshMs: REFRESH_MS,
      batch: (keys) => queriesOf(keys.slice(0, Math.min(this.#most, this.#mostTaken))).asked,
      ask: (keys, signal) => this.#ask(keys, signal),
      take: (key, series) => this.#take(key, series),
      fail: (_key, { message }) => (this.#error = message),
      onError: (error, { length }) => {
        // Too much at once: less, and at once.
        if (!(error instanceof ApiError) || error.status !== 413 || length === 1) return 'later';
        this.#mostTaken = Math.ceil(length / 2);
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

  /** Why the last question has no answer; it is asked again by itself. */
  get error(): string | null {
    return this.#error;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Reactive. undefined: not known yet. null: the run has no such tag. */
  series(kind: SeriesKind, tag: string, run: number): TagSeries | null | undefined {
    const known = this.#known.get(keyOf(kind, tag, run));
    return known === 'absent' ? null : known;
  }

  /** Keeps the series of these runs known and fresh until the returned function is called. For effects. */
  want({ kind, tag, runs }: SeriesWant): () => void {
    const keys = runs.map((run) => keyOf(kind, tag, run));
    // Untracked: who comes or leaves must not run again because of what is known.
    const leave = untrack(() => {
      for (const key of keys) this.#idle.take(key);
      return this.#feed.want(keys);
    });
    return () => {
      leave();
      untrack(() => keys.forEach((key) => this.#rest(key)));
    };
  }

  /** How many of these runs are not known yet. Reactive. */
  unknownCount(kind: SeriesKind, tag: string, runs: readonly number[]): number {
    return runs.filter((run) => this.#known.get(keyOf(kind, tag, run)) === undefined).length;
  }

  /** What has no answer, at once: somebody does not want to wait until it is asked again by itself. */
  askAgain(): void {
    this.#error = null;
    this.#feed.retry();
  }

  destroy(): void {
    this.#page.dataListeners.delete(this.#hear);
    this.#endEffects();
    this.#feed.destroy();
  }

  #rest(key: string): void {
    const known = this.#known.get(key);
    if (known === undefined || this.#feed.isWanted(key)) return;
    this.#idle.put(key, key, known === 'absent' ? 1 : known.steps.length + 1);
  }

  readonly #hear = (change: DataChange | null): void => {
    if (change === null) {
      this.#known.clear();
      this.#idle.clear();
      this.#feed.restart();
      this.#outdate();
      return;
    }
    const runs = new Set(change.runs);
    const tags = change.tags === null ? null : new Set(change.tags);
    // Most keys are of other runs, and there may be a hundred thousand: they are not taken apart.
    this.#feed.outdate((key) => runs.has(parseInt(key, 10)) && (tags?.has(partsOf(key).tag) ?? true));
  };

  #outdate(): void {
    answersOf(this.#page.client).clear();
    this.#generation += 1;
  }

  async #ask(keys: readonly string[], signal: AbortSignal): Promise<Answer<string, TagSeries>> {
    const { queries } = queriesOf(keys);
    // Refused (409) by a server that was started anew.
    const { serverId } = this.#page.runs;
    const answer = await this.#page.client.post('media/series', { queries, server_id: serverId }, signal);
    const series = await readSeries(answer, queries);
    const count = series.reduce((sum, { steps }) => sum + steps.length, 0);
    this.#most = Math.max(1, Math.floor((VALUES_PER_ANSWER * keys.length) / Math.max(1, count)));
    const values = series.map((one) => [keyOf(one.kind, one.tag, one.run), one] as const);
    return { serverId, values: new Map(values) };
  }

  #take(key: string, series: TagSeries | undefined): void {
    if (isOther(this.#known.get(key), series)) this.#outdate();
    this.#known.set(key, series ?? 'absent');
    this.#error = null;
  }
}

/** What `media/series` answers. The one place that knows how series travel. */
async function readSeries(answer: Response, queries: readonly MediaQuery[]): Promise<TagSeries[]> {
  const { series } = decodeMediaFrame(await answer.arrayBuffer());
  return series.map((one) => ({
    run: one.run,
    kind: queries[one.query]!.kind,
    tag: queries[one.query]!.tag,
    steps: one.step,
    wallS: one.wall,
    samples: Math.max(1, one.samples),
    supersededCount: one.supersededCount,
  }));
}

/** Not merely longer: what was at an index is not there any more. */
function isOther(before: Known | undefined, after: TagSeries | undefined): boolean {
  if (before === undefined || before === 'absent') return false;
  if (after === undefined || after.supersededCount !== before.supersededCount) return true;
  const last = before.steps.length - 1;
  return (
    last >= 0 && (after.steps[last] !== before.steps[last] || !isSame(after.wallS[last], before.wallS[last]))
  );
}

/** Times travel in milliseconds once a series is long: the same time may come a little different. */
function isSame(one = NaN, other = NaN): boolean {
  return Object.is(one, other) || Math.abs(one - other) <= WALL_TOLERANCE_S;
}

function keyOf(kind: SeriesKind, tag: string, run: number): string {
  return `${run}\n${kind}\n${tag}`;
}

function partsOf(key: string): { run: number; kind: SeriesKind; tag: string } {
  const [run = '', kind = ''] = key.split('\n', 2);
  return { run: Number(run), kind: kind as SeriesKind, tag: key.slice(run.length + kind.length + 2) };
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

export const seriesFeedOf = onePerPage((page) => new SeriesFeed(page));
