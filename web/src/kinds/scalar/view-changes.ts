// Changes of how charts are shown that need more than one field of the view to stay consistent.
import { defaultView, pickFields } from '../../state/settings/view';
import type { ViewState } from '../../state/types';

/**
 * Ranges of another axis mean nothing on this one. `tag`: whose values are x on the axis of a metric; '': it is not chosen yet, and
 * steps are shown until it is.
 */
export function setXAxis(view: ViewState, axis: ViewState['xAxis'], tag = view.xTag): void {
  if (axis === view.xAxis && tag === view.xTag) return;
  view.xAxis = axis;
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
  Object.assign(
    view,
    pickFields(defaultView(), ({ isOfCharts }) => isOfCharts === true),
  );
  // How wide single cards are is how they are arranged, which stays.
  view.cards = Object.fromEntries(
    Object.entries(view.cards).flatMap(([id, { span }]) => (span ? [[id, { span }]] : [])),
  );
}
