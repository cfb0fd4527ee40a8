// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GroupRequest } from '../../wire/client';
import type { DecodedGroup, GroupFrames } from '../../wire/group-frame';
import { queryShape } from './line-query';
import { subscribeToGroups, unitOfGroup, type GroupSeries } from './group-lines';
import { LineFeed } from './line-feed.svelte';
import { lineSource } from '../testing.fixture';
import type { Grouping, LineData } from '../types';

const GROUPING: Grouping = {
  by: { kind: 'folder', depth: 1 },
  center: 'mean',
  band: 'std',
  areMembersShown: true,
};

function group(query: number, position: number, center: number): DecodedGroup {
  const one = Float64Array.of(center);
  return {
    query,
    group: position,
    runs: 2,
    isExact: true,
    yRange: null,
    x: one,
    center: one,
    low: null,
    high: null,
    members: one,
    breaks: [],
  };
}

/** Answers at once; values count the questions. */
class CountingClient {
  readonly requests: GroupRequest[] = [];
  notes: GroupFrames['notes'] = [];

  groups(request: GroupRequest): Promise<GroupFrames> {
    this.requests.push(request);
    return Promise.resolve({
      serverId: 'server-1',
      revision: 1,
      groups: request.queries.flatMap(({ groups }, query) =>
        groups.map((_, position) => group(query, position, this.requests.length)),
      ),
      notes: this.notes,
    });
  }

  asked(n: number): number[][][] {
    return this.requests[n]!.queries.map(({ groups }) => groups);
  }
}

let client: CountingClient;
let loader: LineFeed;
let members = $state.raw<readonly (readonly number[])[]>([]);
let grouping = $state.raw<Grouping>(GROUPING);
let all: LineData<GroupSeries>[];

/** Effects, then the loader's timer, then its answer. */
async function settle(): Promise<void> {
  flushSync();
  await vi.advanceTimersByTimeAsync(1);
  flushSync();
  await vi.advanceTimersByTimeAsync(1);
}

function subscribe(tag = 'a'): () => void {
  return subscribeToGroups(
    { client, lines: loader },
    () => ({ source: lineSource(tag), widthPx: 400, xRange: null, groups: members, grouping }),
    (data) => all.push(data),
  );
}

const last = () => all.at(-1)!.series.map(({ unit, center }) => [unit, center[0]]);

beforeEach(() => {
  vi.useFakeTimers();
  client = new CountingClient();
  members = [[1, 2], [3]];
  grouping = GROUPING;
  all = [];
  loader = new LineFeed({
    client: { scalars: () => Promise.reject(new Error('nobody asks for single runs here')) },
    serverId: () => 'server-1',
    onOtherServer: () => {},
    runsOf: () => [],
    shapeOf: ({ widthPx, xRange }) =>
      queryShape({
        widthPx,
        xRange,
        x: { axis: 'step', tag: '' },
        xScale: 'linear',
        baseline: null,
        smoothing: { kind: 'none', amount: 0 },
        showSuperseded: true,
      }),
  });
});

afterEach(() => {
  loader.destroy();
  vi.useRealTimers();
});

test('groups are asked for with their members, centre and band, and come back in their order', async () => {
  subscribe();
  await settle();
  expect(client.requests[0]!.queries[0]).toMatchObject({
    tag: 'a',
    groups: [[1, 2], [3]],
    center: 'mean',
    band: 'std',
  });
  expect(client.requests[0]!.queries[0]).not.toHaveProperty('superseded');
  expect(last()).toEqual([
    [unitOfGroup([1, 2]), 1],
    [unitOfGroup([3]), 1],
  ]);
});

test('a member that is switched off asks for its group alone', async () => {
  subscribe();
  await settle();
  members = [[1], [3]];
  await settle();
  expect(client.asked(1)).toEqual([[[1]]]);
  expect(last().map(([, value]) => value)).toEqual([2, 1]);
});

test('a group that is on its way is said to be missing', async () => {
  subscribe();
  await settle();
  expect(all.at(-1)!.isPartial).toBe(false);
  members = [[1], [3]];
  flushSync();
  expect(all.at(-1)!.isPartial).toBe(true);
  await settle();
  expect(all.at(-1)!.isPartial).toBe(false);
});

test('a member that is switched off and on again asks for nothing; what was long ago is forgotten', async () => {
  subscribe();
  await settle();
  members = [[1], [3]];
  await settle();
  members = [[1, 2], [3]];
  await settle();
  expect(client.requests).toHaveLength(2);
  for (let run = 10; run < 60; run++) {
    members = [[1, 2, run], [3]];
    await settle();
  }
  members = [[1], [3]];
  await settle();
  expect(client.asked(client.requests.length - 1)).toEqual([[[1]]]);
});

test('a member that grows asks for its group alone', async () => {
  subscribe();
  await settle();
  loader.change({ runs: [2], tags: ['a'] });
  await vi.advanceTimersByTimeAsync(100);
  expect(client.asked(1)).toEqual([[[1, 2]]]);
});

test('another band asks for everything, and keeps the lines meanwhile', async () => {
  subscribe();
  await settle();
  grouping = { ...GROUPING, band: 'minmax' };
  flushSync();
  expect(all.at(-1)).toMatchObject({ isStale: true });
  expect(last().length).toBe(2);
  await settle();
  expect(client.requests[1]!.queries[0]).toMatchObject({ band: 'minmax', groups: [[1, 2], [3]] });
});

test('lines of several cards share a request', async () => {
  subscribe('a');
  subscribe('b');
  await settle();
  expect(client.requests.map(({ queries }) => queries.map(({ tag }) => tag))).toEqual([['a', 'b']]);
});

test('after a restart of the server the groups are known by the new numbers of their runs', async () => {
  subscribe();
  await settle();
  members = [[8, 9], [7]];
  loader.renumber(
    new Map([
      [1, 8],
      [2, 9],
      [3, 7],
    ]),
  );
  expect(last()).toEqual([
    [unitOfGroup([8, 9]), 1],
    [unitOfGroup([7]), 1],
  ]);
  await settle();
  expect(client.asked(1)).toEqual([[[8, 9], [7]]]);
});

test('what is said about a run belongs to its group', async () => {
  client.notes = [{ query: 0, run: 2, is_error: false, text: 'About 2' }];
  subscribe();
  await settle();
  expect(all.at(-1)!.notes.map(({ text }) => text)).toEqual(['About 2']);
  client.notes = [];
  members = [[3]];
  await settle();
  expect(all.at(-1)!.notes).toEqual([]);
});

test('different members are different units', () => {
  const many = [[], [0], [1], [0, 1], [1, 0], [0, 0], [10_000], [1, 2, 3]];
  expect(new Set(many.map(unitOfGroup)).size).toBe(many.length);
});
