// Where everything lies, in device pixels: the plot area, the scales that map into it, the ticks. Margins are as wide as
// the labels need, in steps of a few pixels, so that a live chart does not tremble when 0.98 becomes 1.02. Pure: the
// canvas is only asked how wide a text is.
import { makeScale, type Scale } from '../base/scale';
import {
  linearTicks,
  logDurationTicks,
  logTicks,
  relativeTicks,
  symlogTicks,
  wallTicks,
  type Ticks,
} from '../base/ticks';
import type { DrawContext, PxBox } from './draw-context';
import type { Fit } from './fit';
import type { ChartOptions } from './types';

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
}

// All in CSS pixels.
const LEFT_LEAST = 40;
const LEFT_STEP = 8;
/** A margin that was needed a moment ago is given back only when this much of it is unused. */
const LEFT_SLACK = 16;
const RIGHT = 12;
const LABEL_GAP = 6;
const Y_TICK_DISTANCE = 24;
const X_LABEL_DISTANCE = 18;

export function fontOf(options: ChartOptions, ratio: number): string {
  return `${options.theme.fontSizePx * ratio}px ${options.theme.fontFamily}`;
}

/** `lastLeft`: the left margin until now in device pixels, 0 when there was none. */
export function makeLayout(
  context: DrawContext,
  size: SizePx,
  fit: Fit,
  options: ChartOptions,
  lastLeft: number,
): Layout {
  const { width, height, ratio } = size;
  context.font = fontOf(options, ratio);
  const widthOf = (text: string): number => context.measureText(text).width;
  const fontPx = options.theme.fontSizePx * ratio;
  const isTwoLines = options.xKind === 'wall' && options.xScale === 'linear';
  const top = Math.round(fontPx * 0.5 + 2 * ratio);
  const bottomMargin = Math.round(fontPx * (isTwoLines ? 2.35 : 1.1) + LABEL_GAP * ratio + 2 * ratio);
  const bottom = Math.max(top + 1, height - bottomMargin);

  const yCount = Math.max(2, Math.floor((bottom - top) / (Y_TICK_DISTANCE * ratio)));
  const yTicks = ticksOfY(fit, options, yCount);
  const labelWidth = yTicks.major.reduce((most, tick) => Math.max(most, widthOf(tick.label)), 0);
  const left = Math.min(Math.round(width / 2), leftMargin(labelWidth, ratio, lastLeft));
  const right = Math.max(left + 1, width - Math.round(RIGHT * ratio));

  const plot = { left, top, right, bottom };
  const xScale = makeScale(options.xScale, fit.x, [left, right]);
  const yScale = makeScale(options.yScale, fit.y, [bottom, top], fit.linearWidth);
  const xTicks = ticksOfX(fit, options, right - left, ratio, widthOf);
  return { width, height, ratio, plot, xScale, yScale, xTicks, yTicks };
}

function leftMargin(labelWidth: number, ratio: number, lastLeft: number): number {
  const needed = Math.max(LEFT_LEAST * ratio, labelWidth + (LABEL_GAP + 4) * ratio);
  const stepped = Math.ceil(needed / (LEFT_STEP * ratio)) * LEFT_STEP * ratio;
  const isKept = lastLeft >= stepped && lastLeft - stepped <= LEFT_SLACK * ratio;
  return Math.round(isKept ? lastLeft : stepped);
}

function ticksOfY(fit: Fit, options: ChartOptions, count: number): Ticks {
  if (options.yScale === 'log') return logTicks(fit.y, count);
  if (options.yScale === 'symlog') return symlogTicks(fit.y, count, fit.linearWidth);
  return linearTicks(fit.y, count);
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
  if (options.xKind === 'wall') return wallTicks(fit.x, count);
  if (options.xKind === 'relative') {
    return options.xScale === 'log' ? logDurationTicks(fit.x, count) : relativeTicks(fit.x, count);
  }
  return options.xScale === 'log' ? logTicks(fit.x, count, 'step') : linearTicks(fit.x, count, 'step');
}
