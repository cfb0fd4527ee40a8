// The step that everything logged with steps is asked to show: that of the one bar, or the charts' selector when linked.
import {
  flagSetting,
  lookedAt,
  numberIn,
  optionalSetting,
  setSetting,
  settingOf,
} from '../../state/settings/setting';
import type { ViewState } from '../../state/types';
import { asksOf } from './step-asks.svelte';

type WithSteps = Pick<ViewState, 'kindWords' | 'selected' | 'xAxis'>;

/** The step of the one bar for everything; null: the last of each series. */
export const STEP = lookedAt(optionalSetting('step', (text) => numberIn(text, -Infinity, Infinity)));

/** The bar follows the step selector of the charts, and moves it. */
export const IS_LINKED = lookedAt(flagSetting('linked', false));

/** Over times and metrics the selector has no step. */
function followsCharts(view: WithSteps): boolean {
  return settingOf(view, IS_LINKED) && view.xAxis === 'step';
}

/** The step that all are asked to show; null: the last of each. */
export function askedStep(view: WithSteps): number | null {
  if (followsCharts(view) && view.selected !== null) return view.selected.from;
  return settingOf(view, STEP);
}

/** Another text whenever all are asked for a step, be it the same one: what was chosen on one tile counts no longer. */
export function askOf(view: WithSteps): string {
  return `${asksOf(view).count} ${askedStep(view)}`;
}

/** Moves the bar, and with it the charts' selector where the two are linked. */
export function askForStep(view: WithSteps, step: number | null): void {
  asksOf(view).add();
  setSetting(view, STEP, step);
  if (followsCharts(view))
    view.selected = step === null ? null : { from: step, to: view.selected?.to ?? null };
}

/**
 * Ties the bar to the charts' selector, or lets it go. What was shown stays when they part; when they come together the selector
 * is where it is, if it is anywhere, and otherwise comes to where the bar is.
 */
export function linkSteps(view: WithSteps, isLinked: boolean): void {
  const before = askedStep(view);
  setSetting(view, IS_LINKED, isLinked);
  if (!isLinked || view.selected === null) askForStep(view, before);
}
