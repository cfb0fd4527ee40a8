// Where the tiles of a grid lie. All have one size that depends on the room alone, never on the pictures: nothing moves when
// those arrive, and which tiles are near the viewport follows from a division.

export const GAP_PX = 12;
/** Name and step above the picture. */
export const HEAD_PX = 24;
/** As on every page: below this width of the window there are two columns. */
export const PHONE_COLUMNS = 2;

/** In boxes that are not high enough for anything. */
const LEAST_PX = 96;

export interface GridLayout {
  readonly columns: number;
  readonly rows: number;
  /** Side of the square that the picture lies in. */
  readonly sidePx: number;
  /** From one row to the next. */
  readonly rowPx: number;
  readonly heightPx: number;
}

interface Room {
  readonly count: number;
  readonly widthPx: number;
  /** As wide as tiles should be at least; they grow until the row is full. */
  readonly tilePx: number;
  /** Instead of as many as fit. */
  readonly columns?: number | undefined;
  /** Of a box that the grid scrolls in: a row fits into it, and few tiles fill it. The page has no such limit. */
  readonly roomPx?: number | undefined;
}

/** As many as fit beside each other, one at least. */
export function columnsIn(widthPx: number, tilePx: number): number {
  return Math.max(1, Math.floor((widthPx + GAP_PX) / (tilePx + GAP_PX)));
}

export function gridLayout({ count, widthPx, tilePx, columns, roomPx }: Room): GridLayout {
  const mostPx = roomPx === undefined ? Infinity : Math.max(LEAST_PX, roomPx - HEAD_PX);
  const fitting = columns ?? columnsIn(widthPx, Math.min(tilePx, mostPx));
  const needed = Math.ceil((widthPx + GAP_PX) / (mostPx + GAP_PX));
  const most = Math.max(1, fitting, needed);
  const used = roomPx !== undefined && count > 0 ? Math.min(count, most) : most;
  const sharePx = (widthPx - (used - 1) * GAP_PX) / used;
  const sidePx = Math.max(1, Math.floor(Math.min(sharePx, mostPx)));
  const rows = Math.ceil(count / used);
  const rowPx = sidePx + HEAD_PX + GAP_PX;
  return { columns: used, rows, sidePx, rowPx, heightPx: Math.max(0, rows * rowPx - GAP_PX) };
}

export function placeInGrid({ columns, sidePx, rowPx }: GridLayout, index: number): { x: number; y: number } {
  return { x: (index % columns) * (sidePx + GAP_PX), y: Math.floor(index / columns) * rowPx };
}

/** Tiles of all rows that touch the stretch, which is measured from the grid's upper edge. */
export function tilesWithin(
  { columns, rows, rowPx }: GridLayout,
  count: number,
  stretch: { readonly fromPx: number; readonly toPx: number },
): { first: number; end: number } {
  const firstRow = Math.min(Math.max(0, Math.floor(stretch.fromPx / rowPx)), rows);
  const endRow = Math.min(Math.max(firstRow, Math.ceil(stretch.toPx / rowPx)), rows);
  return { first: firstRow * columns, end: Math.min(count, endRow * columns) };
}

/** Where an arrow key leads; the same place when there is nothing in that direction. */
export function neighbourOf(
  { columns }: GridLayout,
  count: number,
  index: number,
  key: string,
): number | null {
  const target = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    // From above an incomplete last row, to its end.
    ArrowDown:
      Math.floor(index / columns) < Math.floor((count - 1) / columns)
        ? Math.min(index + columns, count - 1)
        : index,
    Home: 0,
    End: count - 1,
  }[key];
  if (target === undefined) return null;
  return target < 0 || target >= count ? index : target;
}

/**
 * How large a picture is drawn, in CSS pixels: as large as fits into the square, or – for the pixel ratio of a screen – one
 * of its pixels on one of the screen's, as in the viewer.
 */
export function pictureSize(
  picture: { readonly width: number; readonly height: number },
  sidePx: number,
  actualRatio: number | null,
): { width: number; height: number } {
  const { width, height } = picture;
  if (width === 0 || height === 0) return { width, height };
  if (actualRatio !== null) return { width: width / actualRatio, height: height / actualRatio };
  const scale = sidePx / Math.max(width, height);
  return { width: Math.max(1, width * scale), height: Math.max(1, height * scale) };
}
