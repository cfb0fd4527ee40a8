// Where the values lie over the steps, as a picture: a column for each step, darker where more of them are. A pixel that several
// columns fall into shows their mean, so every step has its part in it.
import type { Rgb } from '../../base/colour-maps';
import type { DrawContext } from '../../chart/draw-context';
import type { Layout } from '../../chart/layout';
import type { Range } from '../../chart/types';
import type { DecodedMap } from '../../wire/histogram-frame';
import { coordinateOf, type ValueAxis } from './value-axis';

/** Shares below this part of the highest are drawn alike on a logarithm. */
const LOG_DECADES = 4;

/** Beyond it the darkest colour stands for all: one value that all have in common must not hide the rest. */
const CAP_PERCENTILE = 0.998;

export interface HeatLook {
  /** The colour of a density from 0 to 1, as channels from 0 to 1. */
  readonly colourOf: (density: number) => Rgb;
  readonly isLog: boolean;
}

/** Columns of shares, each from the lowest row to the highest. */
export interface HeatColumns {
  readonly shares: Float64Array;
  readonly rows: number;
}

/** A pixel for each cell: 256 colours, transparent where nothing is. Left to right, and the highest values on top. */
export function heatPicture(
  { shares, rows }: HeatColumns,
  look: HeatLook,
  cap = capOf(shares),
): ImageData | null {
  if (shares.length === 0 || rows === 0) return null;
  const columns = shares.length / rows;
  const colours = palette(look);
  const picture = new ImageData(columns, rows);
  const pixels = new Uint32Array(picture.data.buffer);
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++) {
      const share = shares[column * rows + row]!;
      if (share > 0) pixels[(rows - 1 - row) * columns + column] = colours[levelOf(share, cap, look.isLog)]!;
    }
  return picture;
}

function levelOf(share: number, cap: number, isLog: boolean): number {
  const part = Math.min(1, share / cap);
  const level = isLog ? 1 + Math.log10(part) / LOG_DECADES : part;
  return Math.round(255 * Math.max(0, level));
}

function palette({ colourOf }: HeatLook): Uint32Array {
  const out = new Uint8ClampedArray(4 * 256);
  for (let i = 0; i < 256; i++) {
    const channels = colourOf(i / 255);
    for (let k = 0; k < 3; k++) out[4 * i + k] = 255 * channels[k]!;
    out[4 * i + 3] = 255;
  }
  return new Uint32Array(out.buffer);
}

/** The share that nearly all cells with something in them stay below. */
export function capOf(shares: Float64Array): number {
  const filled = shares.filter((share) => share > 0);
  if (filled.length === 0) return 1;
  filled.sort();
  return filled[Math.min(filled.length - 1, Math.floor(filled.length * CAP_PERCENTILE))]!;
}

/** Edges of the columns: half way to the neighbours, so that a step is in the middle of its column. */
export function columnEdges(places: Float64Array): Float64Array {
  const count = places.length;
  const edges = new Float64Array(count + 1);
  for (let i = 1; i < count; i++) edges[i] = (places[i - 1]! + places[i]!) / 2;
  // A step may have been logged twice.
  const first = places.find((place) => place > places[0]!) ?? places[0]! + 1;
  const last = places.findLast((place) => place < places[count - 1]!) ?? places[count - 1]! - 1;
  if (count > 0) {
    edges[0] = (3 * places[0]! - first) / 2;
    edges[count] = (3 * places[count - 1]! - last) / 2;
  }
  return edges;
}

/** Each of `count` even columns between two places is the mean of what lies there, by its width; nothing where there is nothing. */
export function resampled(
  { shares, rows }: HeatColumns,
  edges: Float64Array,
  [from, to]: Range,
  count: number,
): HeatColumns {
  const out = new Float64Array(count * rows);
  const width = (to - from) / count;
  let first = 0;
  for (let column = 0; column < count; column++) {
    const [low, high] = [from + column * width, from + (column + 1) * width];
    while (first + 1 < edges.length && edges[first + 1]! <= low) first++;
    for (let i = first; i + 1 < edges.length && edges[i]! < high; i++) {
      const part = (Math.min(high, edges[i + 1]!) - Math.max(low, edges[i]!)) / width;
      if (!(part > 0)) continue;
      for (let row = 0; row < rows; row++) out[column * rows + row]! += part * shares[i * rows + row]!;
    }
  }
  return { shares: out, rows };
}

export function heatPainter(map: DecodedMap, places: Float64Array, look: HeatLook) {
  const edges = columnEdges(places);
  const cap = capOf(map.shares);
  return (context: DrawContext, layout: Layout): void => {
    if (!(context instanceof CanvasRenderingContext2D) || places.length === 0) return;
    const { left, right } = layout.plot;
    const count = Math.max(1, Math.round(right - left));
    const range = [layout.xScale.valueFromPx(left), layout.xScale.valueFromPx(right)] as const;
    const picture = heatPicture(resampled(map, edges, range, count), look, cap);
    if (picture === null) return;
    const top = layout.yScale.pxFromValue(map.high);
    context.imageSmoothingEnabled = false;
    context.drawImage(canvasOf(picture), left, top, right - left, layout.yScale.pxFromValue(map.low) - top);
  };
}

function canvasOf(picture: ImageData): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.putImageData(picture, 0, 0);
  return canvas;
}

/** The share of a column's numbers in the row that holds a value; 0 beside the map. */
export function shareAt(map: DecodedMap, column: number, value: number): number {
  const axis: ValueAxis = map;
  const low = coordinateOf(axis, map.low);
  const part = (coordinateOf(axis, value) - low) / (coordinateOf(axis, map.high) - low);
  if (!(part >= 0 && part <= 1)) return 0;
  return map.shares[column * map.rows + Math.min(map.rows - 1, Math.floor(part * map.rows))]!;
}
