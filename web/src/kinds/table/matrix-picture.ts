// Draws the part of a confusion matrix that is in sight onto a canvas of the size of its viewport: cells, labels where they fit, counts
// where they fit. Units are CSS pixels; "content" is the whole matrix, scrolled below the labels, which stay.
import { Turns } from '../../base/turns';
import type { Theme } from '../../state/palettes';
import { cellValue, type Matrix, type Normalisation } from './matrix';
import { colourAt, inkOn } from './matrix-colours';

export interface MatrixLook {
  readonly matrix: Matrix;
  readonly by: Normalisation;
  /** Which class each row and column of the picture is. */
  readonly order: readonly number[];
  readonly text: (value: number) => string;
  /** In the order of the picture. */
  readonly labels: readonly string[];
  readonly theme: Theme;
  readonly ink: string;
  readonly faintInk: string;
  readonly line: string;
  readonly mark: string;
  readonly font: string;
}

export interface MatrixPlace {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Room for labels. */
  readonly leftPx: number;
  readonly topPx: number;
  readonly cellPx: number;
  readonly scrollLeftPx: number;
  readonly scrollTopPx: number;
}

export interface CellAt {
  readonly row: number;
  readonly column: number;
}

interface Room {
  readonly leftPx: number;
  readonly topPx: number;
}

/** A label needs a cell of this much. */
const LABEL_CELL_PX = 12;
/** Room around a matrix whose cells are too small for labels: the sentence below it names the classes. */
const BARE_ROOM_PX = 8;
const TEXT_CELL_PX = 18;
const FONT_PX = 11;
const SHADES = 1023;

/** All cells as a picture of a pixel each. Four million take a while: a row at a time. null: given up. */
export async function paintMatrix(look: MatrixLook, signal: AbortSignal): Promise<OffscreenCanvas | null> {
  const n = look.labels.length;
  const image = new ImageData(Math.max(1, n), Math.max(1, n));
  const pixels = new Uint32Array(image.data.buffer);
  // Colours are looked up, not made for each cell.
  const colours = Uint32Array.from({ length: SHADES + 1 }, (_, shade) => {
    const [red, green, blue] = colourAt(shade / SHADES, look.theme);
    return (255 << 24) | (blue << 16) | (green << 8) | red;
  });
  const turns = new Turns();
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const share = shareOf(valueAt(look, row, column), look);
      pixels[row * n + column] = colours[share > 0 ? Math.min(SHADES, Math.round(share * SHADES)) : 0]!;
    }
    await turns.rest();
    if (signal.aborted) return null;
  }
  const painted = new OffscreenCanvas(image.width, image.height);
  painted.getContext('2d')!.putImageData(image, 0, 0);
  return painted;
}

function valueAt({ matrix, by, order }: MatrixLook, row: number, column: number): number {
  return cellValue(matrix, order[row]!, order[column]!, by);
}

function shareOf(value: number, { matrix, by }: MatrixLook): number {
  const greatest = matrix.greatest[by];
  return greatest > 0 ? value / greatest : 0;
}

export function cellAt(x: number, y: number, place: MatrixPlace, count: number): CellAt | null {
  if (x < place.leftPx || y < place.topPx) return null;
  const column = Math.floor((x - place.leftPx + place.scrollLeftPx) / place.cellPx);
  const row = Math.floor((y - place.topPx + place.scrollTopPx) / place.cellPx);
  return row < count && column < count ? { row, column } : null;
}

export function drawMatrix(
  context: CanvasRenderingContext2D,
  image: CanvasImageSource,
  look: MatrixLook,
  place: MatrixPlace,
  current: CellAt | null,
): void {
  const n = look.labels.length;
  const { widthPx, heightPx, leftPx, topPx, cellPx, scrollLeftPx, scrollTopPx } = place;
  const [x0, y0] = [leftPx - scrollLeftPx, topPx - scrollTopPx];
  context.clearRect(0, 0, widthPx, heightPx);
  context.font = look.font;
  context.textBaseline = 'middle';

  context.save();
  context.beginPath();
  context.rect(leftPx - 1, topPx - 1, widthPx - leftPx + 1, heightPx - topPx + 1);
  context.clip();
  // Cells smaller than a pixel are averaged, larger ones have edges.
  context.imageSmoothingEnabled = cellPx < 1;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, x0, y0, n * cellPx, n * cellPx);
  context.strokeStyle = look.line;
  context.strokeRect(x0 - 0.5, y0 - 0.5, n * cellPx + 1, n * cellPx + 1);
  const rows = inSight(scrollTopPx, heightPx - topPx, cellPx, n);
  const columns = inSight(scrollLeftPx, widthPx - leftPx, cellPx, n);
  if (cellPx >= TEXT_CELL_PX) {
    context.textAlign = 'center';
    for (let row = rows.first; row < rows.end; row++) {
      for (let column = columns.first; column < columns.end; column++) {
        const value = valueAt(look, row, column);
        const text = look.text(value);
        if (!(value > 0) || context.measureText(text).width > cellPx - 4) continue;
        context.fillStyle = inkOn(colourAt(shareOf(value, look), look.theme));
        context.fillText(text, x0 + (column + 0.5) * cellPx, y0 + (row + 0.5) * cellPx);
      }
    }
  }
  if (current !== null) {
    context.strokeStyle = look.mark;
    context.lineWidth = 1;
    const side = Math.max(cellPx, 3);
    context.strokeRect(x0 - 1, y0 + current.row * cellPx - 0.5, n * cellPx + 2, side + 1);
    context.strokeRect(x0 + current.column * cellPx - 0.5, y0 - 1, side + 1, n * cellPx + 2);
    context.lineWidth = 2;
    context.strokeRect(x0 + current.column * cellPx, y0 + current.row * cellPx, side, side);
  }
  context.restore();

  if (leftPx <= BARE_ROOM_PX) return;
  context.textAlign = 'right';
  for (let row = rows.first; row < rows.end; row++) {
    const y = y0 + (row + 0.5) * cellPx;
    // Not into the labels of columns.
    if (y < topPx + FONT_PX / 2 - 1) continue;
    context.fillStyle = current?.row === row ? look.ink : look.faintInk;
    context.fillText(fitted(context, look.labels[row]!, leftPx - 10), leftPx - 6, y);
  }
  for (let column = columns.first; column < columns.end; column++) {
    const x = x0 + (column + 0.5) * cellPx;
    if (x < leftPx + FONT_PX / 2 - 1) continue;
    context.fillStyle = current?.column === column ? look.ink : look.faintInk;
    drawUpright(context, look.labels[column]!, x, topPx);
  }
}

/** Reads upwards, ending at the matrix. */
function drawUpright(context: CanvasRenderingContext2D, label: string, x: number, topPx: number): void {
  context.save();
  context.translate(x, topPx - 6);
  context.rotate(-Math.PI / 2);
  context.textAlign = 'left';
  context.fillText(fitted(context, label, topPx - 10), 0, 0);
  context.restore();
}

function inSight(
  scrollPx: number,
  sizePx: number,
  cellPx: number,
  count: number,
): { first: number; end: number } {
  return {
    first: Math.max(0, Math.floor(scrollPx / cellPx)),
    end: Math.min(count, Math.ceil((scrollPx + sizePx) / cellPx)),
  };
}

/** The text, shortened to a width; labels may be as long as anyone likes. */
function fitted(context: CanvasRenderingContext2D, text: string, widthPx: number): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  if (context.measureText(short).width <= widthPx) return short;
  let end = short.length;
  while (end > 1 && context.measureText(`${short.slice(0, end)}…`).width > widthPx) end -= 1;
  return `${short.slice(0, end)}…`;
}

/** Room around a matrix, whose cells are of the size `cellIn` in a room. Where labels do not fit the matrix has theirs, too. */
export function roomAround(labelled: Room, cellIn: (room: Room) => number): Room {
  const bare = { leftPx: BARE_ROOM_PX, topPx: BARE_ROOM_PX };
  return cellIn(labelled) >= LABEL_CELL_PX ? labelled : bare;
}

/** Room for the labels: as much as the longest needs, within bounds. */
export function labelRoom(
  measure: (text: string) => number,
  labels: readonly string[],
  greatestPx: number,
): number {
  let widest = 0;
  for (const label of labels) widest = Math.max(widest, measure(label.slice(0, 60)));
  return Math.round(Math.min(greatestPx, Math.max(24, widest + 12)));
}
