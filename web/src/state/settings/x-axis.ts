// Which horizontal axis charts have.
import type { ViewState } from '../types';

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
