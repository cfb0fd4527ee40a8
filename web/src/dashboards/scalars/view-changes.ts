// Changes of the view that need more than one field to stay consistent.
import { defaultView } from '../../state/default-view';
import type { ViewState } from '../../state/types';

/** Ranges of another axis mean nothing on this one. */
export function setXAxis(view: ViewState, axis: ViewState['xAxis']): void {
  if (axis === view.xAxis) return;
  view.xAxis = axis;
  view.xRange = null;
}

const AXES: readonly ViewState['xAxis'][] = ['step', 'relative', 'wall'];

export function cycleXAxis(view: ViewState): void {
  setXAxis(view, AXES[(AXES.indexOf(view.xAxis) + 1) % AXES.length] ?? 'step');
}

/** Everything in the settings pane as it was at first; runs, filters and pins stay. */
export function resetChartSettings(view: ViewState): void {
  const initial = defaultView();
  view.smoothing = initial.smoothing;
  view.xAxis = initial.xAxis;
  view.xScale = initial.xScale;
  view.yScale = initial.yScale;
  view.ignoreOutliers = initial.ignoreOutliers;
  view.showSuperseded = initial.showSuperseded;
  view.tooltipSort = initial.tooltipSort;
  view.tooltipRows = initial.tooltipRows;
  view.cardWidthPx = initial.cardWidthPx;
  view.xRange = initial.xRange;
  view.cards = initial.cards;
}
