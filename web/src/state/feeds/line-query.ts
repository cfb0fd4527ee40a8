// What to ask the server for a line of a card, and about which runs. Widths and ranges are rounded outwards, so that dragging a window's edge or
// panning a little asks for nothing new: the data then has a little more than what is seen, never less. Zooming does ask
// anew, slow zooming too: the rounded range stays for a while, but the columns per seen pixel go up with every step of it.
import type { Range, XScale } from '../../chart/types';
import type { Baseline, ScalarQuery, XAxis } from '../../wire/client';
import type { RunStore } from '../runs.svelte';
import { isSmoothing, type Smoothing } from '../settings/smoothing';
import type { Grouping, LineSource, ViewState } from '../types';

/** As on the server. */
const MOST_BUCKETS = 8192;
const BUCKET_STEP = 128;

/** Everything but the source and the runs: data of one shape can be put together, data of two cannot. */
export type QueryShape = Omit<ScalarQuery, 'tag' | 'formula' | 'runs'>;

/** What a line is drawn over. `tag` only with 'metric'. */
export interface LineX {
  readonly axis: XAxis;
  readonly tag: string;
}

export interface ShapeOptions {
  readonly widthPx: number;
  readonly xRange: Range | null;
  readonly x: LineX;
  readonly xScale: XScale;
  readonly baseline: Baseline | null;
  readonly smoothing: Smoothing;
  readonly showSuperseded: boolean;
}

/** Of a line that may have an axis of its own. A metric that nobody has chosen yet is no axis. */
export function lineX(own: LineSource['x'], view: Pick<ViewState, 'xAxis' | 'xTag'>): LineX {
  const { axis, tag } = own ?? { axis: view.xAxis, tag: view.xTag };
  if (axis !== 'metric') return { axis, tag: '' };
  return tag === '' ? { axis: 'step', tag } : { axis, tag };
}

/** What is drawn over the same x has the same key. */
export function xKeyOf({ axis, tag }: LineX): string {
  return tag === '' ? axis : `${axis} ${tag}`;
}

export function queryShape(options: ShapeOptions): QueryShape {
  const { x, baseline } = options;
  const isLogX = options.xScale === 'log';
  const range = options.xRange && roundedRange(options.xRange, isLogX);
  return {
    x: x.axis,
    ...(x.tag !== '' && { x_tag: x.tag }),
    ...(baseline && { baseline }),
    x_range: range && [range[0], range[1]],
    is_log_x: isLogX,
    buckets: buckets(options.widthPx, options.xRange, range),
    smoothing: isSmoothing(options.smoothing) ? { ...options.smoothing } : null,
    superseded: options.showSuperseded,
  };
}

/** To multiples of a power of two between an eighth and a quarter of the span. */
export function roundedRange([from, to]: Range, isLogX: boolean): Range {
  const span = to - from;
  // On a log axis the columns left and right have different widths; nothing is gained by rounding.
  if (isLogX || !(span > 0)) return [from, to];
  const grid = 2 ** Math.floor(Math.log2(span / 4));
  return [Math.floor(from / grid) * grid, Math.ceil(to / grid) * grid];
}

function buckets(widthPx: number, seen: Range | null, asked: Range | null): number {
  const wider = seen && asked ? (asked[1] - asked[0]) / (seen[1] - seen[0]) : 1;
  const columns = Math.max(1, widthPx) * (Number.isFinite(wider) ? wider : 1);
  return Math.min(MOST_BUCKETS, Math.ceil(columns / BUCKET_STEP) * BUCKET_STEP);
}

/** Of all groups together. */
export const MOST_MEMBERS = 200;

/**
 * Which runs have a line of their own. Without groups: all that are visible. With them: those in no group, and the members that
 * are drawn faint behind their group – some of each, as thousands of faint lines are one grey area that takes long to fetch; the
 * group's own line is made from all of them.
 */
export function drawnRuns(
  runs: Pick<RunStore, 'visibleIds' | 'visibleGroups' | 'ungroupedVisibleIds'>,
  grouping: Pick<Grouping, 'areMembersShown'> | null,
): readonly number[] {
  if (grouping === null) return runs.visibleIds;
  if (!grouping.areMembersShown) return runs.ungroupedVisibleIds;
  return [...drawnMembers(runs.visibleGroups.map((one) => one.runs)), ...runs.ungroupedVisibleIds];
}

/** In turns, so that no group goes without. */
export function drawnMembers(groups: readonly (readonly number[])[]): Set<number> {
  const drawn = new Set<number>();
  for (let turn = 0; drawn.size < MOST_MEMBERS; turn++) {
    const left = groups.filter((runs) => turn < runs.length);
    if (left.length === 0) break;
    for (const runs of left) if (drawn.size < MOST_MEMBERS) drawn.add(runs[turn]!);
  }
  return drawn;
}
