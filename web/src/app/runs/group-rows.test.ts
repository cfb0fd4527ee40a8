import { describe, expect, it } from 'vitest';
import type { RunGroup } from '../../state/types';
import { groupRows, type GroupOrder } from './group-rows';
import type { TableRow } from './run-tree';

const RUNS = ['a1', 'b1', 'a2', 'c', 'b2'].map((name, id) => ({ id, name }));
const A: RunGroup = { key: 'a', label: 'A', runs: [0, 2] };
const B: RunGroup = { key: 'b', label: 'B', runs: [1, 4] };

function rowsOf(order: Partial<GroupOrder> = {}, runs = RUNS): TableRow[] {
  const groupOf = (id: number): RunGroup | undefined => [A, B].find((group) => group.runs.includes(id));
  return groupRows(runs, [A, B], groupOf, {
    isByLabel: true,
    isDescending: false,
    collapsed: new Set(),
    ...order,
  });
}

const drawn = (rows: readonly TableRow[]): string =>
  rows.map((row) => (row.kind === 'run' ? row.run.name : `[${row.label}]`)).join(' ');

describe('grouped rows', () => {
  it('stand below their group, those in none last', () => {
    expect(drawn(rowsOf())).toBe('[A] a1 a2 [B] b1 b2 [No group] c');
    expect(rowsOf().map(({ depth }) => depth)).toEqual([0, 1, 1, 0, 1, 1, 0, 1]);
  });

  it('turn round with the order by name, but for those in no group', () => {
    expect(drawn(rowsOf({ isDescending: true }, [...RUNS].reverse()))).toBe(
      '[B] b2 b1 [A] a2 a1 [No group] c',
    );
  });

  it('stand where the first of their runs stands in any other order', () => {
    expect(drawn(rowsOf({ isByLabel: false }, [...RUNS].reverse()))).toBe('[B] b2 b1 [A] a2 a1 [No group] c');
  });

  it('are folded away by the key of their row', () => {
    const key = rowsOf()[0]!.key;
    const rows = rowsOf({ collapsed: new Set([key]) });
    expect(drawn(rows)).toBe('[A] [B] b1 b2 [No group] c');
    expect(rows[0]).toMatchObject({ isCollapsed: true, runIds: [0, 2] });
  });

  it('have no row for a group without runs in sight', () => {
    expect(drawn(rowsOf({}, RUNS.slice(3, 4)))).toBe('[No group] c');
  });

  it('of a group called like the one that is none have a row of their own', () => {
    const odd: RunGroup = { key: '', label: '', runs: [0] };
    const keys = groupRows(RUNS.slice(0, 2), [odd], (id) => (id === 0 ? odd : undefined), {
      isByLabel: true,
      isDescending: false,
      collapsed: new Set(),
    }).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
