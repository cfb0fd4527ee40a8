import { describe, expect, it } from 'vitest';
import type { Run } from '../../state/types';
import { makeRun } from '../fake-page.svelte';
import { holdOrder, NameRanks, sortByName, sortByValue } from './run-sort';

function sorted(
  runs: readonly Run[],
  valueOf: (run: Run) => number | string | null,
  isDescending: boolean,
): string[] {
  const rankOf = new NameRanks().of(runs);
  return sortByValue(runs, { valueOf, isDescending, rankOf }).map((run) => run.name);
}

describe('sorting runs', () => {
  const runs = ['run10', 'run2', 'run1'].map((name, id) => makeRun(id, name));

  it('by name counts as people do, in both directions', () => {
    const order = { rankOf: new NameRanks().of(runs) };
    expect(sortByName(runs, { ...order, isDescending: false }).map((run) => run.name)).toEqual([
      'run1',
      'run2',
      'run10',
    ]);
    expect(sortByName(runs, { ...order, isDescending: true }).map((run) => run.name)).toEqual([
      'run10',
      'run2',
      'run1',
    ]);
  });

  it('keeps equal runs in the order of their names, in both directions', () => {
    expect(sorted(runs, () => 1, false)).toEqual(['run1', 'run2', 'run10']);
    expect(sorted(runs, () => 1, true)).toEqual(['run1', 'run2', 'run10']);
  });

  it('puts runs without a value last in both directions, and NaN just before them', () => {
    const values: Record<string, number | null> = { a: 3, b: null, c: NaN, d: 1 };
    const four = Object.keys(values).map((name, id) => makeRun(id, name));
    expect(sorted(four, (run) => values[run.name] ?? null, false)).toEqual(['d', 'a', 'c', 'b']);
    expect(sorted(four, (run) => values[run.name] ?? null, true)).toEqual(['a', 'd', 'c', 'b']);
  });

  it('knows infinities as the least and the greatest', () => {
    const values: Record<string, number> = { a: Infinity, b: 0, c: -Infinity };
    const three = Object.keys(values).map((name, id) => makeRun(id, name));
    expect(sorted(three, (run) => values[run.name] ?? null, false)).toEqual(['c', 'b', 'a']);
  });

  it('ranks names that appear later among those known', () => {
    const ranks = new NameRanks();
    ranks.of(runs);
    const more = [...runs, makeRun(3, 'run3')];
    const order = { isDescending: false, rankOf: ranks.of(more) };
    expect(sortByName(more, order).map((run) => run.name)).toEqual(['run1', 'run2', 'run3', 'run10']);
  });
});

describe('an order that is held', () => {
  const before = [makeRun(1, 'a'), makeRun(2, 'b')];
  const held = { names: ['a', 'b'], wish: 'by loss' };

  it('stays when values and numbers change, and counts runs that came since', () => {
    const now = [makeRun(3, 'c'), makeRun(7, 'b'), makeRun(1, 'a')];
    const { runs, newCount } = holdOrder(now, held, 'by loss');
    expect(runs.map((run) => run.name)).toEqual(['a', 'b']);
    expect(runs[1]?.id).toBe(7);
    expect(newCount).toBe(1);
  });

  it('lets runs go that are no longer there', () => {
    expect(holdOrder([makeRun(2, 'b')], held, 'by loss')).toMatchObject({ runs: [{ id: 2 }], newCount: 0 });
  });

  it('ends when the user wishes something else', () => {
    const now = [...before].reverse();
    expect(holdOrder(now, held, 'by name').runs).toBe(now);
  });
});
