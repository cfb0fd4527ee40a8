// Changes of how charts are shown that need more than one field of the view to stay consistent.
import { defaultView } from '../../state/default-view';
import type { ViewState } from '../../state/types';

/** Ranges of another axis mean nothing on this one. */
export function setXAxis(view: ViewState, axis: ViewState['xAxis']): void {
  if (axis === view.xAxis) return;
  view.xAxis = axis;
  view.xRange = null;
  view.selected = null;
}

/** The values of a tag are x; '': which tag is not chosen yet, and steps are shown until it is. */
export function setXMetric(view: ViewState, tag: string): void {
  if (view.xAxis === 'metric' && tag === view.xTag) return;
  view.xAxis = 'metric';
  view.xTag = tag;
  view.xRange = null;
  view.selected = null;
}

const AXES: readonly ViewState['xAxis'][] = ['step', 'relative', 'wall', 'active'];

/** A metric is one of them when there is one that was chosen. */
export function cycleXAxis(view: ViewState): void {
  const axes = view.xTag === '' ? AXES : [...AXES, 'metric' as const];
  setXAxis(view, axes[(axes.indexOf(view.xAxis) + 1) % axes.length] ?? 'step');
}

/** Everything in the settings pane as it was at first; runs, filters and pins stay. */
export function resetChartSettings(view: ViewState): void {
  const initial = defaultView();
  view.smoothing = initial.smoothing;
  view.xAxis = initial.xAxis;
  view.xTag = initial.xTag;
  view.baseline = initial.baseline;
  view.xScale = initial.xScale;
  view.yScale = initial.yScale;
  view.ignoreOutliers = initial.ignoreOutliers;
  view.showSuperseded = initial.showSuperseded;
  view.tooltipSort = initial.tooltipSort;
  view.tooltipRows = initial.tooltipRows;
  view.cardWidthPx = initial.cardWidthPx;
  view.xRange = initial.xRange;
  view.selected = initial.selected;
  view.yRules = initial.yRules;
  view.showAnnotations = initial.showAnnotations;
  // How wide single cards are is how they are arranged, which stays.
  view.cards = Object.fromEntries(
    Object.entries(view.cards).flatMap(([id, { span }]) => (span ? [[id, { span }]] : [])),
  );
}
