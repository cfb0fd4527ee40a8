// Words shared by the page's state and everything that shows it.
import type { Baseline as WireBaseline, GroupQuery, QueryNote, XAxis } from '../wire/client';
import type { DecodedSeries } from '../wire/frame';
import type { Range, YScale } from '../chart/types';
import type { Smoothing } from './settings/smoothing';

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

export type { ViewState } from './settings/view';
export type { TableState } from './settings/table';

export type RunFilterKind = 'regex' | 'text' | 'expression';

/** Of one card, by its id. */
export interface CardState {
  readonly yRange?: Range | null;
  readonly yScale?: YScale;
  /** Columns of the grid that it takes; 1 unless said otherwise. */
  readonly span?: 1 | 2 | 3;
}

export interface Selected {
  readonly from: number;
  /** null: one place, not a range. */
  readonly to: number | null;
}

export type GroupBy =
  /** The first `depth` folders of the name. */
  | { readonly kind: 'folder'; readonly depth: number }
  /** Capture groups of a match in the name form the key (the whole match without any); no match: no group. */
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'label' }
  /** A hyper-parameter, by name. */
  | { readonly kind: 'field'; readonly name: string }
  /** A column of the run table: 'status' … */
  | { readonly kind: 'column'; readonly name: string };

export interface Grouping {
  readonly by: GroupBy;
  readonly center: NonNullable<GroupQuery['center']>;
  readonly band: NonNullable<GroupQuery['band']>;
  /** Members are drawn, faint, behind their group. */
  readonly areMembersShown: boolean;
}

/** Runs that are drawn as one. Replaced, never changed in place. */
export interface RunGroup {
  /** Stable over sessions: colours hang on it. */
  readonly key: string;
  /** For people. */
  readonly label: string;
  /** Members, in the order of the table, visible or not. */
  readonly runs: readonly number[];
}

export interface Baseline {
  /** By name. */
  readonly run: string;
  readonly mode: NonNullable<WireBaseline['mode']>;
}

/** Tags between which a line lies: drawn as a band around it. '': none on this side. */
export interface Bounds {
  readonly lower: string;
  readonly upper: string;
}

/** One line of a chart (times runs, or groups of runs). */
export interface LineSpec {
  /** A tag, or '' with a formula. */
  readonly tag: string;
  readonly formula: string;
  /** What it is called; '': the tag or formula. */
  readonly label: string;
  readonly axis: 'left' | 'right';
  /** '' : by run. Otherwise #rrggbb for all runs. */
  readonly color: string;
  readonly dash: 'auto' | 'solid' | 'dashed' | 'dotted';
  readonly widthPx: 1 | 2 | 3;
  /** null: as all charts. */
  readonly smoothing: Smoothing | null;
  /** Left out: none. */
  readonly bounds?: Bounds | undefined;
}

/** A chart that was put together by hand. */
export interface ChartSpec {
  /** Unique in the view; its card is `chart:<id>`. */
  readonly id: string;
  readonly title: string;
  readonly lines: readonly LineSpec[];
  /** null: as all charts. */
  readonly baseline: Baseline | null;
  /** null: as all charts. */
  readonly x: { readonly axis: XAxis; readonly tag: string } | null;
}

/**
 * A card by its id: the tag itself for the automatic card of a tag, `chart:<id>` for one of `charts` (ids are random, so
 * that no tag is called like that by accident).
 */
export type CardId = string;

export interface Section {
  readonly name: string;
  readonly cards: readonly CardId[];
}

export interface YRule {
  /** A glob on tags: `*` takes any characters. */
  readonly pattern: string;
  /** null: all matching cards share the limits that fit all of them. */
  readonly range: Range | null;
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

/** What is new on the server. */
export interface DataChange {
  readonly runs: readonly number[];
  /** null: any. */
  readonly tags: readonly string[] | null;
}

/** Where a line's numbers come from. */
export interface LineSource {
  /** '' with a formula. */
  readonly tag: string;
  readonly formula: string;
  readonly baseline: Baseline | null;
  /** null: as the view says. */
  readonly x: ChartSpec['x'];
  /** null: as the view says. */
  readonly smoothing: LineSpec['smoothing'];
}

/** What a card near the viewport wants for one of its lines. Runs, and what the source leaves open, come from the view. */
export interface CardRequest {
  readonly source: LineSource;
  /** Width of the plot area in device pixels (LineChart.plotWidthPx). */
  readonly widthPx: number;
  /** Part of the x axis that is shown; null: everything. */
  readonly xRange: Range | null;
}

/** What a card gets for one of its lines, again with every change. Arrays are never changed after they were handed over. */
export interface LineData<Series> {
  /** In the order of the runs or groups; a superseded branch follows its run. */
  readonly series: readonly Series[];
  /** What the data is drawn over, as it was asked for: 'step', 'metric tokens'; '' without data. See `xKeyOf`. */
  readonly xKey: string;
  /** What the server has to say about it, each of them once. */
  readonly notes: readonly QueryNote[];
  /** Not what was asked for: data for another range, width or smoothing is on its way. Mere growth is not stale. */
  readonly isStale: boolean;
  /** Some runs or groups are on their way for the first time. */
  readonly isPartial: boolean;
  /** Nothing has arrived yet for this source. */
  readonly isFirstLoad: boolean;
  readonly error: string | null;
  /** Tries again after an error. */
  retry(): void;
}

export type CardData = LineData<DecodedSeries>;
