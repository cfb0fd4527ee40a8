// Draws the lines of a chart, in slices when there are many. The mass of lines are hairlines: one device pixel wide, the
// only width that canvases draw fast without a GPU (wider strokes take 7–20 times as long). A heavier look for few lines
// comes from drawing the hairline again, a fraction of a pixel beside. Lines of one colour share one path and one stroke.
//
// Order, from below: raw values, superseded branches, lines, single points, marks of values that are not finite.
import type { FrameBudget } from '../base/scheduler';
import { clipTo, type DrawContext } from './draw-context';
import { drawDots, drawMarks, findMarks, type Mark } from './draw-marks';
import { indicesToDraw, isRawDrawn } from './fit';
import type { Layout } from './layout';
import { statsOf } from './series-stats';
import { tracedCount, tracePath, type Dots } from './trace';
import type { ChartSeries } from './types';

export const RAW_OPACITY = 0.3;
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
/** What a dashed point costs, in plain ones. */
const DASH_COST = 4;
/** Points per path: enough to make strokes cheap, few enough to stop in time. */
const PATH_POINTS = 4_000;
const LINES_PER_BLOCK = 64;
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
  readonly isLine: boolean;
}

/** One drawing of all lines. Begun with a layout and a set of series, it goes on with these even if newer ones arrive. */
export class LinePass {
  readonly layout: Layout;
  readonly series: readonly ChartSeries[];
  readonly #strokes: readonly Stroke[];
  readonly #dots = new Map<string, Dots>();
  #next = 0;

  constructor(series: readonly ChartSeries[], layout: Layout) {
    this.series = series;
    this.layout = layout;
    this.#strokes = planStrokes(series, layout);
  }

  /** How much work this is, in points of a plain line. */
  get cost(): number {
    return this.#strokes.reduce((sum, stroke) => sum + this.#costOf(stroke), 0);
  }

  #costOf({ series, copies, dash }: Stroke): number {
    const { plot, xScale } = this.layout;
    const [from, to] = indicesToDraw(series.x, [xScale.min, xScale.max]);
    return tracedCount(to - from, plot.right - plot.left) * copies * (dash.length > 0 ? DASH_COST : 1);
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
    context.lineWidth = 1;
    context.lineJoin = 'bevel';
    let isDone = true;
    while (this.#next < this.#strokes.length) {
      if (budget?.isSpent) {
        isDone = false;
        break;
      }
      const cost = this.#drawPath(context);
      budget?.spend(cost);
    }
    if (isDone) this.#drawPoints(context);
    context.restore();
    return isDone;
  }

  /** One path of as many lines of the same look as make a good one; its cost. */
  #drawPath(context: DrawContext): number {
    const { xScale, yScale, ratio } = this.layout;
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
    context.setLineDash(first.dash.map((length) => length * ratio));
    for (let copy = 0; copy < first.copies; copy++) {
      const offsetPx = (copy - (first.copies - 1) / 2) * HEAVY_OFFSET_PX;
      context.translate(0, offsetPx);
      context.beginPath();
      for (let i = begin; i < this.#next; i++) {
        const stroke = this.#strokes[i]!;
        const [from, to] = indicesToDraw(stroke.series.x, range);
        const dots = stroke.isLine && copy === 0 ? this.#dotsOf(stroke.series.color) : null;
        const isPointed = dots !== null && this.#showsPoints(stroke.series, from, to);
        if (isPointed) this.#addPoints(stroke, from, to, dots);
        tracePath(context, stroke.series.x, stroke.values, from, to, xScale, yScale, isPointed ? null : dots);
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
    if (this.series.length > POINTED_LINES_MAX || series.isFaint) return false;
    const { plot, ratio } = this.layout;
    return (to - from) * POINT_DISTANCE_PX * ratio <= plot.right - plot.left;
  }

  #addPoints({ series, values }: Stroke, from: number, to: number, dots: Dots): void {
    const { xScale, yScale } = this.layout;
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

function planStrokes(series: readonly ChartSeries[], layout: Layout): Stroke[] {
  const hasRaw = isRawDrawn(series);
  const hasDashes = series.length <= DASHED_LINES_MAX;
  const copies = series.length <= HEAVY_LINES_MAX ? Math.max(2, Math.round(1.5 * layout.ratio)) : 1;
  const raws: Stroke[] = [];
  const faints: Stroke[] = [];
  const lines: Stroke[] = [];
  for (const line of series) {
    const dash = hasDashes && line.dash ? line.dash : [];
    if (line.raw && hasRaw) {
      const opacity = line.isFaint ? RAW_OPACITY * FAINT_OPACITY : RAW_OPACITY;
      raws.push({ series: line, values: line.raw, opacity, dash: [], copies: 1, isLine: false });
    }
    if (line.isFaint) {
      const faintDash = hasDashes ? FAINT_DASH : [];
      const look = { opacity: FAINT_OPACITY, dash: faintDash, copies: 1 };
      faints.push({ series: line, values: line.y, ...look, isLine: true });
    } else {
      lines.push({ series: line, values: line.y, opacity: 1, dash, copies, isLine: true });
    }
  }
  return [...groupByLook(raws), ...groupByLook(faints), ...groupByLook(lines)];
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
      const look = `${stroke.series.color}|${stroke.dash.join(' ')}|${stroke.opacity}`;
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
    a.dash.join(' ') === b.dash.join(' ')
  );
}
