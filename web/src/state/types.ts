// Words shared by the page's state and everything that shows it.
import type { SmoothingKind, XAxis } from '../wire/client';
import type { DecodedSeries } from '../wire/frame';
import type { Range, XScale, YScale } from '../chart/types';

export type RunStatus = 'running' | 'finished' | 'crashed' | 'interrupted' | 'stalled';

/** One run, as the table and the charts need it. Replaced, never changed in place. */
export interface Run {
  readonly id: number;
  readonly name: string;
  readonly status: RunStatus;
  readonly isStatusKnown: boolean;
  readonly startedS: number | null;
  readonly lastSeenS: number | null;
  readonly lastStep: number | null;
  readonly points: number;
  readonly sizeBytes: number;
  readonly readFraction: number;
  readonly damageCount: number;
}

/** Which run, without anything that changes while it grows. */
export interface RunPlace {
  readonly id: number;
  readonly name: string;
}

export interface Tag {
  readonly tag: string;
  readonly kind: string;
  readonly displayName: string;
  readonly description: string;
  hasRun(id: number): boolean;
  readonly runCount: number;
}

export type TooltipSort = 'nearest' | 'descending' | 'ascending' | 'name';
export type ThemeChoice = 'system' | 'light' | 'dark';

/** Everything the page shows that a link can carry. Plain data; see live-view.svelte.ts for the live object. */
export interface ViewState {
  dashboard: string;
  runFilter: string;
  isRunFilterRegex: boolean;
  tagFilter: string;
  /** Which runs are shown: a rule plus exceptions by name, so that runs which appear later fall under the rule. */
  selection: Selection;
  smoothing: { kind: SmoothingKind; amount: number };
  xAxis: XAxis;
  xScale: XScale;
  yScale: YScale;
  ignoreOutliers: boolean;
  showSuperseded: boolean;
  tooltipSort: TooltipSort;
  /** Rows shown in a tooltip. */
  tooltipRows: number;
  /** Least width of a card in CSS pixels; null: chosen by the page. */
  cardWidthPx: number | null;
  /** Tags of pinned cards, in order. */
  pins: string[];
  /** x range shared by all cards; null: everything. */
  xRange: Range | null;
  /** Typed y limits and scales of single cards, by tag. */
  cards: Record<string, CardState>;
  /** Collapsed (true) or opened (false) groups that differ from the default. */
  groups: Record<string, boolean>;
  /** The card in full screen. */
  fullScreenTag: string | null;
  table: TableState;
}

export interface CardState {
  yRange?: Range | null;
  yScale?: YScale;
}

export interface TableState {
  sortBy: string;
  isDescending: boolean;
  isTree: boolean;
  /** Columns that are shown, in order: 'status', 'last_step', 'duration', 'started', 'metric:<tag>' … */
  columns: string[];
  widths: Record<string, number>;
}

/**
 * A rule plus exceptions by name. auto: nobody has chosen yet – all runs, or the latest few when there are very many.
 * all: `except` are hidden. none: `except` are shown. latest: `except` are hidden, `also` are shown.
 */
export type Selection =
  | { readonly rule: 'auto' | 'all' | 'none'; readonly except: readonly string[] }
  | {
      readonly rule: 'latest';
      readonly count: number;
      readonly except: readonly string[];
      readonly also: readonly string[];
    };

/** What the page does beside showing the view, and how it looks: kept in this browser, never in a link. */
export interface Settings {
  theme: ThemeChoice;
  sideBarWidthPx: number;
  isSideBarOpen: boolean;
  isSettingsPaneOpen: boolean;
  /** New points are fetched while training goes on; false: only by the reload button. */
  isLive: boolean;
}

/** What a card near the viewport wants. Smoothing, axis and runs come from the view. */
export interface CardRequest {
  readonly tag: string;
  /** Width of the plot area in device pixels (LineChart.plotWidthPx). */
  readonly widthPx: number;
  /** Part of the x axis that is shown; null: everything. */
  readonly xRange: Range | null;
}

/** What a card gets, again with every change. Arrays are never changed after they were handed over. */
export interface CardData {
  readonly tag: string;
  /** In the order of the runs; a superseded branch follows its run. */
  readonly series: readonly DecodedSeries[];
  /** Not what was asked for: data for another range, width or smoothing is on its way. Mere growth is not stale. */
  readonly isStale: boolean;
  /** Nothing has arrived yet for this tag. */
  readonly isFirstLoad: boolean;
  readonly error: string | null;
  /** Tries again after an error. */
  retry(): void;
}
