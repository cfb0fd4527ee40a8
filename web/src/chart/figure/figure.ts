// A chart as a figure for a paper or a slide: the engine's own drawing, with true strokes, a title, names of axes and a legend,
// at a size that somebody chose. Drawn onto any context; svg and png are two of them.
//
// All lengths that a person chooses are CSS pixels (96 to the inch). `ratio` is how many device pixels one of them is.
import type { DrawContext, PxBox } from '../draw-context';
import { BAND_OPACITY, LinePass } from '../draw-lines';
import { fitView, indicesToDraw } from '../fit';
import { makeLayout, yScaleOf, type Layout } from '../layout';
import { paintScene } from '../render';
import { withEllipsis } from '../text-width';
import type { ChartOptions, ChartSeries, ChartTheme } from '../types';
import { withDensity } from './png-density';
import { SvgContext } from './svg-context';

export const PX_PER_INCH = 96;
/** More in one direction is refused by browsers. */
export const MOST_DEVICE_PX = 16_384;
/** And this many altogether. */
const MOST_DEVICE_PIXELS = 100e6;

export type FigureFont = 'sans' | 'serif' | 'mono';
export type FigureLegend = 'none' | 'inside' | 'below';
export type FigureTheme = 'light' | 'black';

export interface FigureOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly font: FigureFont;
  readonly fontSizePx: number;
  readonly lineWidthPx: number;
  /** '' for none, as all of these names. */
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly rightLabel: string;
  readonly legend: FigureLegend;
  readonly theme: FigureTheme;
  readonly hasBackground: boolean;
}

/** What is drawn: the lines, and what is shown of them. */
export interface FigureContent {
  readonly series: readonly ChartSeries[];
  readonly options: ChartOptions;
}

const FONTS: Readonly<Record<FigureFont, string>> = {
  sans: 'Helvetica, Arial, sans-serif',
  serif: "'Times New Roman', Times, serif",
  mono: "'Courier New', Courier, monospace",
};

const COLORS: Readonly<Record<FigureTheme, Pick<ChartTheme, 'text' | 'mutedText' | 'grid' | 'axis'>>> = {
  light: { text: '#1b2027', mutedText: '#4d5661', grid: '#e2e5ea', axis: '#8a939e' },
  black: { text: '#000000', mutedText: '#000000', grid: '#dddddd', axis: '#000000' },
};

/** Of the grid and the axes, in CSS pixels. */
const HAIRLINE = 0.6;
/** How wide lines look on the screen, for which dashes were made. */
const SCREEN_LINE_PX = 1.6;
/** Raw values and members are drawn by a pen so much thinner. */
const THIN_SHARE = 0.6;
/** At most this share of the height is legend below the chart, and of the plot's sides inside of it. */
const BELOW_SHARE = 0.33;
const INSIDE_WIDTH_SHARE = 0.6;
const INSIDE_HEIGHT_SHARE = 0.7;
const TITLE_WEIGHT = 'bold';
const LEGEND_OPACITY = 0.85;
/** How fine the lines of an SVG are: a vector picture is looked at closely, but a wide one need not be finer than a screen. */
const SVG_COLUMNS = 2400;

/** Steps per CSS pixel of an SVG. */
export function svgRatio(widthPx: number): number {
  return Math.max(2, Math.min(4, SVG_COLUMNS / widthPx));
}

export interface SvgFile {
  /** As the file says it; missing: in pixels. */
  readonly size?: { readonly width: string; readonly height: string };
  /** Of the file, for those who cannot see it; missing: the title. */
  readonly name?: string;
  readonly measure?: Measure;
}

export function svgOf(
  content: FigureContent,
  figure: FigureOptions,
  { size, name = figure.title, measure = measuringContext() }: SvgFile = {},
): string {
  const { widthPx: width, heightPx: height } = figure;
  const ratio = svgRatio(width);
  const context = new SvgContext({ width, height, title: name, ratio, measure, ...(size && { size }) });
  drawFigure(context.asCanvas, ratio, content, figure);
  return context.finish();
}

type Measure = Pick<CanvasRenderingContext2D, 'font' | 'measureText'> | null;

function measuringContext(): Measure {
  return document.createElement('canvas').getContext('2d');
}

/** Rejects with a message for people when the browser cannot hold so many pixels. */
export async function pngOf(content: FigureContent, figure: FigureOptions, dpi: number): Promise<Uint8Array> {
  const ratio = dpi / PX_PER_INCH;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(figure.widthPx * ratio);
  canvas.height = Math.round(figure.heightPx * ratio);
  if (!isDrawable(canvas.width, canvas.height)) {
    throw new Error('That is too many pixels: choose a smaller size or a lower resolution');
  }
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser could not make a picture of that size');
  drawFigure(context, ratio, content, figure);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This browser could not make a picture of that size');
  return withDensity(new Uint8Array(await blob.arrayBuffer()), dpi);
}

export function isDrawable(width: number, height: number): boolean {
  return Math.max(width, height) <= MOST_DEVICE_PX && width * height <= MOST_DEVICE_PIXELS;
}

export function drawFigure(
  context: DrawContext,
  ratio: number,
  { series, options }: FigureContent,
  figure: FigureOptions,
): void {
  const width = Math.round(figure.widthPx * ratio);
  const height = Math.round(figure.heightPx * ratio);
  const theme = themeOf(options.theme, figure);
  const fontPx = figure.fontSizePx * ratio;
  const font = `${fontPx}px ${theme.fontFamily}`;
  if (figure.hasBackground) {
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
  }

  const top = figure.title === '' ? 0 : Math.round(fontPx * 1.9);
  if (figure.title !== '') {
    context.save();
    context.font = `${TITLE_WEIGHT} ${fontPx * 1.1}px ${theme.fontFamily}`;
    context.fillStyle = theme.text;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(withEllipsis(context, figure.title, width - 2 * fontPx), width / 2, top / 2 + 1 * ratio);
    context.restore();
  }

  context.font = font;
  const drawn = penned(series, figure);
  const entries = figure.legend === 'none' ? [] : legendEntries(drawn);
  const chartOptions: ChartOptions = {
    ...options,
    theme,
    xLabel: figure.xLabel,
    yLabel: figure.yLabel,
    right: options.right ? { ...options.right, label: figure.rightLabel } : null,
    selected: null,
    marks: [],
  };
  const fit = fitView(series, chartOptions);
  const layoutAbove = (legendHeight: number): Layout => {
    const size = { width, height: Math.max(1, height - top - legendHeight), ratio };
    return makeLayout(context, size, fit, chartOptions, 0);
  };
  let layout = layoutAbove(0);
  const paper = { context, theme, figure, ratio, fontPx };
  const inside = figure.legend === 'inside' ? legendInside(paper, entries, layout, drawn) : null;
  // Where it would lie on the lines that it explains, it goes below them.
  const isBelow = figure.legend === 'below' || inside?.isCovering === true;
  context.font = font;
  const below = isBelow ? rowsBelow(paper, entries, width, height) : null;
  if (below) layout = layoutAbove(below.height);
  context.save();
  context.translate(0, top);
  const linePx = figure.lineWidthPx * ratio;
  const pens = { linePx, thinPx: Math.max(HAIRLINE * ratio * 0.6, linePx * THIN_SHARE) };
  const scene = { layout, series: drawn, options: chartOptions, note: null };
  paintScene(context, scene, new LinePass(drawn, layout, pens), Math.max(1, HAIRLINE * ratio));
  if (inside && !below) drawInside(paper, inside);
  context.restore();
  if (below) drawBelow(paper, below, height - below.height);
}

/** The thinnest is as wide as was asked for, those that are wider stay so; the dashes of a wide line are long. */
function penned(series: readonly ChartSeries[], { lineWidthPx }: FigureOptions): ChartSeries[] {
  const longer = Math.max(1, lineWidthPx / SCREEN_LINE_PX);
  const thinnest = series
    .filter((line) => !line.isBackground && !line.isFaint)
    .reduce((least, { widthPx = SCREEN_LINE_PX }) => Math.min(least, widthPx), Infinity);
  return series.map((line) => ({
    ...line,
    dash: line.dash && line.dash.map((length) => length * longer),
    ...(line.widthPx !== undefined && { widthPx: (line.widthPx / thinnest) * lineWidthPx }),
  }));
}

function themeOf(screen: ChartTheme, figure: FigureOptions): ChartTheme {
  return {
    ...screen,
    ...COLORS[figure.theme],
    background: '#ffffff',
    fontFamily: FONTS[figure.font],
    fontSizePx: figure.fontSizePx,
  };
}

// ---- legend ----

interface LegendEntry {
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[] | null;
  readonly hasBand: boolean;
  readonly widthPx: number | undefined;
}

/** One per name and look: members behind a group and abandoned branches are explained by what they belong to. */
export function legendEntries(series: readonly ChartSeries[]): LegendEntry[] {
  const entries = new Map<string, LegendEntry>();
  for (const { label, color, dash, band, widthPx, isBackground, isFaint } of series) {
    if (isBackground || isFaint) continue;
    const look = `${label}\n${color}\n${dash?.join() ?? ''}`;
    // A group of one has no band.
    const hasBand = band?.low.some(Number.isFinite) === true;
    if (!entries.has(look)) entries.set(look, { label, color, dash, hasBand, widthPx });
  }
  return [...entries.values()];
}

// In heights of the font.
const SWATCH_WIDTH = 2;
const SWATCH_GAP = 0.5;
const ENTRY_GAP = 1.4;
const ROW_HEIGHT = 1.45;
const INSIDE_PADDING = 0.5;

/** What a legend is written on. */
interface Paper {
  readonly context: DrawContext;
  readonly theme: ChartTheme;
  readonly figure: FigureOptions;
  readonly ratio: number;
  /** Of the letters, in device pixels. */
  readonly fontPx: number;
}

interface Placed {
  readonly entry: LegendEntry | null;
  readonly text: string;
  readonly width: number;
}

/** "and 12 more", when there is no room for all. */
function moreText(count: number): string {
  return `and ${count} more`;
}

function placed({ context, fontPx }: Paper, entry: LegendEntry, room: number): Placed {
  const swatch = (SWATCH_WIDTH + SWATCH_GAP) * fontPx;
  const text = withEllipsis(context, entry.label, room - swatch);
  return { entry, text, width: swatch + context.measureText(text).width };
}

interface BelowRows {
  readonly rows: readonly (readonly Placed[])[];
  readonly height: number;
}

/** As words in a text: one after the other, a new row where the width ends. */
function rowsBelow(paper: Paper, entries: readonly LegendEntry[], width: number, height: number): BelowRows {
  const { context, fontPx } = paper;
  const room = width - 2 * fontPx;
  const mostRows = Math.max(1, Math.floor((height * BELOW_SHARE) / (ROW_HEIGHT * fontPx)));
  const rows: Placed[][] = [];
  let used = Infinity;
  entries.forEach((entry) => {
    const next = placed(paper, entry, room);
    if (used + next.width > room) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)!.push(next);
    used += next.width + ENTRY_GAP * fontPx;
  });
  const shown = rows.slice(0, mostRows);
  const hiddenCount = rows.slice(mostRows).flat().length;
  if (hiddenCount > 0) {
    const last = shown.at(-1)!;
    const removed = last.length > 1 ? 1 : 0;
    if (removed) last.pop();
    const text = moreText(hiddenCount + removed);
    last.push({ entry: null, text, width: context.measureText(text).width });
  }
  return {
    rows: shown,
    height: shown.length === 0 ? 0 : Math.round((shown.length * ROW_HEIGHT + 0.5) * fontPx),
  };
}

function drawBelow(paper: Paper, { rows }: BelowRows, top: number): void {
  const { figure, ratio, fontPx } = paper;
  const width = figure.widthPx * ratio;
  rows.forEach((row, i) => {
    const gaps = (row.length - 1) * ENTRY_GAP * fontPx;
    const rowWidth = row.reduce((sum, one) => sum + one.width, gaps);
    let x = (width - rowWidth) / 2;
    const y = top + (i + 0.6) * ROW_HEIGHT * fontPx;
    for (const one of row) {
      drawEntry(paper, one, x, y);
      x += one.width + ENTRY_GAP * fontPx;
    }
  });
}

interface InsideLegend {
  readonly rows: readonly Placed[];
  readonly box: PxBox;
  /** It lies on lines. */
  readonly isCovering: boolean;
}

/** In the corner where it hides least; null: there is nothing to explain. */
function legendInside(
  paper: Paper,
  entries: readonly LegendEntry[],
  layout: Layout,
  series: readonly ChartSeries[],
): InsideLegend | null {
  if (entries.length === 0) return null;
  const { context, theme, fontPx } = paper;
  const { plot } = layout;
  context.font = `${fontPx}px ${theme.fontFamily}`;
  const padding = INSIDE_PADDING * fontPx;
  const mostRows = Math.max(
    1,
    Math.floor(((plot.bottom - plot.top) * INSIDE_HEIGHT_SHARE - 2 * padding) / (ROW_HEIGHT * fontPx)),
  );
  const room = (plot.right - plot.left) * INSIDE_WIDTH_SHARE - 2 * padding;
  const shown = entries.length <= mostRows ? entries : entries.slice(0, Math.max(1, mostRows - 1));
  const rows = shown.map((entry) => placed(paper, entry, room));
  if (shown.length < entries.length) {
    const text = moreText(entries.length - shown.length);
    rows.push({ entry: null, text, width: context.measureText(text).width });
  }
  const boxWidth = rows.reduce((most, row) => Math.max(most, row.width), 0) + 2 * padding;
  const boxHeight = rows.length * ROW_HEIGHT * fontPx + 2 * padding * 0.6;
  return { rows, ...emptiestCorner(series, layout, boxWidth, boxHeight, 0.5 * fontPx) };
}

function drawInside(paper: Paper, { rows, box }: InsideLegend): void {
  const { context, theme, fontPx } = paper;
  const padding = INSIDE_PADDING * fontPx;
  context.save();
  context.globalAlpha = LEGEND_OPACITY;
  context.fillStyle = theme.background;
  context.fillRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  context.restore();
  rows.forEach((row, i) => {
    const y = box.top + padding * 0.6 + (i + 0.5) * ROW_HEIGHT * fontPx;
    drawEntry(paper, row, box.left + padding, y);
  });
}

/** Of the plot's corners; the upper right one when all are alike. Members behind a group count, but do not keep it away. */
export function emptiestCorner(
  series: readonly ChartSeries[],
  layout: Layout,
  width: number,
  height: number,
  margin: number,
): { readonly box: PxBox; readonly isCovering: boolean } {
  const { plot, xScale } = layout;
  const lefts = [plot.right - margin - width, plot.left + margin];
  const tops = [plot.top + margin, plot.bottom - margin - height];
  const corners = tops.flatMap((top) =>
    lefts.map((left) => ({
      box: { left, top, right: left + width, bottom: top + height },
      hidden: 0,
      lines: 0,
    })),
  );
  for (const line of series) {
    const yScale = yScaleOf(layout, line);
    const [from, to] = indicesToDraw(line.x, [xScale.min, xScale.max]);
    const isBehind = line.isBackground === true || line.isFaint;
    for (const values of [line.y, ...(line.band ? [line.band.low, line.band.high] : [])]) {
      let [lastX, lastY] = [NaN, NaN];
      for (let i = from; i < to; i++) {
        const x = xScale.pxFromValue(line.x[i]!);
        const y = yScale.pxFromValue(values[i]!);
        for (const corner of corners) {
          const [fromX, fromY] = Number.isFinite(lastY) ? [lastX, lastY] : [x, y];
          if (!isCrossing(corner.box, fromX, fromY, x, y)) continue;
          corner.hidden++;
          if (!isBehind) corner.lines++;
        }
        [lastX, lastY] = [x, y];
      }
    }
  }
  const best = corners.reduce((least, corner) => (corner.hidden < least.hidden ? corner : least));
  return { box: best.box, isCovering: best.lines > 0 };
}

/** Whether any of the straight line between two places lies in the box. */
function isCrossing(box: PxBox, x0: number, y0: number, x1: number, y1: number): boolean {
  let [from, to] = [0, 1];
  const edges = [
    [x0 - x1, x0 - box.left],
    [x1 - x0, box.right - x0],
    [y0 - y1, y0 - box.top],
    [y1 - y0, box.bottom - y0],
  ] as const;
  for (const [step, room] of edges) {
    if (!Number.isFinite(room) || (step === 0 && room < 0)) return false;
    if (step < 0) from = Math.max(from, room / step);
    else if (step > 0) to = Math.min(to, room / step);
  }
  return from <= to;
}

function drawEntry(paper: Paper, { entry, text }: Placed, x: number, y: number): void {
  const { context, theme, figure, ratio, fontPx } = paper;
  context.save();
  context.font = `${fontPx}px ${theme.fontFamily}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  if (entry) {
    const end = x + SWATCH_WIDTH * fontPx;
    if (entry.hasBand) {
      context.globalAlpha = BAND_OPACITY;
      context.fillStyle = entry.color;
      context.fillRect(x, y - 0.35 * fontPx, SWATCH_WIDTH * fontPx, 0.7 * fontPx);
      context.globalAlpha = 1;
    }
    context.strokeStyle = entry.color;
    context.lineWidth = (entry.widthPx ?? figure.lineWidthPx) * ratio;
    context.setLineDash(entry.dash ? entry.dash.map((length) => length * ratio) : []);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(end, y);
    context.stroke();
    x = end + SWATCH_GAP * fontPx;
  }
  context.fillStyle = theme.text;
  context.fillText(text, x, y);
  context.restore();
}
