// Changes of the view that need more than one field to stay consistent.
import { defaultView } from '../../state/default-view';
import type { CardState, ViewState } from '../../state/types';

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

export function cardOf({ cards }: ViewState, tag: string): CardState | undefined {
  return Object.hasOwn(cards, tag) ? cards[tag] : undefined;
}

/** What one card has for itself; undefined or null: nothing. */
export function setCard(
  view: ViewState,
  tag: string,
  change: { [Key in keyof CardState]: CardState[Key] | null | undefined },
): void {
  const { yScale, yRange } = { ...cardOf(view, tag), ...change };
  const others = Object.entries(view.cards).filter(([other]) => other !== tag);
  if (yScale || yRange) others.push([tag, { ...(yScale && { yScale }), ...(yRange && { yRange }) }]);
  view.cards = Object.fromEntries(others);
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
