// Changes of how charts are shown that need more than one field of the view to stay consistent.
import { defaultView, pickFields } from '../../state/settings/view';
import { setXAxis } from '../../state/settings/x-axis';
import type { ViewState } from '../../state/types';

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
