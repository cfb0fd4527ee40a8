// Histograms one behind the other, the newest in front, each as high as the others: wide ones stay visible behind narrow ones. The
// y axis has the places of their steps, negated.
import type { DrawContext } from '../../chart/draw-context';
import type { Layout } from '../../chart/layout';
import type { Range } from '../../chart/types';
import { densityAt, heightOf, type Outline } from './outline';

/** Of all that is between the first and the last: what stands above the first. */
const HEADROOM = 0.35;
const FOOTROOM = 0.02;

export interface Ridge {
  /** Of the value in its series. */
  readonly index: number;
  readonly place: number;
  /** null: it holds nothing. */
  readonly outline: Outline | null;
}

export interface RidgeLook {
  /** From 0, the oldest, to 1. */
  readonly colourOf: (age: number) => string;
  readonly lineOf: (age: number) => string;
  readonly marked: string;
  readonly isLog: boolean;
  /** The histogram that stands out; null: none. */
  readonly markedIndex: number | null;
}

/** What is shown of the y axis. */
export function ridgeRange([first, last]: Range): Range {
  const span = last - first;
  return [-last - span * FOOTROOM, -first + span * HEADROOM];
}

export function ridgePainter(ridges: readonly Ridge[], look: RidgeLook) {
  return (context: DrawContext, layout: Layout): void => {
    ridges.forEach(({ place, outline, index }, i) => {
      if (outline === null) return;
      const isMarked = index === look.markedIndex;
      const share = ridges.length > 1 ? i / (ridges.length - 1) : 1;
      trace(context, layout, outline, place, look.isLog);
      context.fillStyle = isMarked ? look.marked : look.colourOf(share);
      context.fill();
      context.strokeStyle = look.lineOf(share);
      context.lineWidth = (isMarked ? 1.5 : 0.75) * layout.ratio;
      context.stroke();
    });
  };
}

function headroomPx({ plot }: Layout): number {
  return ((plot.bottom - plot.top) * HEADROOM) / (1 + HEADROOM + FOOTROOM);
}

function trace(
  context: DrawContext,
  layout: Layout,
  { x, density, highest }: Outline,
  place: number,
  isLog: boolean,
): void {
  const base = layout.yScale.pxFromValue(-place);
  const room = headroomPx(layout);
  context.beginPath();
  for (let i = 0; i < x.length; i++) {
    const y = base - room * heightOf(density[i]!, highest, isLog);
    if (i === 0) context.moveTo(layout.xScale.pxFromValue(x[i]!), y);
    else context.lineTo(layout.xScale.pxFromValue(x[i]!), y);
  }
}

/**
 * Which histogram the pointer is at: the one in front whose hill it is on, else the one whose base is nearest. `y` is
 * a number of the axis, of which `yRange` is shown; null: there is none.
 */
export function ridgeAt(
  ridges: readonly Ridge[],
  x: number,
  y: number,
  yRange: Range,
  isLog: boolean,
): number | null {
  const room = ((yRange[1] - yRange[0]) * HEADROOM) / (1 + HEADROOM + FOOTROOM);
  let nearest: number | null = null;
  let least = Infinity;
  for (const { index, place, outline } of [...ridges].reverse()) {
    const above = y + place;
    if (
      outline !== null &&
      above >= 0 &&
      above <= room * heightOf(densityAt(outline, x), outline.highest, isLog)
    )
      return index;
    if (Math.abs(above) < least) [nearest, least] = [index, Math.abs(above)];
  }
  return nearest;
}
