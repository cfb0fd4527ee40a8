// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakePage, makeRun, tableOf } from '../fake-page.svelte';
import { RunTableModel } from './run-table-model.svelte';

let fake: FakePage;
let model: RunTableModel;
let end: () => void;

beforeEach(() => {
  fake = new FakePage(['x/a', 'x/b', 'y'].map((name, id) => makeRun(id, name)));
  end = $effect.root(() => {
    model = new RunTableModel(fake.page, () => false);
    // As the table does: only what is looked at is derived.
    $effect(() => {
      expect([model.rows, model.keyOf, model.allState, model.activeIndex]).toHaveLength(4);
    });
  });
  flushSync();
});

afterEach(() => {
  end();
  fake.runs.destroy();
});

function grow(lastStep: number): void {
  fake.runs.apply(tableOf([makeRun(1, 'x/b', { lastStep })], { isComplete: false }));
  flushSync();
}

const names = (): string[] => model.rows.map((row) => (row.kind === 'run' ? row.run.name : row.label));

describe('a live event', () => {
  it.each([
    ['by name', 'name', false],
    ['in the tree', 'name', true],
    ['by a number that keeps its place', 'last_step', false],
  ])('makes no rows anew (%s)', (_, sortBy, isTree) => {
    fake.view.table = { ...fake.view.table, sortBy };
    fake.view.table = { ...fake.view.table, isTree };
    grow(1001);
    const { rows, keyOf } = model;
    grow(1001.5);
    expect(model.rows).toBe(rows);
    expect(model.keyOf).toBe(keyOf);
  });

  it('moves a run whose number passes another', () => {
    fake.view.table = { ...fake.view.table, sortBy: 'last_step' };
    grow(1001.5);
    expect(names()).toEqual(['x/a', 'x/b', 'y']);
    grow(9999);
    expect(names()).toEqual(['x/a', 'y', 'x/b']);
    expect(fake.runs.byId.get(1)?.lastStep).toBe(9999);
  });
});

it('rows of a restarted server have the keys of the runs’ names', () => {
  const keys = model.rows.map(({ key }) => key);
  fake.runs.apply(
    tableOf(
      ['y', 'x/b', 'x/a'].map((name, id) => makeRun(id, name)),
      { serverId: 'other' },
    ),
  );
  flushSync();
  expect(model.rows.map(({ key }) => key)).toEqual(keys);
  expect(model.rows.map((row) => row.kind === 'run' && row.run.id)).toEqual([2, 1, 0]);
});
