// Where everything lies in the grid of a table: sizes, which rows and columns are in sight, and the current cell, which keys move.
import { untrack } from 'svelte';
import { keyed, type KeyedColumn } from './column-keys';
import {
  columnWidths,
  columnWindow,
  contentHeight,
  rowWindow,
  scrollTopFor,
  stretched,
  withRoomForFilters,
} from './grid-window';
import type { FedRow, TableFeed } from './table-feed.svelte';
import type { TableView } from './table-view';

const HEAD_PX = 32;
const FILTERS_PX = 36;
const ROW_PX = 28;
const IMAGE_ROW_PX = 76;
const NUMBERS_PX = 60;
/** Rows whose cells say how wide a column is. */
const LOOKED_AT_ROWS = 50;

/** A column in sight. */
export interface ColumnPlace extends KeyedColumn {
  /** In the table as it was logged. */
  readonly column: number;
  readonly leftPx: number;
  readonly widthPx: number;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

export class TableGrid {
  /** What scrolls. */
  element = $state.raw<HTMLElement | null>(null);
  widthPx = $state(600);
  heightPx = $state(300);
  current = $state.raw<Place | null>(null);
  #scrollTopPx = $state(0);
  #scrollLeftPx = $state(0);
  readonly #feed: TableFeed;
  readonly #view: () => TableView;

  constructor(feed: TableFeed, view: () => TableView) {
    this.#feed = feed;
    this.#view = view;
  }

  readonly columns = $derived.by(() => keyed(this.#feed.facts?.columns ?? []));
  /** Rows that match. */
  readonly count = $derived.by(() => this.#feed.facts?.matchingRows ?? 0);
  /** Columns that are not hidden. One always is not, whatever a link says. */
  readonly shownColumns = $derived.by(() => {
    const hidden = new Set(this.#view().hidden);
    const shown = this.columns.flatMap(({ key }, column) => (hidden.has(key) ? [] : [column]));
    return shown.length > 0 || this.columns.length === 0 ? shown : [0];
  });
  readonly #names = $derived(this.columns.map(({ name, type }) => `${type} ${name}`).join('\n'));
  /** By the first rows of the first table that has these columns: they do not move when it is sorted. */
  readonly #contentWidths = $derived.by(() => {
    if (this.#names === '') return [];
    return untrack(() => {
      const rows = Array.from({ length: LOOKED_AT_ROWS }, (_, at) => this.#feed.row(at)?.cells ?? []);
      return columnWidths(
        this.columns,
        rows.filter((cells) => cells.length > 0),
      );
    });
  });
  /** A narrow table is stretched to its tile. */
  readonly #widths = $derived.by(() => {
    const needed = this.#view().areFiltersShown
      ? withRoomForFilters(this.#contentWidths, this.columns)
      : this.#contentWidths;
    return stretched(needed, this.shownColumns, this.widthPx - NUMBERS_PX);
  });
  /** Where each shown column begins, and where the last one ends. */
  readonly #starts = $derived.by(() => {
    const found = [NUMBERS_PX];
    for (const column of this.shownColumns) found.push(found.at(-1)! + this.#widths[column]!);
    return found;
  });
  readonly contentWidthPx = $derived.by(() => Math.max(this.#starts.at(-1)!, this.widthPx));
  readonly rowHeightPx = $derived.by(() =>
    this.shownColumns.some((column) => this.columns[column]!.type === 'image') ? IMAGE_ROW_PX : ROW_PX,
  );
  readonly headPx = $derived.by(() => HEAD_PX + (this.#view().areFiltersShown ? FILTERS_PX : 0));
  readonly contentHeightPx = $derived.by(() => this.headPx + contentHeight(this.count, this.rowHeightPx));
  readonly #scrolled = $derived.by(() => ({
    scrollTopPx: this.#scrollTopPx,
    heightPx: Math.max(ROW_PX, this.heightPx - this.headPx),
    count: this.count,
    rowHeightPx: this.rowHeightPx,
  }));
  readonly rows = $derived.by(() => rowWindow(this.#scrolled));
  readonly rowNumbers = $derived.by(() => numbersFrom(this.rows.first, this.rows.end));
  readonly places = $derived.by((): ColumnPlace[] => {
    const fromPx = this.#scrollLeftPx + NUMBERS_PX;
    const { first, end } = columnWindow(this.#starts, fromPx, Math.max(1, this.#scrollLeftPx + this.widthPx));
    return numbersFrom(first, Math.min(end, this.shownColumns.length)).map((at) => {
      const column = this.shownColumns[at]!;
      return {
        ...this.columns[column]!,
        ...{ column, leftPx: this.#starts[at]!, widthPx: this.#widths[column]! },
      };
    });
  });
  /** undefined: there is no current cell, or its row is not here yet. */
  readonly currentRow = $derived.by((): FedRow | undefined =>
    this.current === null ? undefined : this.#feed.row(this.current.row),
  );

  /** The current cell is in the page, and not only in the table. */
  readonly isCurrentBuilt = $derived.by(() => {
    const { current, rows } = this;
    if (current === null || this.currentRow === undefined) return false;
    const isRowBuilt = current.row >= rows.first && current.row < rows.end;
    return isRowBuilt && this.places.some(({ column }) => column === current.column);
  });

  topOf(row: number): number {
    return this.headPx + this.rows.topPx + (row - this.rows.first) * this.rowHeightPx;
  }

  /** The element was scrolled. */
  readonly scroll = (): void => {
    if (this.element === null) return;
    this.#scrollTopPx = this.element.scrollTop;
    this.#scrollLeftPx = this.element.scrollLeft;
  };

  /** Makes a cell current and brings it into sight: `at` is its place among the shown columns. */
  #goTo(row: number, at: number): void {
    const { element, shownColumns, widthPx } = this;
    if (this.count === 0 || shownColumns.length === 0 || element === null) return;
    const place = Math.max(0, Math.min(shownColumns.length - 1, at));
    this.current = { row: Math.max(0, Math.min(this.count - 1, row)), column: shownColumns[place]! };
    element.scrollTop = scrollTopFor(this.current.row, this.#scrolled);
    const left = this.#starts[place]!;
    const right = this.#starts[place + 1]!;
    if (left - NUMBERS_PX < element.scrollLeft) element.scrollLeft = left - NUMBERS_PX;
    else if (right > element.scrollLeft + widthPx)
      element.scrollLeft = Math.min(left - NUMBERS_PX, right - widthPx);
    this.scroll();
  }

  /** What a key does; undefined: nothing. `isFar`: with Ctrl. */
  moveOf(key: string, isFar: boolean): (() => void) | undefined {
    const row = this.current?.row ?? -1;
    const at = Math.max(0, this.shownColumns.indexOf(this.current?.column ?? 0));
    const pageRows = Math.max(1, Math.floor(this.#scrolled.heightPx / this.rowHeightPx) - 1);
    const moves: Record<string, readonly [number, number]> = isFar
      ? { Home: [0, 0], End: [this.count - 1, this.shownColumns.length - 1] }
      : {
          ArrowDown: [row + 1, at],
          ArrowUp: [row - 1, at],
          ArrowRight: [row, at + 1],
          ArrowLeft: [row, at - 1],
          PageDown: [row + pageRows, at],
          PageUp: [row - pageRows, at],
          Home: [row, 0],
          End: [row, this.shownColumns.length - 1],
        };
    const move = moves[key];
    return move === undefined ? undefined : () => this.#goTo(...move);
  }
}

function numbersFrom(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
}
