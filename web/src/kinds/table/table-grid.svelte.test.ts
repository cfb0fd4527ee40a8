import { beforeEach, expect, test } from 'vitest';
import type { FedRow, TableFeed } from './table-feed.svelte';
import { TableGrid } from './table-grid.svelte';
import type { TableView } from './table-view';

const COLUMNS = ['id', 'word', 'loss', 'note'].map((name) => ({ name, type: 'text' as const }));
const ROWS = 50;
const TABLE = { address: { run: 0, tag: 't', index: 0, step: 0 }, serverId: 's' };

let hidden = $state<string[]>([]);
let feed: { facts: object | null; row: (at: number) => FedRow };
let grid: TableGrid;
let element: { scrollTop: number; scrollLeft: number };

beforeEach(() => {
  hidden = [];
  feed = {
    facts: { columns: COLUMNS, totalColumns: COLUMNS.length, totalRows: ROWS, matchingRows: ROWS },
    row: (number) => ({ table: TABLE, number, cells: COLUMNS.map(({ name }) => name), cut: new Set() }),
  };
  const view = {
    get hidden() {
      return hidden;
    },
    areFiltersShown: false,
  };
  grid = new TableGrid(feed as unknown as TableFeed, () => view as unknown as TableView);
  element = { scrollTop: 0, scrollLeft: 0 };
  grid.element = element as HTMLElement;
  grid.widthPx = 200;
  // The head, and ten rows.
  grid.heightPx = 32 + 280;
});

/** Presses keys ("^" before: with Ctrl); where the current cell is then. */
function press(...keys: string[]): readonly [number, number] {
  for (const key of keys) {
    const isFar = key.startsWith('^');
    grid.moveOf(isFar ? key.slice(1) : key, isFar)?.();
  }
  return [grid.current!.row, grid.current!.column];
}

test('the first key makes the first cell current; arrows stop at the edges', () => {
  expect(grid.currentRow).toBeUndefined();
  expect(press('ArrowDown')).toEqual([0, 0]);
  expect(press('ArrowUp', 'ArrowLeft')).toEqual([0, 0]);
  expect(press('ArrowDown', 'ArrowRight')).toEqual([1, 1]);
  expect(grid.currentRow?.number).toBe(1);
  expect(press('^End')).toEqual([ROWS - 1, 3]);
  expect(press('ArrowDown', 'ArrowRight')).toEqual([ROWS - 1, 3]);
  expect(press('Home')).toEqual([ROWS - 1, 0]);
  expect(press('End', '^Home')).toEqual([0, 0]);
});

test('a page is what is in sight, but for one row', () => {
  expect(press('ArrowDown', 'PageDown')).toEqual([9, 0]);
  expect(press('PageDown', 'PageUp', 'PageUp')).toEqual([0, 0]);
});

test('a narrow table fills its tile, whichever columns are shown', () => {
  grid.widthPx = 1000;
  const end = (): number => {
    const last = grid.places.at(-1)!;
    return Math.round(last.leftPx + last.widthPx);
  };
  expect([grid.places.length, end()]).toEqual([4, 1000]);
  hidden.push('word');
  expect([grid.places.length, end()]).toEqual([3, 1000]);
});

test('hidden columns are passed over; one is always shown', () => {
  hidden.push('word', 'note');
  expect(press('ArrowDown', 'ArrowRight')).toEqual([0, 2]);
  expect(press('ArrowRight')).toEqual([0, 2]);
  hidden.push('id', 'loss');
  expect(grid.shownColumns).toEqual([0]);
  expect(press('ArrowRight')).toEqual([0, 0]);
});

test('what becomes current comes into sight', () => {
  press('^End', 'End');
  expect(grid.rows.end).toBe(ROWS);
  expect(grid.places.map(({ column }) => column)).toContain(3);
  expect(element.scrollTop).toBe(ROWS * 28 - 280);
  press('Home');
  expect(element.scrollLeft).toBe(0);
});

test('the current cell is said to be there only while it is in the page', () => {
  expect(grid.isCurrentBuilt).toBe(false);
  press('ArrowDown');
  expect(grid.isCurrentBuilt).toBe(true);
  element.scrollTop = 28 * 40;
  grid.scroll();
  expect(grid.isCurrentBuilt).toBe(false);
  press('ArrowDown');
  expect(grid.isCurrentBuilt).toBe(true);
  element.scrollLeft = 4000;
  grid.scroll();
  expect([grid.current?.column, grid.isCurrentBuilt]).toEqual([0, false]);
});

test('keys that mean nothing, and keys in an empty table, do nothing', () => {
  expect(grid.moveOf('x', false)).toBeUndefined();
  expect(grid.moveOf('ArrowDown', true)).toBeUndefined();
  feed.facts = null;
  const empty = new TableGrid(feed as unknown as TableFeed, () => ({ hidden: [] }) as unknown as TableView);
  empty.moveOf('ArrowDown', false)?.();
  expect(empty.current).toBeNull();
});
