// Steps of pictures, sounds, texts and tables, for whoever shows them. Nothing of it is part of the first view.
//
// Components say what they want (one tag of one kind in some runs) for as long as they are near the viewport; the store asks
// for all wants of one moment in one request, keeps the answers, and asks again for what grew.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { ApiError, isAbort, type MediaQuery } from '../wire/client';
import { decodeMediaFrame } from '../wire/value-frame';
import { answersOf } from './media-answers';
import { onePerPage } from './one-per-page.svelte';
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
/** Series of the first question, when nothing is known about their length. */
const FIRST_SERIES = 32;
/** What an answer should have at most: it is read in one go, and others wait for theirs. */
const VALUES_PER_ANSWER = 100_000;
const RETRY_MS = 3000;
/** What is known already is asked for again this much later at the earliest: a series comes whole. */
const REFRESH_MS = 1000;
const WALL_TOLERANCE_S = 0.001;
/** Values of series that nobody wants any more and that are kept, because people scroll back. */
const MOST_IDLE_VALUES = 1_000_000;

export class MediaStore {
  readonly #page: Page;
  readonly #known = new SvelteMap<string, Known>();
  readonly #wanted = new Map<string, number>();
  /** Known and wanted by nobody, the longest unwanted first. */
  readonly #idle = new Map<string, number>();
  #idleValues = 0;
  readonly #mostIdleValues: number;
  readonly #stale = new Set<string>();
  /** Series that one question asks for, by the length of those that came last. */
  #most = FIRST_SERIES;
  /** The same, after an answer was too large for the server. */
  #mostTaken = Infinity;
  readonly #abort = new AbortController();
  #question: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastAnswerMs = -Infinity;
  #error = $state<string | null>(null);
  /** Grows when numbers of runs mean other runs, or a restarted job has replaced values: what was fetched is of no use. */
  #generation = $state(0);

  constructor(page: Page, mostIdleValues = MOST_IDLE_VALUES) {
    this.#page = page;
    this.#mostIdleValues = mostIdleValues;
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
    const keys = [...new Set(runs)].map((run) => keyOf(kind, tag, run));
    // Untracked: who wants something must not run again because it came.
    untrack(() => {
      for (const key of keys) {
        this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1);
        this.#wake(key);
        if (!this.#known.has(key)) this.#stale.add(key);
      }
      this.#ask();
    });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      untrack(() => {
        for (const key of keys) {
          const left = this.#wanted.get(key)! - 1;
          if (left > 0) this.#wanted.set(key, left);
          else this.#rest(key);
        }
        this.#forget();
      });
    };
  }

  /** How many of these runs are not known yet. Reactive. */
  unknownCount(kind: MediaKind, tag: string, runs: readonly number[]): number {
    return runs.filter((run) => this.#known.get(keyOf(kind, tag, run)) === undefined).length;
  }

  /** What has no answer, at once: somebody does not want to wait until it is asked again by itself. */
  askAgain(): void {
    this.#error = null;
    this.#ask();
  }

  destroy(): void {
    this.#page.dataListeners.delete(this.#hear);
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  #wake(key: string): void {
    this.#idleValues -= this.#idle.get(key) ?? 0;
    this.#idle.delete(key);
  }

  #rest(key: string): void {
    this.#wanted.delete(key);
    const known = this.#known.get(key);
    if (known === undefined) {
      this.#stale.delete(key);
      return;
    }
    const values = known === 'absent' ? 1 : known.steps.length + 1;
    this.#idle.set(key, values);
    this.#idleValues += values;
  }

  /** What was unwanted for longest goes first. */
  #forget(): void {
    for (const key of this.#idle.keys()) {
      if (this.#idleValues <= this.#mostIdleValues) break;
      this.#wake(key);
      this.#known.delete(key);
      this.#stale.delete(key);
    }
  }

  readonly #hear = (change: DataChange | null): void => {
    if (change === null) {
      this.#known.clear();
      this.#idle.clear();
      this.#idleValues = 0;
      this.#stale.clear();
      for (const key of this.#wanted.keys()) this.#stale.add(key);
      this.#outdate();
    } else {
      const runs = new Set(change.runs);
      const tags = change.tags === null ? null : new Set(change.tags);
      for (const keys of [this.#known.keys(), this.#wanted.keys()]) {
        for (const key of keys) {
          // Most keys are of other runs, and there may be a hundred thousand: they are not taken apart.
          if (runs.has(parseInt(key, 10)) && (tags?.has(partsOf(key).tag) ?? true)) this.#stale.add(key);
        }
      }
    }
    this.#ask();
  };

  /** After the current task, so that all wants of one moment go together. */
  #ask(): void {
    if (this.#abort.signal.aborted) return;
    this.#question ??= Promise.resolve()
      .then(() => this.#askAll())
      .finally(() => {
        this.#question = null;
        this.#askLater();
      });
  }

  /** Again when the rest is due: what grew, or what could not be answered. */
  #askLater(): void {
    if (this.#abort.signal.aborted || ![...this.#stale].some((key) => this.#wanted.has(key))) return;
    const waitMs = this.#error === null ? this.#lastAnswerMs + REFRESH_MS - performance.now() : RETRY_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), Math.max(0, waitMs));
  }

  #outdate(): void {
    answersOf(this.#page.client).clear();
    this.#generation += 1;
  }

  async #askAll(): Promise<void> {
    for (let keys = this.#due(); keys.length > 0; keys = this.#due()) {
      const { queries, asked } = queriesOf(keys.slice(0, Math.min(this.#most, this.#mostTaken)));
      for (const key of asked) this.#stale.delete(key);
      const generation = this.#generation;
      try {
        const answer = await this.#page.client.post(
          'media/series',
          { queries, server_id: this.#page.runs.serverId },
          this.#abort.signal,
        );
        const { series } = decodeMediaFrame(await answer.arrayBuffer());
        if (generation !== this.#generation) continue;
        const found = new Map(
          series.map((entry) => {
            const query = queries[entry.query]!;
            const { kind, tag } = query;
            const one: MediaSeries = {
              ...{ run: entry.run, kind, tag },
              steps: entry.step,
              wallS: entry.wall,
              samples: Math.max(1, entry.samples),
              supersededCount: entry.supersededCount,
            };
            return [keyOf(kind, tag, entry.run), one] as const;
          }),
        );
        const values = series.reduce((sum, { step }) => sum + step.length, 0);
        this.#most = Math.max(1, Math.floor((VALUES_PER_ANSWER * asked.length) / Math.max(1, values)));
        const isRewritten = asked.some((key) => isOther(this.#known.get(key), found.get(key)));
        for (const key of asked) this.#take(key, found.get(key) ?? 'absent');
        if (isRewritten) this.#outdate();
        this.#error = null;
        this.#lastAnswerMs = performance.now();
      } catch (error) {
        if (isAbort(error)) return;
        // Of numbers that mean other runs now nothing is asked again; whoever still wants something has said so.
        if (generation === this.#generation) for (const key of asked) this.#stale.add(key);
        // Too much at once: less, and at once.
        if (error instanceof ApiError && error.status === 413 && asked.length > 1) {
          this.#mostTaken = Math.ceil(asked.length / 2);
          continue;
        }
        this.#error = error instanceof Error ? error.message : String(error);
        return;
      }
    }
  }

  /** Nobody wants it any more: it is news for nobody, and is kept only if it was known. */
  #take(key: string, known: Known): void {
    const isWanted = this.#wanted.has(key);
    if (!isWanted && !this.#known.has(key)) return;
    this.#known.set(key, known);
    if (isWanted) return;
    this.#wake(key);
    this.#rest(key);
  }

  /** What was never answered, at once; what grew, not too often. */
  #due(): string[] {
    const isRefreshed = performance.now() >= this.#lastAnswerMs + REFRESH_MS;
    return [...this.#stale].filter((key) => this.#wanted.has(key) && (isRefreshed || !this.#known.has(key)));
  }
}

/** Not merely longer: what was at an index is not there any more. */
function isOther(before: Known | undefined, after: MediaSeries | undefined): boolean {
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

export const mediaOf = onePerPage((page) => new MediaStore(page));
