// Draws the lines of a chart, in slices when there are many. The mass of lines are hairlines: one device pixel wide, the
// only width that canvases draw fast without a GPU (wider strokes take 7–20 times as long). A heavier look for few lines
// comes from drawing the hairline again, a fraction of a pixel beside. Lines of one colour share one path and one stroke.
//
// A line that asks for a width of its own, and every line of a figure, is a true stroke of that width.
//
// Order, from below: members behind their group, bands, raw values, superseded branches, lines, single points, marks of
// values that are not finite.
import type { FrameBudget } from '../base/scheduler';
import { clipTo, type DrawContext } from './draw-context';
import { drawDots, drawMarks, findMarks, type Mark } from './draw-marks';
import { foregroundCount, indicesToDraw, isRawDrawn } from './fit';
import { yScaleOf, type Layout } from './layout';
import { statsOf } from './series-stats';
import { traceBand } from './trace-band';
import { eachPiece, tracedCount, tracePath, type Dots } from './trace';
import type { ChartSeries } from './types';

export const RAW_OPACITY = 0.3;
export const BAND_OPACITY = 0.18;
const BACKGROUND_OPACITY = 0.28;
/** From more of them on they become fainter. */
const FULL_BACKGROUNDS = 10;
const FAINT_OPACITY = 0.45;
const FAINT_DASH = [2, 3];
/** Up to so many lines are drawn heavier than a hairline. */
const HEAVY_LINES_MAX = 16;
/** Lines up to so many show their points where these are far apart. */
const POINTED_LINES_MAX = 32;
/** How far beside itself a line is drawn again, in device pixels; below 0.7 no gap is seen between the two. */
const HEAVY_OFFSET_PX = 0.6;
/** More lines than this are told apart by colour only: dashes are not seen in a crowd, and not cheap. */
const DASHED_LINES_MAX = 40;
/** What a point costs in plain ones: dashed, of a wide stroke, of both sides of a band and the area between. */
const DASH_COST = 4;
const WIDE_COST = 8;
const BAND_COST = 4;
/** Points per path: enough to make strokes cheap, few enough to stop in time. */
const PATH_POINTS = 4_000;
const LINES_PER_BLOCK = 64;
const NO_DASH: readonly number[] = [];
/** Lines whose points are this far apart (CSS pixels) show the points, too. */
const POINT_DISTANCE_PX = 14;
/** Points on the edge of the plot are not cut in half. */
const OVERHANG_PX = 3;

interface Stroke {
  readonly series: ChartSeries;
  readonly values: Float64Array;
  readonly opacity: number;
  readonly dash: readonly number[];
  readonly copies: number;
  /** Of the pen, in device pixels. */
  readonly widthPx: number;
  /** Shows its points where these are far apart or alone. */
  readonly isLine: boolean;
  /** Filled instead of stroked. */
  readonly isBand: boolean;
}

/** The pens of a figure, in device pixels: of lines, and of raw values and members behind groups. */
export interface Pens {
  readonly linePx: number;
  readonly thinPx: number;
}

/** One drawing of all lines. Begun with a layout and a set of series, it goes on with these even if newer ones arrive. */
export class LinePass {
  readonly layout: Layout;
  readonly series: readonly ChartSeries[];
  readonly #lineCount: number;
  readonly #strokes: readonly Stroke[];
  readonly #dots = new Map<string, Dots>();
  #next = 0;

  /** `pens`: of a figure, which has all the time it needs; null: whatever is fast and looks right on a screen. */
  constructor(series: readonly ChartSeries[], layout: Layout, pens: Pens | null = null) {
    this.series = series;
    this.layout = layout;
    this.#lineCount = foregroundCount(series);
    this.#strokes = planStrokes(series, layout, this.#lineCount, pens);
  }

  /** How much work this is, in points of a plain line. */
  get cost(): number {
    return this.#strokes.reduce((sum, stroke) => sum + this.#costOf(stroke), 0);
  }

  #costOf({ series, copies, dash, widthPx, isBand }: Stroke): number {
    const { plot, xScale } = this.layout;
    const [from, to] = indicesToDraw(series.x, [xScale.min, xScale.max]);
    const each = isBand ? BAND_COST : widthPx > 1 ? WIDE_COST : dash.length > 0 ? DASH_COST : 1;
    return tracedCount(to - from, plot.right - plot.left) * copies * each;
  }

  /** Goes on until all is drawn (true) or the budget is spent. The context's origin is the chart's top left corner. */
  drawSlice(context: DrawContext, budget: FrameBudget | null): boolean {
    const { plot, ratio } = this.layout;
    context.save();
    clipTo(context, {
      ...plot,
      left: plot.left - OVERHANG_PX * ratio,
      right: plot.right + OVERHANG_PX * ratio,
    });
    context.lineJoin = 'bevel';
    let isDone = true;
    while (this.#next < this.#strokes.length) {
      if (budget?.isSpent) {
        isDone = false;
        break;
      }
      const cost = this.#strokes[this.#next]!.isBand ? this.#drawBand(context) : this.#drawPath(context);
      budget?.spend(cost);
    }
    if (isDone) this.#drawPoints(context);
    context.restore();
    return isDone;
  }

  #drawBand(context: DrawContext): number {
    const stroke = this.#strokes[this.#next++]!;
    const { series } = stroke;
    const { xScale } = this.layout;
    const [from, to] = indicesToDraw(series.x, [xScale.min, xScale.max]);
    context.globalAlpha = stroke.opacity;
    context.fillStyle = series.color;
    context.beginPath();
    const yScale = yScaleOf(this.layout, series);
    eachPiece(series.breaks, from, to, (begin, end) => {
      traceBand(context, series.x, series.band!, begin, end, xScale, yScale);
    });
    context.fill();
    return this.#costOf(stroke);
  }

  /** One path of as many lines of the same look as make a good one; its cost. */
  #drawPath(context: DrawContext): number {
    const { xScale, ratio } = this.layout;
    const range = [xScale.min, xScale.max] as const;
    const first = this.#strokes[this.#next]!;
    const begin = this.#next;
    let cost = 0;
    while (this.#next < this.#strokes.length && cost < PATH_POINTS) {
      const stroke = this.#strokes[this.#next]!;
      if (!hasSameLook(stroke, first)) break;
      cost += this.#costOf(stroke);
      this.#next++;
    }
    context.strokeStyle = first.series.color;
    context.globalAlpha = first.opacity;
    context.lineWidth = first.widthPx;
    context.setLineDash(first.dash.map((length) => length * ratio));
    for (let copy = 0; copy < first.copies; copy++) {
      const offsetPx = (copy - (first.copies - 1) / 2) * HEAVY_OFFSET_PX;
      context.translate(0, offsetPx);
      context.beginPath();
      for (let i = begin; i < this.#next; i++) {
        const stroke = this.#strokes[i]!;
        const [from, to] = indicesToDraw(stroke.series.x, range);
        const yScale = yScaleOf(this.layout, stroke.series);
        const dots = stroke.isLine && copy === 0 ? this.#dotsOf(stroke.series.color) : null;
        const isPointed = dots !== null && this.#showsPoints(stroke.series, from, to);
        if (isPointed) this.#addPoints(stroke, from, to, dots);
        const { series, values } = stroke;
        eachPiece(series.breaks, from, to, (start, end) => {
          tracePath(context, series.x, values, start, end, xScale, yScale, isPointed ? null : dots);
        });
      }
      context.stroke();
      context.translate(0, -offsetPx);
    }
    return cost;
  }

  #dotsOf(color: string): Dots {
    let dots = this.#dots.get(color);
    if (!dots) this.#dots.set(color, (dots = []));
    return dots;
  }

  #showsPoints(series: ChartSeries, from: number, to: number): boolean {
    if (this.#lineCount > POINTED_LINES_MAX || series.isFaint) return false;
    const { plot, ratio } = this.layout;
    return (to - from) * POINT_DISTANCE_PX * ratio <= plot.right - plot.left;
  }

  #addPoints({ series, values }: Stroke, from: number, to: number, dots: Dots): void {
    const { xScale } = this.layout;
    const yScale = yScaleOf(this.layout, series);
    for (let i = from; i < to; i++) {
      const px = xScale.pxFromValue(series.x[i]!);
      const py = yScale.pxFromValue(values[i]!);
      if (Number.isFinite(px) && Number.isFinite(py)) dots.push(px, py);
    }
  }

  #drawPoints(context: DrawContext): void {
    const { layout } = this;
    context.globalAlpha = 1;
    context.setLineDash([]);
    for (const [color, dots] of this.#dots) drawDots(context, dots, color, layout);
    for (const series of this.series) {
      if (series.isBackground) continue;
      const marks = marksOf(series, layout);
      if (marks.length > 0) drawMarks(context, marks, series.color, layout);
    }
  }
}

/** Marks of a series' values that are not finite; found only where there are any. */
function marksOf(series: ChartSeries, layout: Layout): Mark[] {
  const hasAny = statsOf(series.y).hasNonFinite || (series.raw !== null && statsOf(series.raw).hasNonFinite);
  return hasAny ? findMarks(series, layout) : [];
}

/** A cloud of hundreds of members must not hide the band and the line in front of it. */
function opacityOfMany(count: number): number {
  return BACKGROUND_OPACITY * Math.min(1, Math.sqrt(FULL_BACKGROUNDS / Math.max(1, count)));
}

function planStrokes(
  series: readonly ChartSeries[],
  layout: Layout,
  lineCount: number,
  pens: Pens | null,
): Stroke[] {
  const hasRaw = isRawDrawn(series);
  const hasStyles = lineCount <= DASHED_LINES_MAX || pens !== null;
  const isHeavy = lineCount <= HEAVY_LINES_MAX && pens === null;
  const heavyCopies = isHeavy ? Math.max(2, Math.round(1.5 * layout.ratio)) : 1;
  const thin = { copies: 1, widthPx: pens?.thinPx ?? 1, isBand: false };
  const backgroundOpacity = opacityOfMany(series.length - lineCount);
  const backgrounds: Stroke[] = [];
  const bands: Stroke[] = [];
  const raws: Stroke[] = [];
  const faints: Stroke[] = [];
  const lines: Stroke[] = [];
  for (const line of series) {
    if (line.widthPx === 0) continue;
    const stroke = { series: line, values: line.y, dash: NO_DASH, isLine: false };
    if (line.isBackground) {
      backgrounds.push({ ...stroke, ...thin, opacity: backgroundOpacity });
      continue;
    }
    if (line.band) bands.push({ ...stroke, ...thin, opacity: BAND_OPACITY, isBand: true });
    if (line.raw && hasRaw) {
      const opacity = line.isFaint ? RAW_OPACITY * FAINT_OPACITY : RAW_OPACITY;
      raws.push({ ...stroke, ...thin, values: line.raw, opacity });
    }
    if (line.isFaint) {
      const dash = hasStyles ? FAINT_DASH : NO_DASH;
      faints.push({ ...stroke, ...thin, opacity: FAINT_OPACITY, dash, isLine: true });
      continue;
    }
    const ownWidth = hasStyles && line.widthPx !== undefined;
    const widthPx = ownWidth ? Math.max(1, line.widthPx * layout.ratio) : (pens?.linePx ?? 1);
    const dash = hasStyles && line.dash ? line.dash : NO_DASH;
    const copies = ownWidth ? 1 : heavyCopies;
    lines.push({ ...stroke, opacity: 1, dash, copies, widthPx, isLine: true, isBand: false });
  }
  return [...groupByLook(backgrounds), ...bands, ...[raws, faints, lines].flatMap(groupByLook)];
}

/**
 * Same looks next to each other, so that they can share a path. Only within blocks of lines: grouping all of them would
 * put every line of the last colour in front of every other line.
 */
function groupByLook(strokes: readonly Stroke[]): Stroke[] {
  const grouped: Stroke[] = [];
  for (let from = 0; from < strokes.length; from += LINES_PER_BLOCK) {
    const groups = new Map<string, Stroke[]>();
    for (const stroke of strokes.slice(from, from + LINES_PER_BLOCK)) {
      const look = `${stroke.series.color}|${stroke.dash.join(' ')}|${stroke.opacity}|${stroke.widthPx}`;
      const group = groups.get(look);
      if (group) group.push(stroke);
      else groups.set(look, [stroke]);
    }
    for (const group of groups.values()) grouped.push(...group);
  }
  return grouped;
}

function hasSameLook(a: Stroke, b: Stroke): boolean {
  return (
    a.series.color === b.series.color &&
    a.opacity === b.opacity &&
    a.copies === b.copies &&
    a.widthPx === b.widthPx &&
    a.isBand === b.isBand &&
    a.dash.join(' ') === b.dash.join(' ')
  );
}
