import { describe, expect, test } from 'vitest';
import { mergeRows } from './run-rows';
import { runTable } from './testing.fixture';

const names = (rows: { readonly runs: readonly { readonly name: string }[] }): string[] =>
  rows.runs.map(({ name }) => name);

describe('mergeRows', () => {
  test('sorts runs by start; those without one come last, in natural order', () => {
    const table = runTable([
      { id: 0, name: 'run10' },
      { id: 1, name: 'run2' },
      { id: 2, name: 'late', startedS: 20 },
      { id: 3, name: 'early', startedS: 10 },
    ]);
    expect(names(mergeRows([], table))).toEqual(['early', 'late', 'run2', 'run10']);
  });

  test('replaces rows that changed and keeps the objects of those that did not', () => {
    const before = mergeRows(
      [],
      runTable([
        { id: 0, name: 'a', startedS: 1 },
        { id: 1, name: 'b', startedS: 2 },
      ]),
    ).runs;
    const merged = mergeRows(
      before,
      runTable([{ id: 1, name: 'b', startedS: 2, points: 9 }], { isComplete: false }),
    );
    expect(merged.runs[0]).toBe(before[0]);
    expect(merged.runs[1]).toMatchObject({ name: 'b', points: 9 });
    expect(merged.isReordered).toBe(false);
    expect(merged.changed).toEqual([1]);
  });

  test('a new run goes where it started', () => {
    const before = mergeRows([], runTable([{ id: 0, name: 'a', startedS: 10 }])).runs;
    const merged = mergeRows(before, runTable([{ id: 1, name: 'b', startedS: 5 }], { isComplete: false }));
    expect(names(merged)).toEqual(['b', 'a']);
    expect(merged.isReordered).toBe(true);
  });

  test('removed runs go', () => {
    const before = mergeRows(
      [],
      runTable([
        { id: 0, name: 'a' },
        { id: 1, name: 'b' },
      ]),
    ).runs;
    const merged = mergeRows(before, runTable([], { isComplete: false, removed: [0] }));
    expect(names(merged)).toEqual(['b']);
    expect(merged.isReordered).toBe(true);
  });

  test('a complete table replaces everything', () => {
    const before = mergeRows([], runTable([{ id: 0, name: 'a' }])).runs;
    expect(names(mergeRows(before, runTable([{ id: 5, name: 'z' }])))).toEqual(['z']);
  });
});
