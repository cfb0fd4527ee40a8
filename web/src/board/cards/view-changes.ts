// Changes of the view that need more than one field to stay consistent.
import { defaultView, pickFields } from '../../state/settings/view';
import type { CardId, CardState, ViewState } from '../../state/types';

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

export function cardOf({ cards }: ViewState, tag: string): CardState | undefined {
  return Object.hasOwn(cards, tag) ? cards[tag] : undefined;
}

/** What one card has for itself; undefined or null: nothing. */
export function setCard(
  view: ViewState,
  tag: string,
  change: { [Key in keyof CardState]: CardState[Key] | null | undefined },
): void {
  const { yScale, yRange, span } = { ...cardOf(view, tag), ...change };
  const others = Object.entries(view.cards).filter(([other]) => other !== tag);
  if (yScale || yRange || span) {
    others.push([tag, { ...(yScale && { yScale }), ...(yRange && { yRange }), ...(span && { span }) }]);
  }
  view.cards = Object.fromEntries(others);
}

export function togglePin(view: ViewState, id: CardId): void {
  view.pins = view.pins.includes(id) ? view.pins.filter((pin) => pin !== id) : [...view.pins, id];
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
