// What Back restores of another dashboard: which runs, tags and steps it showed, and what was opened there. How they are drawn and
// played is not part of it: that stays as it was set since.
import type { ViewState } from './types';

const LOOKED_AT =
  /^(step|linked|kinds|text-search.*|open(\.(mode|at|range|swipe))?|(film|texts)(\..*)?|sound\.[ab])$/;

/** Whether a word of view.media says what is looked at: a step, kinds, a search, what was opened or is compared. */
export const isLookedAt = (word: string): boolean => LOOKED_AT.test(word);

/** `then` as an entry of the history says it. A stretch of x means nothing on another axis. */
export function whatWasShown(then: ViewState, now: ViewState): Partial<ViewState> {
  const { runFilter, runFilterKind, tagFilter, selection, selected, xRange } = then;
  const words = (view: ViewState, isWanted: boolean) =>
    Object.entries(view.media).filter(([word]) => isLookedAt(word) === isWanted);
  const isSameAxis = then.xAxis === now.xAxis && (then.xAxis !== 'metric' || then.xTag === now.xTag);
  return {
    ...{ runFilter, runFilterKind, tagFilter, selection },
    ...(isSameAxis && { selected, xRange }),
    media: Object.fromEntries([...words(now, false), ...words(then, true)]),
  };
}
