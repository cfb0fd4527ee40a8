// The view as the text behind the # of the URL, read and written. Pure functions; url-sync.svelte.ts talks to the browser.
//
//   #scalars&runFilter=baseline&smoothing=0.8&runs=none&show=a/1,a/2&xrange=0..5000
//   #scalars&view=paper&smoothing=0.8
//
// First the dashboard, then what differs from the default – or from the saved view that is named – under short words a
// person can read and change. Lists are divided by commas (a comma inside of an item is %2C). TensorBoard's own forms are
// read too: tensorboard-link.ts. Whatever stands there, reading never fails: what makes no sense is left out.
import type { Selection, ThemeChoice } from '../types';
import {
  decodeText,
  encodeItem,
  encodeText,
  itemsOf,
  joinItems,
  pairsOfHash,
  pairsOfSearch,
  type Pair,
} from './link-text';
import { LONG_SELECTION_WORDS } from './runs';
import { fromTensorboard } from './tensorboard-link';
import {
  DEFAULT_DASHBOARD,
  defaultView,
  pickFields,
  settingOfField,
  VIEW_FIELDS,
  type ViewField,
  type ViewState,
} from './view';

/** Words about the link itself. */
const VIEW_WORD = 'view';
const RESET_WORD = 'reset';
const SAVED_WORD = 'saved';

/** More text than this about single runs is not put into a URL: servers, chats and people choke on long ones. */
export const MOST_SELECTION_CHARS = 6000;

/** Longer links are cut by chats, mail programs and proxies; the view can be saved instead. */
export const MOST_LINK_CHARS = 8000;

export interface ParsedView {
  readonly view: ViewState;
  /** Words that the URL has something readable to say with. */
  readonly said: ReadonlySet<string>;
  /** TensorBoard's ?darkMode=; null: not mentioned. */
  readonly theme: ThemeChoice | null;
  /** The exceptions of the selection were too many for the URL; this is their name in the browser's storage. */
  readonly savedSelection: string | null;
  /** The saved view that the words change; null: none is named. */
  readonly name: string | null;
  /** No saved view, and said so. */
  readonly isNoneNamed: boolean;
}

/** What a saved view says, which a link needs only to name. */
export interface NamedWords {
  readonly dashboard: string;
  readonly words: readonly Pair[];
}

/**
 * `hash` and `search` as in `location`, with or without their first character. `named`: what the saved view says that the
 * hash names, once it is there.
 */
export function parseView(hash: string, search = '', named: NamedWords | null = null): ParsedView {
  const { dashboard, pairs: own } = pairsOfHash(hash);
  const { pairs, theme } = fromTensorboard(pairsOfSearch(search), own);
  const { view, said } = parseWords(named === null ? pairs : withNamed(pairs, named.words));
  view.dashboard = dashboard || (dashboard === null && named?.dashboard) || DEFAULT_DASHBOARD;
  const textOf = (wanted: string): string | null => {
    const found = pairs.findLast(({ word }) => word === wanted);
    return found ? decodeText(found.text) : null;
  };
  const name = textOf(VIEW_WORD);
  if (name !== null) said.add(VIEW_WORD);
  return {
    view,
    said,
    theme,
    savedSelection: textOf(SAVED_WORD),
    name: name || null,
    isNoneNamed: name === '',
  };
}

/** What a URL says counts before what the saved view says. */
function withNamed(pairs: readonly Pair[], saved: readonly Pair[]): Pair[] {
  const said = new Set(pairs.map(({ word }) => word));
  for (const { word, text } of pairs) if (word === RESET_WORD) for (const one of itemsOf(text)) said.add(one);
  if (said.has(SAVED_WORD)) for (const word of LONG_SELECTION_WORDS) said.add(word);
  return [...saved.filter(({ word }) => !said.has(word)), ...pairs];
}

/** `said`: the words that make sense. */
export function parseWords(pairs: readonly Pair[]): { view: ViewState; said: Set<string> } {
  const values: Partial<Record<ViewField, unknown>> = {};
  const said = new Set<string>();
  for (const field of VIEW_FIELDS) {
    const setting = settingOfField(field);
    const own = pairs.filter(({ word }) => setting.words.includes(word));
    const value = own.length === 0 ? undefined : setting.read(own);
    if (value === undefined) continue;
    values[field] = value;
    // One of several words may make no sense while the others do.
    const words = new Set(own.map(({ word }) => word));
    for (const wanted of words) {
      const isRead =
        words.size === 1 || setting.read(own.filter(({ word }) => word === wanted)) !== undefined;
      if (isRead) said.add(wanted);
    }
  }
  return { view: { ...defaultView(), ...(values as Partial<ViewState>) }, said };
}

export interface FormattedView {
  /** Begins with #. */
  readonly hash: string;
  /** The selection's exceptions did not fit; `saved=` stands for them, if a name was given. */
  readonly isSelectionCut: boolean;
}

/** A saved view, which a link needs only to name. */
export interface NamedView {
  readonly name: string;
  readonly view: ViewState;
}

export interface FormatOptions {
  /** Keeps a selection that is too long, and returns its name. */
  readonly nameOfSaved?: (selection: Selection) => string | null;
  /** Also says what every browser has its own habit for (pins, columns), so that the link looks the same everywhere. */
  readonly isForOthers?: boolean;
  /** Only what differs from this is said. 'none': that no view is wanted, not even the default one. */
  readonly named?: NamedView | 'none' | null;
}

export function formatView(
  view: ViewState,
  { nameOfSaved, isForOthers = false, named = null }: FormatOptions = {},
): FormattedView {
  let words: readonly Pair[];
  if (named === null) words = wordsOf(view, isForOthers);
  else if (named === 'none') words = [{ word: VIEW_WORD, text: '' }, ...wordsOf(view, isForOthers)];
  else words = changedWords(view, named);
  const isCut = ({ word }: Pair): boolean => LONG_SELECTION_WORDS.includes(word);
  const length = words.filter(isCut).reduce((sum, { text }) => sum + text.length + 1, 0);
  const isSelectionCut = length > MOST_SELECTION_CHARS;
  if (isSelectionCut) {
    const name = nameOfSaved?.(view.selection);
    const saved = name ? [{ word: SAVED_WORD, text: encodeItem(name) }] : [];
    const at = words.findIndex(isCut);
    words = words.flatMap((pair, i) => (!isCut(pair) ? [pair] : i === at ? saved : []));
  }
  return { hash: hashOf(view.dashboard, words), isSelectionCut };
}

/** What is said differently from a saved view, after its name. */
function changedWords(view: ViewState, named: NamedView): Pair[] {
  const words = wordsOf(view, true);
  const before = textsByWord(wordsOf(named.view, true));
  const now = textsByWord(words);
  const gone = [...before.keys()].filter((word) => !now.has(word));
  return [
    { word: VIEW_WORD, text: encodeText(named.name) },
    ...(gone.length > 0 ? [{ word: RESET_WORD, text: joinItems(gone) }] : []),
    ...words.filter(({ word }) => now.get(word) !== before.get(word)),
  ];
}

function hashOf(dashboard: string, words: readonly Pair[]): string {
  return `#${encodeItem(dashboard)}${words.map(({ word, text }) => `&${word}=${text}`).join('')}`;
}

function textsByWord(words: readonly Pair[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { word, text } of words) texts.set(word, `${texts.get(word) ?? ''}&${text}`);
  return texts;
}

/** All that differs from the default, however long, but for the dashboard. */
export function wordsOf(view: ViewState, isForOthers = false): Pair[] {
  return VIEW_FIELDS.flatMap((field) => settingOfField(field).write(view[field], view, isForOthers));
}

/** Of a saved view, for reading a link that names it. */
export function namedWords(view: ViewState): NamedWords {
  return { dashboard: view.dashboard, words: wordsOf(view, true) };
}

/** A link that names a saved view and nothing else. */
export function hashOfNamed(name: string): string {
  return `#${VIEW_WORD}=${encodeText(name)}`;
}

/** What the next visit of this browser begins with. */
export function habitsOf(view: ViewState): string {
  const habits = pickFields(view, ({ isHabit }) => isHabit === true);
  return formatView({ ...defaultView(), ...habits }).hash;
}

/**
 * What a browser remembers, as far as a link leaves it open. Of a link that says anything only what every browser has its own
 * habit for: the rest is the default, or the link would look different for everyone.
 */
export function habitWords(habits: string, { view, said }: ParsedView, isWhole: boolean): NamedWords {
  const open = new Set(wordsOf(defaultView(), true).map(({ word }) => word));
  const words = pairsOfHash(habits).pairs.filter(
    ({ word }) => !said.has(word) && (isWhole || open.has(word)),
  );
  return { dashboard: view.dashboard, words };
}

/** The link with some fields changed; all else that it says stays as it is. */
export function linkWith(link: string, change: (view: ViewState) => Partial<ViewState>): string {
  const [place = '', hash = ''] = link.split('#', 2);
  const { view } = parseView(hash);
  const changes = change(view);
  const words = new Set(
    (Object.keys(changes) as ViewField[]).flatMap((field) => settingOfField(field).words),
  );
  const { dashboard, pairs } = pairsOfHash(hash);
  const others = pairs.filter(({ word }) => !words.has(word));
  const said = wordsOf({ ...view, ...changes }, true).filter(({ word }) => words.has(word));
  return `${place}${hashOf(dashboard ?? '', [...others, ...said])}`;
}
