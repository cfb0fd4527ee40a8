// Which rows and columns of a large table are in sight. Pure: units are CSS pixels of the scrolling element.
import { formatValue } from '../../base/format';
import type { TableAnswer, TableColumn } from '../../wire/client';

export type Cell = TableAnswer['rows'][number][number];

/** Browsers cannot scroll through more; beyond it a pixel of the scroll bar is more than a pixel of the table. */
export const MAX_HEIGHT_PX = 12_000_000;

interface Scrolled {
  readonly scrollTopPx: number;
  /** Of the rows' part of the viewport. */
  readonly heightPx: number;
  readonly count: number;
  readonly rowHeightPx: number;
}

export interface RowWindow {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
  /** Where the first one lies in the scrolled content. */
  readonly topPx: number;
}

export function contentHeight(count: number, rowHeightPx: number): number {
  return Math.min(count * rowHeightPx, MAX_HEIGHT_PX);
}

/** The rows in sight, and one more at the end. */
export function rowWindow({ scrollTopPx, heightPx, count, rowHeightPx }: Scrolled): RowWindow {
  const height = contentHeight(count, rowHeightPx);
  const scrollable = Math.max(0, height - heightPx);
  const top = Math.min(Math.max(0, scrollTopPx), scrollable);
  // Where the viewport begins in a table that could be as high as it is.
  const truePx = scrollable === 0 ? 0 : (top / scrollable) * (count * rowHeightPx - heightPx);
  const first = Math.max(0, Math.min(count - 1, Math.floor(truePx / rowHeightPx)));
  const end = Math.min(count, first + Math.ceil(heightPx / rowHeightPx) + 1);
  return { first: count === 0 ? 0 : first, end, topPx: top - (truePx - first * rowHeightPx) };
}

/** Where to scroll so that a row is in sight, with the least movement. */
export function scrollTopFor(row: number, scrolled: Scrolled): number {
  const { scrollTopPx, heightPx, count, rowHeightPx } = scrolled;
  const scrollable = Math.max(0, contentHeight(count, rowHeightPx) - heightPx);
  const trueScrollable = count * rowHeightPx - heightPx;
  if (scrollable === 0 || trueScrollable <= 0) return 0;
  const truePx = (Math.min(scrollTopPx, scrollable) / scrollable) * trueScrollable;
  const above = row * rowHeightPx;
  const below = above + rowHeightPx - heightPx;
  const wanted = above < truePx ? above : below > truePx ? below : truePx;
  return (wanted / trueScrollable) * scrollable;
}

export interface ColumnWindow {
  readonly first: number;
  readonly end: number;
}

/** The columns that a stretch of the content touches. `starts` has one more element than there are columns. */
export function columnWindow(starts: readonly number[], fromPx: number, toPx: number): ColumnWindow {
  let first = 0;
  while (first < starts.length - 2 && starts[first + 1]! <= fromPx) first += 1;
  let end = first + 1;
  while (end < starts.length - 1 && starts[end]! < toPx) end += 1;
  return { first, end: Math.min(end, starts.length - 1) };
}

const CHAR_PX = 7.2;
const CELL_PADDING_PX = 20;
const SORT_MARK_PX = 18;
const LEAST_PX = 64;
/** Later rows may have more digits than the first, and a number that is cut off misleads. */
const LEAST_NUMBER_PX = 104;
const GREATEST_PX = 320;
const IMAGE_PX = 96;
const BOUNDS_PX = 132;

/** Wide enough for what the first rows hold, within bounds. */
export function columnWidths(columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): number[] {
  return columns.map(({ name, type }, column) => {
    const head = name.length * CHAR_PX + SORT_MARK_PX;
    const least = type === 'image' ? IMAGE_PX : type === 'number' ? LEAST_NUMBER_PX : LEAST_PX;
    const content = Math.max(
      0,
      ...rows.map((row) => {
        const cell = row[column];
        return isImage(cell) ? IMAGE_PX : shownText(cell ?? null).length * CHAR_PX;
      }),
    );
    return Math.round(
      Math.min(GREATEST_PX, Math.max(least, head + CELL_PADDING_PX, content + CELL_PADDING_PX)),
    );
  });
}

/** Wide enough for the two numbers of a filter, too. */
export function withRoomForFilters(widths: readonly number[], columns: readonly TableColumn[]): number[] {
  return widths.map((width, column) =>
    columns[column]!.type === 'number' ? Math.max(width, BOUNDS_PX) : width,
  );
}

/** The shown columns share what is left of a wider place. */
export function stretched(widths: readonly number[], shown: readonly number[], placePx: number): number[] {
  const spare = placePx - shown.reduce((sum, column) => sum + widths[column]!, 0);
  if (spare <= 0) return [...widths];
  const more = spare / shown.length;
  const isShown = new Set(shown);
  return widths.map((width, column) => (isShown.has(column) ? width + more : width));
}

export function isImage(cell: Cell | undefined): cell is Exclude<Cell, null | boolean | number | string> {
  return typeof cell === 'object' && cell !== null;
}

/** With every digit, as it is copied and as the server's search finds it (cells.py); '' for missing cells and images. */
export function textOfCell(cell: Cell): string {
  return cell === null || isImage(cell) ? '' : String(cell);
}

/** What a picture is called where there is no room for it. Its size is not known of every format. */
export function pictureText({ width, height }: { readonly width: number; readonly height: number }): string {
  return width > 0 ? `picture of ${width} × ${height} pixels` : 'picture';
}

const SHOWN_DIGITS = 6;

/** As it stands in the table: long fractions are rounded, everything else is there. The server's search finds this, too. */
export function shownText(cell: Cell): string {
  return typeof cell === 'number' && !Number.isInteger(cell)
    ? formatValue(cell, SHOWN_DIGITS)
    : textOfCell(cell);
}
