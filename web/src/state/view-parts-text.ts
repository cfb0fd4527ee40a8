// The parts of a view that people make and pass on, written short; view-parts.ts reads them.
import type { XAxis } from '../wire/client';
import type { Baseline, ChartSpec, LineSpec, ViewState, YRule } from './types';

/** A chart as it is written: what is as usual is not mentioned, a line that is only a tag is its name. */
export interface WrittenChart {
  readonly id: string;
  readonly title?: string;
  readonly lines: readonly (string | WrittenLine)[];
  /** "ratio:name of the run". */
  readonly baseline?: string;
  /** "wall", "metric:tokens". */
  readonly x?: string;
}

export interface WrittenLine {
  readonly tag?: string;
  readonly formula?: string;
  readonly label?: string;
  readonly axis?: LineSpec['axis'];
  readonly color?: string;
  readonly dash?: LineSpec['dash'];
  readonly width?: number;
  /** "0.8", "gaussian:12". */
  readonly smoothing?: string;
}

export function writeChart({ id, title, lines, baseline, x }: ChartSpec): WrittenChart {
  return {
    id,
    ...(title && { title }),
    lines: lines.map(writeLine),
    ...(baseline && { baseline: writeBaseline(baseline) }),
    ...(x && { x: writeX(x.axis, x.tag) }),
  };
}

function writeLine(line: LineSpec): string | WrittenLine {
  const { tag, formula, label, axis, color, dash, widthPx, smoothing } = line;
  const more: WrittenLine = {
    ...(label && { label }),
    ...(axis === 'right' && { axis }),
    ...(color && { color }),
    ...(dash !== 'auto' && { dash }),
    ...(widthPx !== 1 && { width: widthPx }),
    ...(smoothing && { smoothing: writeSmoothing(smoothing) }),
  };
  if (formula !== '') return { formula, ...more };
  return Object.keys(more).length === 0 ? tag : { tag, ...more };
}

/** `limits`: "0..1", or "shared". */
export function writeYRule({ pattern, range }: YRule): { pattern: string; limits: string } {
  return { pattern, limits: range === null ? 'shared' : range.join('..') };
}

export function writeSmoothing({ kind, amount }: ViewState['smoothing']): string {
  if (kind === 'ema') return String(amount);
  return kind === 'none' && amount === 0 ? 'none' : `${kind}:${amount}`;
}

export function writeX(axis: XAxis, tag: string): string {
  return axis === 'metric' ? `metric:${tag}` : axis;
}

export function writeBaseline({ mode, run }: Baseline): string {
  return `${mode}:${run}`;
}
