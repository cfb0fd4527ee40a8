// What can be taken hold of on top of the lines: the markers of the step selector ("fobs" on the x axis, each with a line through
// the plot and its value) and pins of notes on points. Drawn on the overlay.
import { nearestIndex } from '../base/arrays';
import { formatInteger, formatValue } from '../base/format';
import { formatDuration, formatMoment } from '../base/time';
import type { DrawContext } from './draw-context';
import { fontOf, yScaleOf, type Layout } from './layout';
import { withEllipsis } from './text-width';
import type { ChartMark, ChartOptions, ChartSeries, XKind } from './types';

export type Selected = NonNullable<ChartOptions['selected']>;
export type SelectedEnd = 'from' | 'to';

/** What handles are drawn for. */
export interface HandleScene {
  readonly layout: Layout;
  readonly options: ChartOptions;
  readonly seriesByKey: ReadonlyMap<string, ChartSeries>;
}

// In CSS pixels.
/** Half of the least width of what a finger has to hit. */
const REACH = 12;
const FOB_GAP = 3;
const FOB_PADDING = 5;
const FOB_RADIUS = 3;
const PIN_RADIUS = 7.5;
const PIN_HEIGHT = 15;
const PIN_FONT = 9.5;
const BUBBLE_WIDTH = 220;
const BUBBLE_PADDING = 6;
const BUBBLE_LINES_MAX = 6;

const RANGE_OPACITY = 0.1;
/** A marker whose place is out of view waits at the edge. */
const AWAY_OPACITY = 0.55;

export function drawSelected(context: DrawContext, { layout, options }: HandleScene): void {
  const { selected, theme } = options;
  if (!selected) return;
  const { plot, ratio, xScale } = layout;
  context.save();
  const ends = endsOf(selected);
  if (selected.to !== null) {
    const [a, b] = ends.map((end) => edge(xScale.pxFromValue(end.x), layout)) as [number, number];
    context.globalAlpha = RANGE_OPACITY;
    context.fillStyle = theme.brush;
    context.fillRect(Math.min(a, b), plot.top, Math.abs(b - a), plot.bottom - plot.top);
  }
  context.font = fontOf(options, ratio);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = Math.max(1, Math.round(ratio));
  for (const { x } of ends) {
    const isAway = isOutside(xScale.pxFromValue(x), layout);
    const px = Math.round(edge(xScale.pxFromValue(x), layout)) + 0.5;
    context.globalAlpha = isAway ? AWAY_OPACITY : 1;
    context.strokeStyle = theme.text;
    context.fillStyle = theme.text;
    context.beginPath();
    context.moveTo(px, isAway ? plot.bottom : plot.top);
    context.lineTo(px, plot.bottom + FOB_GAP * ratio);
    context.stroke();
    const box = fobBox(context, x, layout, options);
    // Tick labels that it covers in part end before it.
    context.fillStyle = theme.background;
    context.fillRect(
      box.left - FOB_GAP * ratio,
      box.top,
      box.right - box.left + 2 * FOB_GAP * ratio,
      box.bottom - box.top,
    );
    context.fillStyle = theme.text;
    context.beginPath();
    roundedBox(context, box, FOB_RADIUS * ratio);
    context.fill();
    context.fillStyle = theme.background;
    context.fillText(valueText(x, options.xKind), (box.left + box.right) / 2, (box.top + box.bottom) / 2);
  }
  context.restore();
}

/** Which marker a press here takes hold of: on its label, or near enough for a finger. CSS pixels. */
export function selectedEndAt(
  context: DrawContext,
  { layout, options }: HandleScene,
  place: { readonly x: number; readonly y: number },
): SelectedEnd | null {
  if (!options.selected) return null;
  const { ratio, plot, xScale } = layout;
  const x = place.x * ratio;
  if (place.y * ratio < plot.bottom - 2 * ratio) return null;
  context.save();
  context.font = fontOf(options, ratio);
  let nearest: SelectedEnd | null = null;
  let least = Infinity;
  for (const end of endsOf(options.selected)) {
    const box = fobBox(context, end.x, layout, options);
    const px = edge(xScale.pxFromValue(end.x), layout);
    const isHit =
      Math.abs(x - px) <= REACH * ratio || (x >= box.left - 2 * ratio && x <= box.right + 2 * ratio);
    // Where two lie on each other the second is in front.
    if (isHit && Math.abs(x - px) <= least) {
      least = Math.abs(x - px);
      nearest = end.name;
    }
  }
  context.restore();
  return nearest;
}

/** The selection after one of its ends went to x, and which end that is now: ends that pass each other change names. */
export function moveSelected(
  selected: Selected,
  end: SelectedEnd,
  x: number,
): { readonly selected: Selected; readonly end: SelectedEnd } {
  if (end === 'from' && selected.to === null) return { selected: { from: x, to: null }, end };
  const other = end === 'from' ? selected.to! : selected.from;
  return x <= other
    ? { selected: { from: x, to: other }, end: 'from' }
    : { selected: { from: other, to: x }, end: 'to' };
}

export function drawPins(context: DrawContext, scene: HandleScene, hovered: ChartMark | null): void {
  const { layout, options } = scene;
  const { ratio } = layout;
  const { theme } = options;
  context.save();
  context.font = `${PIN_FONT * ratio}px ${theme.fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 1.5 * ratio;
  options.marks?.forEach((mark, i) => {
    const pin = pinOf(mark, scene);
    if (!pin) return;
    context.strokeStyle = pin.color;
    context.beginPath();
    context.moveTo(pin.x, pin.pointY);
    context.lineTo(pin.x, pin.y);
    context.stroke();
    context.beginPath();
    context.arc(pin.x, pin.y, PIN_RADIUS * ratio, 0, 2 * Math.PI);
    context.fillStyle = mark === hovered ? pin.color : theme.background;
    context.fill();
    context.stroke();
    context.fillStyle = mark === hovered ? theme.background : theme.text;
    context.fillText(String(i + 1), pin.x, pin.y + 0.5 * ratio);
  });
  const pin = hovered && pinOf(hovered, scene);
  if (pin && hovered.text) drawBubble(context, scene, pin, hovered.text);
  context.restore();
}

/** The note whose pin is here, of several the one drawn last. CSS pixels. */
export function markAt(
  scene: HandleScene,
  place: { readonly x: number; readonly y: number },
): ChartMark | null {
  const { marks = [] } = scene.options;
  const { ratio } = scene.layout;
  for (let i = marks.length - 1; i >= 0; i--) {
    const pin = pinOf(marks[i]!, scene);
    if (pin && Math.hypot(place.x * ratio - pin.x, place.y * ratio - pin.y) <= REACH * ratio)
      return marks[i]!;
  }
  return null;
}

/** The note on this point of this line. */
export function markOn(scene: HandleScene, key: string, index: number): ChartMark | null {
  const line = scene.seriesByKey.get(key);
  const isHere = (mark: ChartMark): boolean =>
    mark.key === key && line !== undefined && nearestIndex(line.x, mark.x) === index;
  return scene.options.marks?.find(isHere) ?? null;
}

/** A place on the x axis in few words. */
export function valueText(x: number, kind: XKind): string {
  if (kind === 'step') return formatInteger(Math.round(x));
  if (kind === 'wall') return formatMoment(x);
  return kind === 'metric' ? formatValue(x, 5) : formatDuration(x);
}

function endsOf({ from, to }: Selected): readonly { readonly name: SelectedEnd; readonly x: number }[] {
  const first = { name: 'from', x: from } as const;
  return to === null ? [first] : [first, { name: 'to', x: to }];
}

function isOutside(px: number, { plot }: Layout): boolean {
  return !(px >= plot.left - 1 && px <= plot.right + 1);
}

/** Within the plot's width; places that are no numbers (zero on a log axis) are at its left end. */
function edge(px: number, { plot }: Layout): number {
  return px >= plot.left ? Math.min(px, plot.right) : plot.left;
}

function fobBox(context: DrawContext, x: number, layout: Layout, options: ChartOptions) {
  const { plot, ratio, width, xScale } = layout;
  const half = context.measureText(valueText(x, options.xKind)).width / 2 + FOB_PADDING * ratio;
  const middle = edge(xScale.pxFromValue(x), layout);
  const center = Math.max(half, Math.min(width - half, middle));
  const top = plot.bottom + FOB_GAP * ratio;
  return {
    left: Math.round(center - half),
    right: Math.round(center + half),
    top,
    bottom: top + Math.round(options.theme.fontSizePx * ratio + 5 * ratio),
  };
}

interface Pin {
  readonly x: number;
  /** Of its head. */
  readonly y: number;
  /** Of the point it is about. */
  readonly pointY: number;
  readonly color: string;
}

function pinOf(mark: ChartMark, { layout, seriesByKey }: HandleScene): Pin | null {
  const line = seriesByKey.get(mark.key);
  const x = layout.xScale.pxFromValue(mark.x);
  if (!line || line.x.length === 0 || isOutside(x, layout)) return null;
  const { plot, ratio } = layout;
  const value = line.y[nearestIndex(line.x, mark.x)]!;
  const px = yScaleOf(layout, line).pxFromValue(value);
  // A point without a place (NaN) has its note on the axis.
  const pointY = px - px === 0 ? Math.max(plot.top, Math.min(plot.bottom, px)) : plot.bottom;
  const above = pointY - PIN_HEIGHT * ratio;
  const hasRoom = above - PIN_RADIUS * ratio >= 0;
  return { x, y: hasRoom ? above : pointY + PIN_HEIGHT * ratio, pointY, color: line.color };
}

function drawBubble(context: DrawContext, { layout, options }: HandleScene, pin: Pin, text: string): void {
  const { ratio, width, height } = layout;
  const { theme } = options;
  context.font = fontOf(options, ratio);
  const padding = BUBBLE_PADDING * ratio;
  const room = Math.min(BUBBLE_WIDTH * ratio, width - 4 * padding);
  const lines = wrap(context, text, room);
  const lineHeight = theme.fontSizePx * ratio * 1.35;
  const boxWidth =
    lines.reduce((most, line) => Math.max(most, context.measureText(line).width), 0) + 2 * padding;
  const boxHeight = lines.length * lineHeight + 2 * padding;
  const left = Math.max(1, Math.min(width - boxWidth - 1, pin.x - boxWidth / 2));
  const gap = (PIN_RADIUS + 4) * ratio;
  const above = pin.y - gap - boxHeight;
  const top = above >= 0 ? above : Math.min(height - boxHeight, Math.max(pin.y, pin.pointY) + gap);
  context.beginPath();
  roundedBox(context, { left, top, right: left + boxWidth, bottom: top + boxHeight }, 4 * ratio);
  context.fillStyle = theme.background;
  context.fill();
  context.strokeStyle = theme.axis;
  context.lineWidth = Math.max(1, ratio);
  context.stroke();
  context.fillStyle = theme.text;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  lines.forEach((line, i) => context.fillText(line, left + padding, top + padding + i * lineHeight));
}

/** The text in lines of at most this width; what does not fit into a few lines ends with an ellipsis. */
function wrap(context: DrawContext, text: string, room: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const longer = line ? `${line} ${word}` : word;
      if (line && context.measureText(longer).width > room) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
      if (lines.length > BUBBLE_LINES_MAX) break;
    }
    lines.push(line);
    if (lines.length > BUBBLE_LINES_MAX) break;
  }
  const isCut = lines.length > BUBBLE_LINES_MAX;
  const shown = lines.slice(0, BUBBLE_LINES_MAX).map((line) => withEllipsis(context, line, room));
  return isCut ? shown.with(-1, `${shown.at(-1)!} …`) : shown;
}

function roundedBox(
  context: DrawContext,
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
  radius: number,
): void {
  const { left, top, right, bottom } = box;
  const quarter = Math.PI / 2;
  context.moveTo(left + radius, top);
  context.arc(right - radius, top + radius, radius, -quarter, 0);
  context.arc(right - radius, bottom - radius, radius, 0, quarter);
  context.arc(left + radius, bottom - radius, radius, quarter, 2 * quarter);
  context.arc(left + radius, top + radius, radius, 2 * quarter, 3 * quarter);
  context.closePath();
}
