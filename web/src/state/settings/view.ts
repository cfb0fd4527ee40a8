// The view: everything the page shows that a link can carry. Each of its fields is declared once, as a setting, in the order in
// which links say them. Usual values are TensorBoard's where it has them, so that a user who moves here sees the same curves.
import { CARD_SETTINGS } from './cards';
import { CHART_SETTINGS } from './charts';
import { RUN_SETTINGS } from './runs';
import { ownList, type KindWords, type ViewSetting } from './setting';
import { TABLE_SETTINGS } from './table';

export const DEFAULT_DASHBOARD = 'timeseries';

/** The first part of a link, which has no word: see link.ts. */
const dashboard: ViewSetting<string> = {
  words: [],
  usual: DEFAULT_DASHBOARD,
  read: () => undefined,
  write: () => [],
};

const kindWords = ownList<KindWords>({
  word: 'media',
  usual: {},
  read: (items) => Object.fromEntries(items.map((item) => item.split(/:(.*)/s) as [string, string])),
  write: (words) => Object.entries(words).map(([word, text]) => `${word}:${text}`),
});

export const VIEW_SETTINGS = {
  dashboard,
  ...RUN_SETTINGS,
  ...CHART_SETTINGS,
  /** How pictures, sounds, texts and tables are shown, as texts of their kinds' settings. */
  kindWords,
  ...CARD_SETTINGS,
  ...TABLE_SETTINGS,
};

/** Values are replaced, never changed in place. See live-view.svelte.ts for the live object. */
export type ViewState = {
  -readonly [Field in keyof typeof VIEW_SETTINGS]: (typeof VIEW_SETTINGS)[Field]['usual'];
};
export type ViewField = keyof ViewState;

export const VIEW_FIELDS = Object.keys(VIEW_SETTINGS) as ViewField[];

/** For those who treat all fields alike. */
export function settingOfField(field: ViewField): ViewSetting<unknown> {
  return VIEW_SETTINGS[field];
}

/** Of some fields, the values of a view. */
export function pickFields(
  view: ViewState,
  isWanted: (setting: ViewSetting<unknown>) => boolean,
): Partial<ViewState> {
  const fields = VIEW_FIELDS.filter((field) => isWanted(settingOfField(field)));
  return Object.fromEntries(fields.map((field) => [field, view[field]]));
}

/** A view of plain values, each as its field is given. */
export function viewOf(valueOf: (field: ViewField) => unknown): ViewState {
  return Object.fromEntries(VIEW_FIELDS.map((field) => [field, valueOf(field)])) as unknown as ViewState;
}

export function defaultView(): ViewState {
  return viewOf((field) => VIEW_SETTINGS[field].usual);
}

/**
 * What Back restores of another dashboard: which runs, tags and steps it showed, and what was opened there. How they are drawn
 * and played is not part of it: that stays as it was set since. `isLookedAt` is asked about words of kinds.
 */
export function whatWasShown(
  then: ViewState,
  now: ViewState,
  isLookedAt: (word: string) => boolean,
): Partial<ViewState> {
  const isSameAxis = then.xAxis === now.xAxis && (then.xAxis !== 'metric' || then.xTag === now.xTag);
  const wordsOf = (view: ViewState, isWanted: boolean): [string, string][] =>
    Object.entries(view.kindWords).filter(([word]) => isLookedAt(word) === isWanted);
  return {
    ...pickFields(then, (setting) => setting.isLookedAt === true && (isSameAxis || !setting.isOfAxis)),
    kindWords: Object.fromEntries([...wordsOf(now, false), ...wordsOf(then, true)]),
  };
}
