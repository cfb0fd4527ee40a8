// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { capturedText } from '../base/captures';
import { fieldText, groupKey, groupRuns, type GroupAccess } from './run-groups';
import type { GroupBy, Run, RunGroup, RunPlace } from './types';

const NOTHING: GroupAccess = {
  run: () => undefined,
  labels: () => [],
  field: () => undefined,
  isFavourite: () => false,
  captured: () => undefined,
};

const places = (...names: string[]): RunPlace[] => names.map((name, id) => ({ id, name }));

function grouped(runs: readonly RunPlace[], by: GroupBy, access: Partial<GroupAccess> = {}): RunGroup[] {
  const all = { ...NOTHING, ...access };
  return groupRuns(runs, (run) => groupKey(run, by, all));
}

const members = (groups: readonly RunGroup[]): [string, readonly number[]][] =>
  groups.map(({ key, runs }) => [key, runs]);

describe('by folder', () => {
  const runs = places('base/lr1/0', 'base/lr1/1', 'base/lr2/0', 'big/0', 'alone');

  test('takes as many directories as asked, never the run itself', () => {
    expect(members(grouped(runs, { kind: 'folder', depth: 1 }))).toEqual([
      ['base', [0, 1, 2]],
      ['big', [3]],
    ]);
    expect(members(grouped(runs, { kind: 'folder', depth: 2 }))).toEqual([
      ['base/lr1', [0, 1]],
      ['base/lr2', [2]],
      ['big', [3]],
    ]);
  });

  test('of no sensible depth is by the first', () => {
    expect(grouped(runs, { kind: 'folder', depth: 0 })).toHaveLength(2);
  });
});

describe('by label', () => {
  test('all labels together make the group, in any order; a run without labels is in none', () => {
    const labels = [['b', 'a'], ['a', 'b'], ['a'], []];
    const groups = grouped(
      places('0', '1', '2', '3'),
      { kind: 'label' },
      {
        labels: (name) => labels[Number(name)]!,
      },
    );
    expect(members(groups)).toEqual([
      ['a', [2]],
      ['a, b', [0, 1]],
    ]);
  });
});

describe('by hyper-parameter', () => {
  test('numbers are in order of their value, runs without it are in no group', () => {
    const values = [0.01, 3e-5, undefined, 0.1, 3e-5, -1];
    const groups = grouped(
      places('0', '1', '2', '3', '4', '5'),
      { kind: 'field', name: 'lr' },
      {
        field: (_, id) => values[id],
      },
    );
    expect(members(groups)).toEqual([
      ['lr = -1', [5]],
      ['lr = 3e-5', [1, 4]],
      ['lr = 0.01', [0]],
      ['lr = 0.1', [3]],
    ]);
  });

  test('different numbers never become one group', () => {
    expect(fieldText(0.1 + 0.2)).not.toBe(fieldText(0.3));
    expect(fieldText(123_456_789)).toBe('123456789');
    expect(fieldText(0.001)).toBe('0.001');
    expect(fieldText(true)).toBe('true');
    expect(fieldText('')).toBe('""');
  });
});

describe('by column', () => {
  test('status, favourites, day of start; a column that is none groups nobody', () => {
    const startedS = new Date(2026, 0, 31, 23, 59).getTime() / 1000;
    const run = (id: number) =>
      ({ id, status: id === 0 ? 'running' : 'crashed', startedS: id === 0 ? startedS : null }) as never;
    const runs = places('0', '1');
    expect(members(grouped(runs, { kind: 'column', name: 'status' }, { run }))).toEqual([
      ['crashed', [1]],
      ['running', [0]],
    ]);
    expect(members(grouped(runs, { kind: 'column', name: 'started' }, { run }))).toEqual([
      ['2026-01-31', [0]],
    ]);
    const isFavourite = (name: string): boolean => name === '1';
    expect(members(grouped(runs, { kind: 'column', name: 'favourite' }, { isFavourite }))).toEqual([
      ['Favourites', [1]],
      ['Others', [0]],
    ]);
    expect(grouped(runs, { kind: 'column', name: 'toString' }, { run })).toEqual([]);
  });
});

test('groups are in natural order, members in the order of the table', () => {
  const runs = places('run10/b', 'run9/a', 'run10/a');
  expect(members(grouped(runs, { kind: 'folder', depth: 1 }))).toEqual([
    ['run9', [1]],
    ['run10', [0, 2]],
  ]);
});

interface SharedCases {
  readonly runs: readonly {
    readonly name: string;
    readonly labels: readonly string[];
    readonly status: Run['status'];
    readonly fields: Readonly<Record<string, number | string | boolean>>;
  }[];
  readonly cases: readonly {
    readonly by: string;
    readonly groups: Readonly<Record<string, readonly string[]>>;
  }[];
}

describe('as the server groups for the command line and Python', () => {
  const shared = JSON.parse(readFileSync('../tests/fixtures/grouping.json', 'utf8')) as SharedCases;
  const runs = shared.runs.map(({ name }, id) => ({ id, name }));

  test.each(shared.cases)('$by', ({ by, groups }) => {
    const [kind = '', ...rest] = by.split(':');
    const text = rest.join(':');
    const found = grouped(runs, groupByOf(kind, text), {
      run: (id) => ({ status: shared.runs[id]!.status }) as Run,
      labels: (name) => shared.runs.find((run) => run.name === name)!.labels,
      field: (name, id) => shared.runs[id]!.fields[name],
      captured: (name) => capturedText(new RegExp(text), name) ?? undefined,
    });
    const expected = Object.entries(groups).map(([key, names]) => [key, names]);
    expect(found.map(({ key, runs: ids }) => [key, ids.map((id) => runs[id]!.name)])).toEqual(expected);
  });
});

function groupByOf(kind: string, text: string): GroupBy {
  if (kind === 'folder') return { kind, depth: Number(text || 1) };
  if (kind === 'regex') return { kind, pattern: text };
  if (kind === 'field') return { kind, name: text };
  return kind === 'label' ? { kind } : { kind: 'column', name: kind };
}
