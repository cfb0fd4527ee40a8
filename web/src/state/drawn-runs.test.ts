import { expect, test } from 'vitest';
import { drawnMembers, drawnRuns, MOST_MEMBERS } from './drawn-runs';

const group = (key: string, runs: readonly number[]) => ({ group: { key, label: key, runs }, runs });
const runs = {
  visibleIds: [1, 2, 3, 4],
  visibleGroups: [group('a', [1, 2]), group('b', [3])],
  ungroupedVisibleIds: [4],
};

test('without groups every visible run is a line', () => {
  expect(drawnRuns(runs, null)).toEqual([1, 2, 3, 4]);
});

test('with groups their members are drawn behind them, before the runs in no group', () => {
  expect(drawnRuns(runs, { areMembersShown: true })).toEqual([1, 3, 2, 4]);
  expect(drawnRuns(runs, { areMembersShown: false })).toEqual([4]);
});

test('of very many members some of each group are drawn', () => {
  const large = Array.from({ length: 10_000 }, (_, i) => i);
  const drawn = drawnMembers([large, [20_000], [20_001, 20_002]]);
  expect(drawn.size).toBe(MOST_MEMBERS);
  expect([20_000, 20_001, 20_002].every((run) => drawn.has(run))).toBe(true);
});

test('a run in two groups is drawn once', () => {
  expect([
    ...drawnMembers([
      [1, 2],
      [2, 1],
    ]),
  ]).toEqual([1, 2]);
});
