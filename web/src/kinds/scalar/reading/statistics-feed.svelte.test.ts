// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StatisticsAnswer, StatisticsRequest } from '../../../wire/client';
import { StatisticsFeed, type Wish } from './statistics-feed.svelte';

interface Asked {
  readonly request: StatisticsRequest;
  answer(serverId?: string): Promise<void>;
  fail(error: Error): Promise<void>;
}

interface Card {
  readonly name: string;
}

class World {
  readonly asked: Asked[] = [];
  wishes = $state.raw<ReadonlyMap<Card, Wish>>(new Map());
  readonly feed: StatisticsFeed<Card>;

  constructor() {
    this.feed = new StatisticsFeed<Card>({
      serverId: () => 'server',
      wishes: () => this.wishes,
      client: {
        statistics: (request) =>
          new Promise<StatisticsAnswer>((resolve, reject) => {
            const settled = async () => {
              await vi.advanceTimersByTimeAsync(0);
            };
            this.asked.push({
              request,
              answer: (serverId = 'server') => {
                const queries = request.queries.map((_, query) => ({ query, statistics: {}, at: null }));
                resolve({
                  server_id: serverId,
                  revision: 1,
                  queries,
                  notes: [],
                } as unknown as StatisticsAnswer);
                return settled();
              },
              fail: (error) => {
                reject(error);
                return settled();
              },
            });
          }),
      },
    });
  }

  /** What cards want now; by name the place that they are read at. */
  want(places: readonly (readonly [Card, number, object?])[]): void {
    this.wishes = new Map(
      places.map(([card, at, data = NO_DATA]) => [
        card,
        { kind: 'step', queries: [{ tag: card.name, runs: [1], at }], data } as const,
      ]),
    );
    flushSync();
  }

  get places(): (readonly [string | undefined, number | null | undefined])[][] {
    return this.asked.map(({ request }) => request.queries.map(({ tag, at }) => [tag, at] as const));
  }
}

const NO_DATA = {};
const a: Card = { name: 'a' };
const b: Card = { name: 'b' };
let world: World;

beforeEach(() => {
  vi.useFakeTimers();
  world = new World();
});
afterEach(() => {
  world.feed.destroy();
  vi.useRealTimers();
});

test('all cards are asked about together', async () => {
  world.want([
    [a, 5],
    [b, 5],
  ]);
  await vi.advanceTimersByTimeAsync(100);
  expect(world.places).toEqual([
    [
      ['a', 5],
      ['b', 5],
    ],
  ]);
  await world.asked[0]!.answer();
  expect(world.feed.numbersOf(b)).toMatchObject({ kind: 'step', isStale: false, error: null });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(world.asked).toHaveLength(1);
});

test('while a marker is dragged there is one question at a time, and the last place is asked for', async () => {
  world.want([[a, 1]]);
  await vi.advanceTimersByTimeAsync(100);
  for (const at of [2, 3, 4]) world.want([[a, at]]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.asked).toHaveLength(1);
  await world.asked[0]!.answer();
  expect(world.feed.numbersOf(a)?.isStale).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(world.places[1]).toEqual([['a', 4]]);
  await world.asked[1]!.answer();
  expect(world.feed.numbersOf(a)?.isStale).toBe(false);
});

test('a card that is scrolled to is asked about by itself', async () => {
  world.want([[a, 1]]);
  await vi.advanceTimersByTimeAsync(100);
  await world.asked[0]!.answer();
  world.want([
    [a, 1],
    [b, 1],
  ]);
  await vi.advanceTimersByTimeAsync(100);
  expect(world.places[1]).toEqual([['b', 1]]);
});

test('growth is asked about once a second, and what is known stays', async () => {
  world.want([[a, 1]]);
  await vi.advanceTimersByTimeAsync(100);
  await world.asked[0]!.answer();
  for (let i = 0; i < 8; i++) {
    world.want([[a, 1, {}]]);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(world.asked).toHaveLength(1);
  expect(world.feed.numbersOf(a)?.isStale).toBe(false);
  await vi.advanceTimersByTimeAsync(300);
  expect(world.asked).toHaveLength(2);
});

test('a failure is said, keeps what is known, and is tried again', async () => {
  world.want([[a, 1]]);
  await vi.advanceTimersByTimeAsync(100);
  await world.asked[0]!.answer();
  world.want([[a, 2]]);
  await vi.advanceTimersByTimeAsync(100);
  await world.asked[1]!.fail(new Error('Out of memory'));
  expect(world.feed.numbersOf(a)).toMatchObject({ error: 'Out of memory', isStale: true });
  expect(world.feed.numbersOf(a)?.ofLines).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  await world.asked[2]!.answer();
  expect(world.feed.numbersOf(a)).toMatchObject({ error: null, isStale: false });
});

test('numbers of a server that is gone are not shown', async () => {
  world.want([[a, 1]]);
  await vi.advanceTimersByTimeAsync(100);
  await world.asked[0]!.answer('another');
  expect(world.feed.numbersOf(a)?.ofLines).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.asked).toHaveLength(2);
});
