// Where everything lies, in device pixels: the plot area, the scales that map into it, the ticks. Margins are as wide as
// the labels need, in steps of a few pixels, so that a live chart does not tremble when 0.98 becomes 1.02. Pure: the
// canvas is only asked how wide a text is.
import { makeScale, type Scale } from '../base/scale';
import { logDurationTicks, logTicks, symlogTicks } from '../base/log-ticks';
import { linearTicks, type Ticks } from '../base/ticks';
import { relativeTicks, wallTicks } from '../base/time-ticks';
import type { DrawContext, PxBox } from './draw-context';
import type { Fit } from './fit';
import type { ChartOptions, ChartSeries, Range, YScale } from './types';

export interface SizePx {
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

export interface Layout extends SizePx {
  readonly plot: PxBox;
  readonly xScale: Scale;
  readonly yScale: Scale;
  readonly xTicks: Ticks;
  readonly yTicks: Ticks;
  /** The second y axis; null: there is none. */
  readonly right: { readonly scale: Scale; readonly ticks: Ticks } | null;
}

/** The scale of the line's own y axis. */
export function yScaleOf(layout: Layout, line: ChartSeries): Scale {
  return layout.right && line.axis === 'right' ? layout.right.scale : layout.yScale;
}

// All in CSS pixels.
const LEFT_LEAST = 40;
const LEFT_STEP = 8;
/** A margin that was needed a moment ago is given back only when this much of it is unused. */
const LEFT_SLACK = 16;
const RIGHT = 12;
/** What a name beside or under an axis takes, in heights of the font. */
const AXIS_LABEL_LINES = 1.5;
const LABEL_GAP = 6;
const Y_TICK_DISTANCE = 24;
const X_LABEL_DISTANCE = 18;

export function fontOf(options: ChartOptions, ratio: number): string {
  return `${options.theme.fontSizePx * ratio}px ${options.theme.fontFamily}`;
}

/** `lastLeft`, `lastRight`: the margins until now in device pixels, 0 when there were none. */
export function makeLayout(
  context: DrawContext,
  size: SizePx,
  fit: Fit,
  options: ChartOptions,
  lastLeft: number,
  lastRight = 0,
): Layout {
  const { width, height, ratio } = size;
  context.font = fontOf(options, ratio);
  const widthOf = (text: string): number => context.measureText(text).width;
  const fontPx = options.theme.fontSizePx * ratio;
  const isTwoLines = options.xKind === 'wall' && options.xScale === 'linear';
  const top = Math.round(fontPx * 0.5 + 2 * ratio);
  const roomOf = (label: string | undefined): number => (label ? fontPx * AXIS_LABEL_LINES : 0);
  const bottomMargin = Math.round(
    fontPx * (isTwoLines ? 2.35 : 1.1) + LABEL_GAP * ratio + 2 * ratio + roomOf(options.xLabel),
  );
  const bottom = Math.max(top + 1, height - bottomMargin);

  const yCount = Math.max(2, Math.floor((bottom - top) / (Y_TICK_DISTANCE * ratio)));
  const yTicks = options.yTicks?.(fit.y, yCount) ?? ticksOfY(options.yScale, fit.y, fit.linearWidth, yCount);
  const widest = ({ major }: Ticks): number =>
    major.reduce((most, tick) => Math.max(most, widthOf(tick.label)), 0);
  const half = Math.round(width / 2);
  const left = Math.min(half, marginOf(widest(yTicks) + roomOf(options.yLabel), ratio, lastLeft));
  const second = options.right && fit.right;
  const rightTicks = second && ticksOfY(options.right.scale, second.range, second.linearWidth, yCount);
  const rightMargin = rightTicks
    ? marginOf(widest(rightTicks) + roomOf(options.right.label), ratio, lastRight)
    : Math.round(RIGHT * ratio);
  const right = Math.max(left + 1, width - Math.min(half, rightMargin));

  const plot = { left, top, right, bottom };
  const xScale = makeScale(options.xScale, fit.x, [left, right]);
  const yScale = makeScale(options.yScale, fit.y, [bottom, top], fit.linearWidth);
  const xTicks = ticksOfX(fit, options, right - left, ratio, widthOf);
  const rightAxis = second &&
    rightTicks && {
      scale: makeScale(options.right.scale, second.range, [bottom, top], second.linearWidth),
      ticks: rightTicks,
    };
  return { width, height, ratio, plot, xScale, yScale, xTicks, yTicks, right: rightAxis ?? null };
}

function marginOf(labelWidth: number, ratio: number, last: number): number {
  const needed = Math.max(LEFT_LEAST * ratio, labelWidth + (LABEL_GAP + 4) * ratio);
  const stepped = Math.ceil(needed / (LEFT_STEP * ratio)) * LEFT_STEP * ratio;
  const isKept = last >= stepped && last - stepped <= LEFT_SLACK * ratio;
  return Math.round(isKept ? last : stepped);
}

function ticksOfY(scale: YScale, range: Range, linearWidth: number, count: number): Ticks {
  if (scale === 'log') return logTicks(range, count);
  if (scale === 'symlog') return symlogTicks(range, count, linearWidth);
  return linearTicks(range, count);
}

/** As many as fit: the width of a label is known only when it is written, so wide ones are thinned out by trying again. */
function ticksOfX(
  fit: Fit,
  options: ChartOptions,
  plotWidth: number,
  ratio: number,
  widthOf: (text: string) => number,
): Ticks {
  let count = Math.max(2, Math.floor(plotWidth / (56 * ratio)));
  for (;;) {
    const ticks = xTicksAtMost(fit, options, count);
    const widest = ticks.major.reduce((most, tick) => Math.max(most, widthOf(tick.label)), 0);
    const room = plotWidth / Math.max(1, ticks.major.length);
    if (count <= 2 || widest + X_LABEL_DISTANCE * ratio <= room) return ticks;
    count = Math.max(2, Math.min(count - 1, Math.floor(plotWidth / (widest + X_LABEL_DISTANCE * ratio))));
  }
}

function xTicksAtMost(fit: Fit, options: ChartOptions, count: number): Ticks {
  if (options.xTicks) return options.xTicks(fit.x, count);
  if (options.xKind === 'wall') return wallTicks(fit.x, count);
  if (options.xKind === 'relative' || options.xKind === 'active') {
    return options.xScale === 'log' ? logDurationTicks(fit.x, count) : relativeTicks(fit.x, count);
  }
  // Tokens are whole and many, epochs may be neither.
  const isWhole = options.xKind === 'step' || fit.x[1] - fit.x[0] >= 1000;
  const quantity = isWhole ? 'step' : 'value';
  return options.xScale === 'log' ? logTicks(fit.x, count, quantity) : linearTicks(fit.x, count, quantity);
}
