// What the chart engine takes and tells. It knows nothing of runs, tags or servers: keys, colours and numbers only.
import type { Ticks } from '../base/ticks';
import type { DrawContext } from './draw-context';
import type { Layout } from './layout';

export type Range = readonly [number, number];
/** active: seconds, like relative. metric: any numbers. */
export type XKind = 'step' | 'relative' | 'wall' | 'active' | 'metric';
export type YScale = 'linear' | 'log' | 'symlog';
export type XScale = 'linear' | 'log';

/** One line. Arrays have the same length, are never changed after they were handed over, and x never falls. */
export interface ChartSeries {
  /** Stable identity, e.g. "12" or "12:superseded". */
  readonly key: string;
  readonly label: string;
  /** Any CSS colour, already fit for the theme. */
  readonly color: string;
  /** Canvas dash pattern in CSS pixels; null is a solid line. */
  readonly dash: readonly number[] | null;
  readonly x: Float64Array;
  /** The line drawn on top: smoothed, or the values themselves. Points that are not finite break it and are marked. */
  readonly y: Float64Array;
  /** The values as logged, drawn faint below; null when y is them. */
  readonly raw: Float64Array | null;
  /** Drawn thinner and fainter (a superseded branch). */
  readonly isFaint: boolean;
  /** Which y axis it belongs to; left unless said otherwise. */
  readonly axis?: 'left' | 'right';
  /** In CSS pixels; the engine's own when missing. 0: it can be pointed at, and is not drawn. */
  readonly widthPx?: number;
  /** A shaded band around the line (a group of runs), point by point; where either is not finite there is none. */
  readonly band?: { readonly low: Float64Array; readonly high: Float64Array };
  /** Indices, ascending, before which line and band end without a mark. */
  readonly breaks?: readonly number[];
  /** Drawn and fitted, but never hovered, listed or walked to by keys: members behind their group. */
  readonly isBackground?: boolean;
}

/** A note on a point. */
export interface ChartMark {
  readonly id: string;
  /** The line it is on; marks of lines that are not there are not drawn. */
  readonly key: string;
  readonly x: number;
  readonly text: string;
}

/** A place on a line. */
export interface ChartDot {
  readonly key: string;
  readonly x: number;
  readonly y: number;
}

/** The second y axis; its lines say `axis: 'right'`. The same meanings as the options of the first. */
export interface RightAxis {
  readonly scale: YScale;
  readonly range: Range | null;
  readonly core: Range | null;
  /** Beside the axis; '' for none. */
  readonly label: string;
}

/** At most about so many, in this stretch of the axis. */
export type TickMaker = (range: Range, maxCount: number) => Ticks;

export interface ChartTheme {
  readonly text: string;
  readonly mutedText: string;
  readonly grid: string;
  readonly axis: string;
  readonly background: string;
  readonly cursor: string;
  readonly brush: string;
  readonly fontFamily: string;
  readonly fontSizePx: number;
}

export interface ChartOptions {
  readonly xKind: XKind;
  readonly xScale: XScale;
  readonly yScale: YScale;
  /** What is shown of x; null: from the first to the last point, following the end. */
  readonly xRange: Range | null;
  /**
   * From the first to the last point of everything there is, when the series are only the part that was fetched for
   * `xRange`; an infinite end is one that nobody knows. null: the series are everything.
   */
  readonly xLimits: Range | null;
  /** What is shown of y; null: fit to the data in the x range. */
  readonly yRange: Range | null;
  /** When fitting y: only look at this range (5th–95th percentile, "ignore outliers"); points beyond are announced by onClipped. */
  readonly yCore: Range | null;
  /** null or missing: there is one y axis. */
  readonly right?: RightAxis | null;
  /** Beside the first y axis; missing or '': none. */
  readonly yLabel?: string;
  /** Under the x axis; missing or '': none. */
  readonly xLabel?: string;
  /** The step selector: one marker that can be dragged along the x axis, or two; null or missing: none. */
  readonly selected?: { readonly from: number; readonly to: number | null } | null;
  /** Of axes whose numbers stand for something else; missing: the engine's own. The same function as long as it says the same. */
  readonly xTicks?: TickMaker;
  readonly yTicks?: TickMaker;
  /** Of the first y axis when it is symlog; missing: from the lines' smallest values. */
  readonly linearWidth?: number;
  /** Painted over the grid and below the lines, in device pixels: a map behind them. */
  readonly backdrop?: ((context: DrawContext, layout: Layout) => void) | null;
  readonly marks?: readonly ChartMark[];
  /** Dots on lines in place of crosshair and points at the cursor, where something else than x links the lines. */
  readonly dots?: readonly ChartDot[];
  readonly theme: ChartTheme;
  /** Whether one-finger drags scroll the page (phones) instead of zooming. */
  readonly isTouchPanning: boolean;
}

/** A point under or near the cursor. */
export interface HoverPoint extends ChartDot {
  /** Index into the series' arrays. */
  readonly index: number;
  readonly raw: number;
  /** Distance from the pointer in CSS pixels, to the point; only in x without a pointer, Infinity where y is not finite. */
  readonly distancePx: number;
}

export interface Hover {
  /** In data space. */
  readonly x: number;
  readonly y: number | null;
  /** In CSS pixels from the chart's top left corner; null when driven by the keyboard or asked for by `hoverAt`. */
  readonly pointerPx: { readonly left: number; readonly top: number } | null;
  /** For each line that has a point near this x, the one nearest in x. Unsorted. */
  readonly points: readonly HoverPoint[];
  /** Nearest in screen distance; null without any. */
  readonly nearestKey: string | null;
}

export interface ChartCallbacks {
  /** A marker of the step selector was dragged or moved by keys. */
  onSelected?(selected: { readonly from: number; readonly to: number | null }): void;
  /** A mark was clicked, or chosen by keys. */
  onMark?(id: string): void;
  /** A point was clicked (not dragged, nor clicked twice), or chosen by keys: x in data space, the nearest line. */
  onPoint?(point: { readonly key: string; readonly index: number; readonly x: number }): void;
  onHover?(hover: Hover | null): void;
  /** The user zoomed, panned or reset. null means: back to fitting. `yRight`: of the second y axis, when there is one. */
  onView?(view: { readonly x: Range | null; readonly y: Range | null; readonly yRight?: Range | null }): void;
  /** How many drawn points lie outside of the y axis since outliers are ignored. */
  onClipped?(count: { readonly above: number; readonly below: number }): void;
  /** How many points in view have values without a place on a log y axis (zero and below). Without this, the chart says so. */
  onDropped?(count: number): void;
  /** `plotWidthPx` has changed: another number of columns is worth fetching. */
  onPlotWidth?(plotWidthPx: number): void;
}

/** The engine's face; made by `createLineChart(host, callbacks, options)` of chart/line-chart.ts. */
export interface LineChart {
  setSeries(series: readonly ChartSeries[]): void;
  setOptions(options: Partial<ChartOptions>): void;
  /** A crosshair at this x, driven from outside (another chart); null removes it. Draws the overlay only, calls nobody. */
  setCursor(x: number | null): void;
  /** One line in front, wide; the others recede. null: none. Draws the overlay only. */
  setHighlight(key: string | null): void;
  /** What is shown now, in data space. `yRight`: of the second y axis; null without one. */
  readonly view: { readonly x: Range; readonly y: Range; readonly yRight?: Range | null };
  /**
   * How many columns are worth fetching: the width of the plot area in device pixels, rounded up to a multiple of 64 so that
   * a label more or less on the y axis fetches nothing anew. 0 before the chart has a size (see onPlotWidth).
   */
  readonly plotWidthPx: number;
  /** The lines' points at this x, as if the pointer were there; for charts that follow another one's cursor. */
  hoverAt(x: number): Hover;
  /** Moves the keyboard cursor by so many points of its line; used by keys on the focused chart. Calls onHover. */
  moveCursor(by: number): void;
  destroy(): void;
}
