import { describe, expect, it } from 'vitest';
import { makeRun } from '../fake-page.svelte';
import { checkState, flatRows, parentIndex, treeRows, type TableRow } from './run-tree';

function runsOf(...names: string[]) {
  return names.map((name, id) => makeRun(id, name));
}

/** Each row as indented text, directories with a slash at the end. */
function drawn(rows: readonly TableRow[]): string[] {
  return rows.map((row) => '  '.repeat(row.depth) + (row.label ?? '') + (row.kind === 'folder' ? '/' : ''));
}

const NOTHING: ReadonlySet<string> = new Set();

describe('the tree of directories', () => {
  it('puts runs of one directory below it', () => {
    expect(drawn(treeRows(runsOf('a/train', 'a/val', 'b/train', 'b/val'), NOTHING))).toEqual([
      'a/',
      '  train',
      '  val',
      'b/',
      '  train',
      '  val',
    ]);
  });

  it('joins directories that lead to one other directory only', () => {
    expect(drawn(treeRows(runsOf('x/y/z/1', 'x/y/z/2'), NOTHING))).toEqual(['x/y/z/', '  1', '  2']);
  });

  it('has no directory row for a single run', () => {
    expect(drawn(treeRows(runsOf('a/b/only', 'c'), NOTHING))).toEqual(['a/b/only', 'c']);
  });

  it('shows a run that is also a directory as a dot in it', () => {
    expect(drawn(treeRows(runsOf('a', 'a/eval', 'b'), NOTHING))).toEqual(['a/', '  .', '  eval', 'b']);
  });

  it('stands a directory where its first run stands, whatever the order', () => {
    expect(drawn(treeRows(runsOf('b/2', 'c', 'b/1', 'a'), NOTHING))).toEqual(['b/', '  2', '  1', 'c', 'a']);
  });

  it('folds away what is below a closed directory, and keeps its runs countable', () => {
    const rows = treeRows(runsOf('a/x/1', 'a/x/2', 'a/y', 'b'), new Set(['folder:a']));
    expect(drawn(rows)).toEqual(['a/', 'b']);
    expect(rows[0]).toMatchObject({ isCollapsed: true, runIds: [0, 1, 2] });
  });

  it('finds the row above that a row belongs to', () => {
    const rows = treeRows(runsOf('a/x/1', 'a/x/2', 'a/y'), NOTHING);
    expect(rows.map((_, index) => parentIndex(rows, index))).toEqual([-1, 0, 1, 1, 0]);
  });

  it('gives every row a key of its own', () => {
    const rows = treeRows(runsOf('a', 'a/a', 'a/a/a', 'a/b', 'b/a'), NOTHING);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  });
});

describe('the flat list', () => {
  it('leaves the shortening of names to the page', () => {
    expect(flatRows(runsOf('a/b'))).toMatchObject([{ label: null, depth: 0 }]);
  });
});

describe('the checkbox of a group', () => {
  it.each([
    [[], 'off'],
    [[2], 'mixed'],
    [[1, 2, 3], 'on'],
  ] as const)('with %j of 1, 2, 3 selected is %s', (selected, state) => {
    expect(checkState([1, 2, 3], (id) => (selected as readonly number[]).includes(id))).toBe(state);
  });

  it('of an empty group is off', () => {
    expect(checkState([], () => true)).toBe('off');
  });
});
