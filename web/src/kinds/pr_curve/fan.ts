// What stands behind the curves: those of older steps, the older the fainter, and what guessing would give.
import { clipTo, type DrawContext } from '../../chart/draw-context';
import type { Layout } from '../../chart/layout';
import type { Curve } from './curve';

export interface FanLine {
  readonly curve: Curve;
  readonly color: string;
  /** From 0, the oldest, to 1. */
  readonly age: number;
}

const FAINTEST = 0.14;
const STRONGEST = 0.6;
const DASH_PX = 4;

/** `guess`: the colour of the diagonal of a ROC curve; null: there is none. */
export function fanPainter(lines: readonly FanLine[], guess: string | null) {
  return (context: DrawContext, layout: Layout): void => {
    const { plot, ratio } = layout;
    context.save();
    clipTo(context, plot);
    context.lineWidth = ratio;
    context.lineJoin = 'bevel';
    for (const { curve, color, age } of lines) {
      context.globalAlpha = FAINTEST + (STRONGEST - FAINTEST) * age;
      context.strokeStyle = color;
      strokeLine(context, layout, curve.x, curve.y);
    }
    if (guess !== null) {
      context.globalAlpha = 1;
      context.strokeStyle = guess;
      context.setLineDash([DASH_PX * ratio, DASH_PX * ratio]);
      strokeLine(context, layout, [0, 1], [0, 1]);
    }
    context.restore();
  };
}

function strokeLine(
  context: DrawContext,
  { xScale, yScale }: Layout,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): void {
  context.beginPath();
  for (let i = 0; i < x.length; i++) {
    const [left, top] = [xScale.pxFromValue(x[i]!), yScale.pxFromValue(y[i]!)];
    if (i === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  }
  context.stroke();
}
