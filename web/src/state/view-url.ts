// The view as text behind the # of the URL, and back. Pure functions; url-sync.svelte.ts talks to the browser.
//
//   #scalars&runFilter=baseline&smoothing=0.8&runs=none&show=a/1,a/2&xrange=0..5000
//
// First the dashboard, then what differs from the default, under short words a person can read and change. Lists are
// divided by commas (a comma inside of an item is %2C). TensorBoard's own forms are read too: tensorboard-url.ts.
// Whatever stands there, reading never fails: what makes no sense is left out.
import type { Range } from '../chart/types';
import type { SmoothingKind, XAxis } from '../wire/client';
import { DEFAULT_DASHBOARD, DEFAULT_SELECTION, defaultView } from './default-view';
import { readTensorboard } from './tensorboard-url';
import type { CardState, Selection, ThemeChoice, ViewState } from './types';
import { decodeText, encodeItem, encodeText, pairsOfHash, pairsOfSearch, type Pair } from './url-text';

/** More text than this about single runs is not put into a URL: servers, chats and people choke on long ones. */
export const MOST_SELECTION_CHARS = 6000;

export interface ParsedView {
  readonly view: ViewState;
  /** Words that the URL has something readable to say about. */
  readonly said: ReadonlySet<string>;
  /** TensorBoard's ?darkMode=; null: not mentioned. */
  readonly theme: ThemeChoice | null;
  /** The exceptions of the selection were too many for the URL; this is their name in the browser's storage. */
  readonly savedSelection: string | null;
}

export interface FormattedView {
  /** Begins with #. */
  readonly hash: string;
  /** The selection's exceptions did not fit; `saved=` stands for them, if a name was given. */
  readonly isSelectionCut: boolean;
}

const X_AXES: readonly XAxis[] = ['step', 'relative', 'wall'];
const KINDS: readonly SmoothingKind[] = ['none', 'ema', 'time_ema', 'gaussian', 'mean'];
const Y_SCALES = ['linear', 'log', 'symlog'] as const;
const X_SCALES = ['linear', 'log'] as const;
const TOOLTIP_SORTS = ['nearest', 'descending', 'ascending', 'name'] as const;

export interface FormatOptions {
  /** Keeps a selection that is too long, and returns its name. */
  readonly nameOfSaved?: (selection: Selection) => string | null;
  /** Also says what every browser has its own habit for (pins, columns), so that the link looks the same everywhere. */
  readonly isForOthers?: boolean;
}

export function formatView(
  view: ViewState,
  { nameOfSaved, isForOthers = false }: FormatOptions = {},
): FormattedView {
  const standard = defaultView();
  const parts: string[] = [];
  const say = (word: string, text: string): void => void parts.push(`${word}=${text}`);
  const sayList = (word: string, items: readonly string[], isAlways = false): void => {
    if (items.length > 0 || isAlways) say(word, items.map(encodeItem).join(','));
  };

  if (view.runFilter !== '')
    say(view.runFilterKind === 'regex' ? 'runFilter' : 'runSearch', encodeText(view.runFilter));
  else if (view.runFilterKind !== 'regex') say('runSearch', '');
  if (view.tagFilter !== '') say('tagFilter', encodeText(view.tagFilter));
  const isSelectionCut = saySelection(view.selection, say, sayList, nameOfSaved);
  const { kind, amount } = view.smoothing;
  if (kind !== standard.smoothing.kind || amount !== standard.smoothing.amount) {
    say(
      'smoothing',
      kind === 'ema' ? String(amount) : kind === 'none' && amount === 0 ? 'none' : `${kind}:${amount}`,
    );
  }
  if (view.xAxis !== standard.xAxis) say('x', view.xAxis);
  if (view.xScale !== standard.xScale) say('xscale', view.xScale);
  if (view.yScale !== standard.yScale) say('yscale', view.yScale);
  if (!view.ignoreOutliers) say('outliers', 'show');
  if (view.showSuperseded) say('superseded', 'show');
  if (view.tooltipSort !== standard.tooltipSort) say('tooltip', view.tooltipSort);
  if (view.tooltipRows !== standard.tooltipRows) say('rows', String(view.tooltipRows));
  if (view.cardWidthPx !== null) say('width', String(view.cardWidthPx));
  sayList('pins', view.pins, isForOthers);
  if (view.xRange) say('xrange', formatRange(view.xRange));
  for (const [tag, card] of Object.entries(view.cards)) {
    if (card.yRange || card.yScale) {
      say('card', `${card.yScale ?? ''},${card.yRange ? formatRange(card.yRange) : ''},${encodeItem(tag)}`);
    }
  }
  const groups = Object.entries(view.groups);
  sayList(
    'closed',
    groups.filter(([, isClosed]) => isClosed).map(([name]) => name),
  );
  sayList(
    'open',
    groups.filter(([, isClosed]) => !isClosed).map(([name]) => name),
  );
  if (view.fullScreenCard !== null) say('full', encodeText(view.fullScreenCard));
  sayTable(view, say, sayList, isForOthers);
  return {
    hash: `#${encodeItem(view.dashboard)}${parts.map((part) => `&${part}`).join('')}`,
    isSelectionCut,
  };
}

function sayTable(
  { table }: ViewState,
  say: (word: string, text: string) => void,
  sayList: (word: string, items: readonly string[], isAlways: boolean) => void,
  isForOthers: boolean,
): void {
  const standard = defaultView().table;
  if (table.sortBy !== standard.sortBy || table.isDescending !== standard.isDescending) {
    say('sort', (table.isDescending ? '-' : '+') + encodeText(table.sortBy));
  }
  if (table.isTree) say('tree', 'on');
  if (isForOthers || table.columns.join('\n') !== standard.columns.join('\n')) {
    sayList('columns', table.columns, true);
  }
  sayList(
    'widths',
    Object.entries(table.widths).map(([column, width]) => `${width}:${column}`),
    isForOthers,
  );
}

function saySelection(
  selection: Selection,
  say: (word: string, text: string) => void,
  sayList: (word: string, items: readonly string[]) => void,
  nameOfSaved: ((selection: Selection) => string | null) | undefined,
): boolean {
  if (selection.rule === 'auto' && selection.except.length === 0) return false;
  say('runs', selection.rule === 'latest' ? `latest:${selection.count}` : selection.rule);
  const hidden = selection.rule === 'none' ? [] : selection.except;
  const shown =
    selection.rule === 'none' ? selection.except : selection.rule === 'latest' ? selection.also : [];
  const length = [...hidden, ...shown].reduce((sum, name) => sum + encodeItem(name).length + 1, 0);
  if (length > MOST_SELECTION_CHARS) {
    const name = nameOfSaved?.(selection);
    if (name) say('saved', encodeItem(name));
    return true;
  }
  sayList('hide', hidden);
  sayList('show', shown);
  return false;
}

function formatRange([from, to]: Range): string {
  return encodeText(`${from}..${to}`);
}

/** `hash` and `search` as in `location`, with or without their first character. */
export function parseView(hash: string, search = ''): ParsedView {
  const { dashboard, pairs } = pairsOfHash(hash);
  const view = defaultView();
  const said = new Set<string>();
  const theme = readTensorboard(pairsOfSearch(search), pairs, view, said);
  if (dashboard !== null) view.dashboard = dashboard || DEFAULT_DASHBOARD;
  const lists = { hide: [] as string[], show: [] as string[] };
  const rule = { text: '' };
  let savedSelection: string | null = null;
  for (const pair of pairs) {
    if (pair.word === 'saved') savedSelection = decodeText(pair.text);
    else if (pair.word === 'runs') rule.text = decodeText(pair.text);
    else if (pair.word === 'hide' || pair.word === 'show') lists[pair.word].push(...itemsOf(pair));
    else if (readPair(pair, view)) said.add(pair.word);
  }
  const selection = readSelection(rule.text, lists.hide, lists.show);
  if (selection !== null) {
    view.selection = selection;
    said.add('runs');
  }
  return { view, said, theme, savedSelection };
}

/** Returns whether the word is known and its text makes sense. */
function readPair(pair: Pair, view: ViewState): boolean {
  const text = decodeText(pair.text);
  const set = <K extends keyof ViewState>(key: K, value: ViewState[K] | undefined): boolean => {
    if (value === undefined) return false;
    view[key] = value;
    return true;
  };
  switch (pair.word) {
    case 'runFilter':
    case 'runSearch':
      view.runFilterKind = pair.word === 'runFilter' ? 'regex' : 'text';
      return set('runFilter', text);
    case 'tagFilter':
      return set('tagFilter', text);
    case 'smoothing':
      return set('smoothing', readSmoothing(text));
    case 'x':
      return set('xAxis', oneOf(X_AXES, text));
    case 'xscale':
      return set('xScale', oneOf(X_SCALES, text));
    case 'yscale':
      return set('yScale', oneOf(Y_SCALES, text));
    case 'outliers':
      return set('ignoreOutliers', text === 'show' ? false : text === 'ignore' ? true : undefined);
    case 'superseded':
      return set('showSuperseded', text === 'show' ? true : text === 'hide' ? false : undefined);
    case 'tooltip':
      return set('tooltipSort', oneOf(TOOLTIP_SORTS, text));
    case 'rows':
      return set('tooltipRows', numberIn(text, 1, 10_000, true));
    case 'width':
      return set('cardWidthPx', numberIn(text, 100, 10_000));
    case 'pins':
      return set('pins', unique(itemsOf(pair)));
    case 'xrange':
      return set('xRange', readRange(text));
    case 'card':
      return readCard(pair.text, view);
    case 'closed':
    case 'open':
      for (const name of itemsOf(pair)) put(view.groups, name, pair.word === 'closed');
      return true;
    case 'full':
      return set('fullScreenCard', text);
    default:
      return readTable(pair, text, view);
  }
}

function readTable(pair: Pair, text: string, { table }: ViewState): boolean {
  switch (pair.word) {
    case 'sort':
      if (text.length < 2 && text !== '+' && text !== '-') return false;
      table.isDescending = text.startsWith('-');
      table.sortBy = /^[+-]/.test(text) ? text.slice(1) : text;
      return true;
    case 'tree':
      table.isTree = text === 'on';
      return true;
    case 'columns':
      table.columns = unique(itemsOf(pair));
      return true;
    case 'widths':
      for (const item of itemsOf(pair)) {
        const colon = item.indexOf(':');
        const width = numberIn(item.slice(0, colon), 0, 10_000);
        if (colon > 0 && width !== undefined) put(table.widths, item.slice(colon + 1), width);
      }
      return true;
    default:
      return false;
  }
}

function readSelection(rule: string, hide: readonly string[], show: readonly string[]): Selection | null {
  const latest = /^latest:(\d{1,6})$/.exec(rule);
  if (latest) return { rule: 'latest', count: Number(latest[1]), except: unique(hide), also: unique(show) };
  if (rule === 'none') return { rule, except: unique(show) };
  if (rule === 'all') return { rule, except: unique(hide) };
  if (rule === 'auto') return { rule, except: unique(hide) };
  // Written by hand: names alone say enough.
  if (show.length > 0) return { rule: 'none', except: unique(show) };
  if (hide.length > 0) return { rule: 'all', except: unique(hide) };
  return rule === '' ? null : DEFAULT_SELECTION;
}

/** "0.8", "gaussian:12", "none". Amounts that the kind does not allow are moved to the nearest that it does. */
export function readSmoothing(text: string): ViewState['smoothing'] | undefined {
  const [first = '', second] = text.split(':');
  const kind = second === undefined && first !== 'none' ? 'ema' : oneOf(KINDS, first);
  if (kind === undefined) return undefined;
  const amountText = second ?? (first === 'none' ? '0' : first);
  const amount = numberIn(amountText, -Infinity, Infinity);
  if (amount === undefined) return undefined;
  const most = kind === 'ema' || kind === 'time_ema' ? 0.9999 : 100_000;
  return { kind, amount: Math.min(Math.max(amount, 0), most) };
}

function readRange(text: string): Range | undefined {
  const [from, to, more] = text.split('..');
  const low = numberIn(from ?? '', -Infinity, Infinity);
  const high = numberIn(to ?? '', -Infinity, Infinity);
  if (more !== undefined || low === undefined || high === undefined || !(low < high)) return undefined;
  return [low, high];
}

function readCard(raw: string, view: ViewState): boolean {
  const [scaleText, rangeText, tagText] = raw.split(',');
  if (scaleText === undefined || rangeText === undefined || tagText === undefined) return false;
  const card: CardState = {};
  const yScale = oneOf(Y_SCALES, decodeText(scaleText));
  const yRange = readRange(decodeText(rangeText));
  if (yScale !== undefined) card.yScale = yScale;
  if (yRange !== undefined) card.yRange = yRange;
  if (yScale === undefined && yRange === undefined) return false;
  put(view.cards, decodeText(tagText), card);
  return true;
}

function itemsOf(pair: Pair): string[] {
  return pair.text
    .split(',')
    .filter((item) => item !== '')
    .map(decodeText);
}

function oneOf<T extends string>(words: readonly T[], text: string): T | undefined {
  return words.find((word) => word === text);
}

function numberIn(text: string, least: number, most: number, isWhole = false): number | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || number < least || number > most) return undefined;
  return isWhole && !Number.isInteger(number) ? undefined : number;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

/** Names come from a link: "__proto__" must become a key like any other. */
function put<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}
