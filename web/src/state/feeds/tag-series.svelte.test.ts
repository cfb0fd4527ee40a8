// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../wire/client';
import { answersOf } from './answer-cache';
import { seriesFeedOf, SeriesFeed, type SeriesKind } from './tag-series.svelte';
import type { Page } from '../page.svelte';
import { mediaAnswer } from '../test-media';
import type { DataChange } from '../types';

interface Asked {
  readonly queries: { kind: SeriesKind; tag: string; runs: number[] }[];
  readonly server_id: string;
}

/** A server with one image tag per run: so many values, at steps 0, 10, 20 … */
class FakeServer {
  readonly asked: Asked[] = [];
  readonly lengths = new Map<number, number>();
  readonly superseded = new Map<number, number>();
  /** Added to all wall times. */
  lateS = 0;
  failure: Error | null = null;
  /** Answers with more series are refused. */
  most = Infinity;
  readonly listeners = new Set<(change: DataChange | null) => void>();
  readonly page = {
    client: { post: this.post.bind(this), get: () => Promise.reject(new Error('not here')) },
    runs: { serverId: 's1' },
    dataListeners: this.listeners,
  } as unknown as Page;

  post(path: string, body: Asked): Promise<Response> {
    expect(path).toBe('media/series');
    this.asked.push(body);
    if (this.failure !== null) return Promise.reject(this.failure);
    if (body.queries.flatMap(({ runs }) => runs).length > this.most) {
      return Promise.reject(new ApiError(413, 'too much'));
    }
    const series = body.queries.flatMap(({ tag, runs }, query) =>
      runs.flatMap((run) => {
        const count = tag === 'missing' ? undefined : this.lengths.get(run);
        if (count === undefined) return [];
        const step = Array.from({ length: count }, (_, i) => 10 * i);
        const wall = step.map((at) => (at === 0 ? NaN : at + this.lateS));
        return { query, run, step, wall, samples: 0, superseded_count: this.superseded.get(run) ?? 0 };
      }),
    );
    return Promise.resolve(mediaAnswer(series));
  }

  grow(run: number, tags: readonly string[] | null = null): void {
    this.lengths.set(run, (this.lengths.get(run) ?? 0) + 1);
    this.tell({ runs: [run], tags });
  }

  tell(change: DataChange | null): void {
    for (const hear of this.listeners) hear(change);
  }
}

let server: FakeServer;
let store: SeriesFeed;
const image = (tag: string, ...runs: number[]) => ({ kind: 'image' as const, tag, runs });
const runsAsked = () => server.asked.map(({ queries }) => queries.map(({ tag, runs }) => [tag, ...runs]));
const lengthOf = (run: number, tag = 'p') => store.series('image', tag, run)?.steps.length;

async function turns(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  for (const run of [0, 1, 2]) server.lengths.set(run, 3);
  store = new SeriesFeed(server.page);
});

afterEach(() => {
  store.destroy();
  vi.useRealTimers();
});

describe('wants', () => {
  test('of one moment go together, and answers are typed', async () => {
    store.want(image('p', 0, 1));
    store.want(image('q\nodd', 1, 1));
    store.want({ kind: 'text', tag: 'missing', runs: [0] });
    expect(store.series('image', 'p', 0)).toBeUndefined();
    await turns();
    expect(runsAsked()).toEqual([
      [
        ['p', 0, 1],
        ['q\nodd', 1],
        ['missing', 0],
      ],
    ]);
    expect(server.asked[0]?.server_id).toBe('s1');
    expect(store.series('image', 'p', 1)).toEqual({
      ...{ run: 1, kind: 'image', tag: 'p', samples: 1, supersededCount: 0 },
      ...{ steps: Float64Array.of(0, 10, 20), wallS: Float64Array.of(NaN, 10, 20) },
    });
    expect(store.series('text', 'missing', 0)).toBeNull();
    store.want(image('p', 1, 2));
    await turns();
    expect(runsAsked()[1]).toEqual([['p', 2]]);
  });

  test('are reactive, and do not run again because their answer came', async () => {
    const seen: (number | undefined)[] = [];
    let wants = 0;
    const end = $effect.root(() => {
      $effect(() => {
        wants += 1;
        return store.want(image('p', 0));
      });
      $effect(() => {
        seen.push(lengthOf(0));
      });
    });
    flushSync();
    await turns();
    flushSync();
    server.grow(0);
    await turns(1000);
    flushSync();
    expect(seen).toEqual([undefined, 3, 4]);
    expect(wants).toBe(1);
    end();
  });
});

describe('growth', () => {
  test('is asked for once a second at most, for wanted series of grown runs and tags only', async () => {
    const leave = store.want(image('p', 0, 1));
    store.want(image('q', 0));
    await turns();
    server.asked.length = 0;
    server.grow(0, ['p']);
    server.grow(0, ['p']);
    await turns(500);
    expect(server.asked).toEqual([]);
    // What nobody has seen yet does not wait.
    store.want(image('r', 2));
    await turns();
    expect(runsAsked()).toEqual([[['r', 2]]]);
    await turns(1000);
    expect(runsAsked()[1]).toEqual([['p', 0]]);
    expect(lengthOf(0)).toBe(5);
    expect(lengthOf(0, 'q')).toBe(3);
    leave();
    server.grow(0);
    await turns(5000);
    expect(runsAsked()[2]).toEqual([['q', 0]]);
    expect(server.asked).toHaveLength(3);
    // It is fetched when it is wanted again.
    store.want(image('p', 0));
    await turns(1000);
    expect(lengthOf(0)).toBe(6);
  });

  test('leaves the same object where nothing is new, and what was fetched is of use', async () => {
    store.want(image('p', 0, 1));
    await turns();
    const before = store.series('image', 'p', 1);
    server.grow(0);
    await turns(1000);
    expect(store.series('image', 'p', 1)).toBe(before);
    expect(store.generation).toBe(0);
  });

  test.each([
    [0.0004, 0],
    [1, 1],
  ])('whose times come %d s later is another one: %d', async (lateS, generation) => {
    store.want(image('p', 0));
    await turns();
    server.lateS = lateS; // a long series has its times in milliseconds
    server.grow(0);
    await turns(1000);
    expect(lengthOf(0)).toBe(4);
    expect(store.generation).toBe(generation);
  });

  test('of a restarted job throws away what was fetched', async () => {
    const clear = vi.spyOn(answersOf(server.page.client), 'clear');
    store.want(image('p', 0));
    await turns();
    server.superseded.set(0, 2);
    server.grow(0);
    await turns(1000);
    expect(store.generation).toBe(1);
    expect(clear).toHaveBeenCalledOnce();
  });
});

test('numbers that mean other runs are forgotten, and an answer for the old ones is not believed', async () => {
  store.want(image('p', 0));
  await turns();
  store.want(image('p', 1));
  server.tell(null);
  expect(store.series('image', 'p', 0)).toBeUndefined();
  expect(store.generation).toBe(1);
  await turns(1000);
  expect(lengthOf(0)).toBe(3);
  expect(lengthOf(1)).toBe(3);
});

test('an error is told, and the question is asked again until there is an answer', async () => {
  server.failure = new ApiError(503, 'The server is busy');
  store.want(image('p', 0));
  await turns();
  expect(store.error).toBe('The server is busy');
  await turns(1000);
  expect(server.asked).toHaveLength(2);
  server.failure = null;
  await turns(2000);
  expect(store.error).toBeNull();
  expect(lengthOf(0)).toBe(3);
  await turns(60_000);
  expect(server.asked).toHaveLength(3);
});

test('an answer that would be too large is asked for in parts', async () => {
  for (let run = 0; run < 10; run++) server.lengths.set(run, 1);
  server.most = 3;
  store.want(image('p', ...Array.from({ length: 10 }, (_, run) => run)));
  await turns();
  expect(lengthOf(9)).toBe(1);
  expect(server.asked.map(({ queries }) => queries[0]!.runs.length)).toEqual([10, 5, 3, 3, 3, 1]);
  expect(store.error).toBeNull();
});

test('many long series come in several answers, each short enough to be read between two frames', async () => {
  for (let run = 0; run < 300; run++) server.lengths.set(run, 5000);
  store.want(image('p', ...Array.from({ length: 300 }, (_, run) => run)));
  await turns();
  expect(lengthOf(299)).toBe(5000);
  expect(server.asked.map(({ queries }) => queries[0]!.runs.length)).toEqual([
    32,
    ...Array.from({ length: 13 }, () => 20),
    8,
  ]);
});

test('what nobody wants any more is kept for a while, in bounded number', async () => {
  store.destroy();
  store = new SeriesFeed(server.page, 1000);
  for (let run = 0; run < 8; run++) server.lengths.set(run, 300);
  const leaves = Array.from({ length: 8 }, (_, run) => store.want(image('p', run)));
  await turns();
  for (const leave of leaves) leave();
  leaves[0]!();
  expect([0, 4, 5, 6, 7].map((run) => lengthOf(run))).toEqual([undefined, undefined, 300, 300, 300]);
  server.asked.length = 0;
  store.want(image('p', 0, 7));
  await turns();
  expect(runsAsked()).toEqual([[['p', 0]]]);
});

test('a store that has ended asks no more', async () => {
  store.want(image('p', 0));
  store.destroy();
  await turns(10_000);
  store.want(image('p', 1));
  server.tell({ runs: [0], tags: null });
  await turns(10_000);
  expect(server.listeners.size).toBe(0);
  expect(server.asked.length).toBeLessThanOrEqual(1);
});

test('a page has one store', () => {
  expect(seriesFeedOf(server.page)).toBe(seriesFeedOf(server.page));
  seriesFeedOf(server.page).destroy();
});

test('what has no answer is counted, and asked for at once when somebody does not want to wait', async () => {
  server.failure = new ApiError(500, 'Oops');
  store.want(image('p', 0, 1));
  await turns();
  expect([store.error, store.unknownCount('image', 'p', [0, 1, 2])]).toEqual(['Oops', 3]);
  server.failure = null;
  store.askAgain();
  expect(store.error).toBeNull();
  await turns();
  expect([store.error, store.unknownCount('image', 'p', [0, 1, 2])]).toEqual([null, 1]);
});
