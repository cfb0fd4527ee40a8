// Reads the state that TensorBoard's links carry, so that links and bookmarks made for it show the same here:
//
//   #scalars&regexInput=baseline&tagFilter=loss&_smoothingWeight=0.8&_ignoreYOutliers=false&runSelectionState=<base64>
//   ?smoothing=0.8&runFilter=base&tagFilter=loss&pinnedCards=[{"plugin":"scalars","tag":"loss"}]&darkMode=true#timeseries
//
// Its words become ours. Nothing of it is ever written; the page's own form takes its place in the URL.
import type { ThemeChoice } from '../types';
import { decodeText, encodeText, joinItems, type Pair } from './link-text';
import { isRecord, unique } from './view-parts';

type Translate = (text: string) => readonly Pair[];

const as =
  (word: string): Translate =>
  (text) =>
    text === '' ? [] : [{ word, text: encodeText(text) }];
const oneOfTheirs =
  (word: string, ours: Readonly<Record<string, string>>): Translate =>
  (text) =>
    Object.hasOwn(ours, text) ? [{ word, text: ours[text]! }] : [];

/** Some have the same names as ours, and need no more than to be taken from the query. */
const QUERY: Readonly<Record<string, Translate>> = {
  smoothing: as('smoothing'),
  runFilter: as('runFilter'),
  tagFilter: as('tagFilter'),
  pinnedCards: (text) => {
    const pins = pinsOf(text);
    return pins.length > 0 ? [{ word: 'pins', text: joinItems(pins) }] : [];
  },
  // The theme is no part of a view: see `fromTensorboard`.
  darkMode: () => [],
};

const HASH: Readonly<Record<string, Translate>> = {
  _smoothingWeight: as('smoothing'),
  regexInput: as('runFilter'),
  _ignoreYOutliers: oneOfTheirs('outliers', { true: 'ignore', false: 'show' }),
  _xType: oneOfTheirs('x', { step: 'step', relative: 'relative', wall_time: 'wall' }),
  _tooltipSortingMethod: oneOfTheirs('tooltip', {
    default: 'name',
    ascending: 'ascending',
    descending: 'descending',
    nearest: 'nearest',
  }),
  runSelectionState: selectionOf,
};

/** Whether the word in the query of the page's URL is taken over into the hash, and must then go from the query. */
export function isTensorboardQuery(word: string): boolean {
  return Object.hasOwn(QUERY, word);
}

/** All pairs in our words, TensorBoard's first, and the theme that is asked for. */
export function fromTensorboard(
  query: readonly Pair[],
  hash: readonly Pair[],
): { readonly pairs: readonly Pair[]; readonly theme: ThemeChoice | null } {
  const translated = (pairs: readonly Pair[], theirs: typeof QUERY): Pair[] =>
    pairs.flatMap(({ word, text }) => (Object.hasOwn(theirs, word) ? theirs[word]!(decodeText(text)) : []));
  const isDark = query.findLast(({ word }) => word === 'darkMode')?.text;
  return {
    pairs: [...translated(query, QUERY), ...translated(hash, HASH), ...hash],
    theme: isDark === 'true' ? 'dark' : isDark === 'false' ? 'light' : null,
  };
}

function pinsOf(text: string): string[] {
  const cards = parseJson(text);
  if (!Array.isArray(cards)) return [];
  const tags = cards.flatMap((card: unknown) =>
    isRecord(card) && card['plugin'] === 'scalars' && typeof card['tag'] === 'string' ? [card['tag']] : [],
  );
  return unique(tags);
}

/**
 * {run: boolean}, of the runs that someone clicked. The others were shown in TensorBoard as long as there were not too
 * many – so: all but the hidden ones. Only shown ones: then those are what the link is about.
 */
function selectionOf(text: string): readonly Pair[] {
  let state: unknown;
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    state = parseJson(new TextDecoder().decode(bytes));
  } catch {
    return [];
  }
  const runs = isRecord(state) ? Object.entries(state).filter(([, isOn]) => typeof isOn === 'boolean') : [];
  const hidden = runs.filter(([, isOn]) => isOn === false);
  const namesOf = (some: typeof runs): string => joinItems(some.map(([name]) => name));
  if (hidden.length > 0) return [{ word: 'hide', text: namesOf(hidden) }];
  return runs.length > 0 ? [{ word: 'show', text: namesOf(runs) }] : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
