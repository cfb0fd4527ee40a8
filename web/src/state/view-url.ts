// The view as text behind the # of the URL, and back. Pure functions; url-sync.svelte.ts talks to the browser.
//
//   #scalars&runFilter=baseline&smoothing=0.8&runs=none&show=a/1,a/2&xrange=0..5000
//   #scalars&view=paper&smoothing=0.8
//
// First the dashboard, then what differs from the default – or from the saved view that is named – under short words a
// person can read and change. Lists are divided by commas (a comma inside of an item is %2C). TensorBoard's own forms are
// read too: tensorboard-url.ts. Whatever stands there, reading never fails: what makes no sense is left out.
import type { Range } from '../chart/types';
import { DEFAULT_DASHBOARD, DEFAULT_SELECTION, defaultView } from './default-view';
import { readTensorboard } from './tensorboard-url';
import type { CardState, GroupBy, Grouping, Selected, Selection, ThemeChoice, ViewState } from './types';
import { decodeText, encodeItem, encodeText, pairsOfHash, pairsOfSearch, type Pair } from './url-text';
import {
  numberIn,
  oneOf,
  readBaseline,
  readCharts,
  readRange,
  readSections,
  readSmoothing,
  readX,
  readYRules,
  writeBaseline,
  writeChart,
  writeSmoothing,
  writeX,
  writeYRule,
} from './view-parts';

/** More text than this about single runs is not put into a URL: servers, chats and people choke on long ones. */
export const MOST_SELECTION_CHARS = 6000;

/** Longer links are cut by chats, mail programs and proxies; the view can be saved instead. */
export const MOST_LINK_CHARS = 8000;

export interface ParsedView {
  readonly view: ViewState;
  /** Words that the URL has something readable to say about. */
  readonly said: ReadonlySet<string>;
  /** TensorBoard's ?darkMode=; null: not mentioned. */
  readonly theme: ThemeChoice | null;
  /** The exceptions of the selection were too many for the URL; this is their name in the browser's storage. */
  readonly savedSelection: string | null;
  /** The saved view that the words change; null: none is named. */
  readonly name: string | null;
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

const Y_SCALES = ['linear', 'log', 'symlog'] as const;
const X_SCALES = ['linear', 'log'] as const;
const TOOLTIP_SORTS = ['nearest', 'descending', 'ascending', 'name'] as const;
const FILTER_WORDS = { regex: 'runFilter', text: 'runSearch', expression: 'runQuery' } as const;
const CENTERS: readonly Grouping['center'][] = ['mean', 'median'];
const BANDS: readonly Grouping['band'][] = ['std', 'sem', 'ci', 'quartiles', 'minmax', 'none'];

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
  const isNamed = named !== null && named !== 'none';
  let words = wordsOf(view, isForOthers || isNamed);
  if (named === 'none') words.unshift({ word: 'view', text: '' });
  if (isNamed) {
    const before = textsByWord(wordsOf(named.view, true));
    const now = textsByWord(words);
    const gone = [...before.keys()].filter((word) => !now.has(word));
    words = words.filter(({ word }) => now.get(word) !== before.get(word));
    if (gone.length > 0) words.unshift({ word: 'reset', text: gone.join(',') });
    words.unshift({ word: 'view', text: encodeText(named.name) });
  }
  const isCut = (word: string): boolean => word === 'hide' || word === 'show';
  const length = words.reduce((sum, { word, text }) => sum + (isCut(word) ? text.length + 1 : 0), 0);
  const isSelectionCut = length > MOST_SELECTION_CHARS;
  if (isSelectionCut) {
    const at = words.findIndex(({ word }) => isCut(word));
    const name = nameOfSaved?.(view.selection);
    words = words.flatMap((pair, i) =>
      !isCut(pair.word) ? [pair] : i === at && name ? [{ word: 'saved', text: encodeItem(name) }] : [],
    );
  }
  return {
    hash: `#${encodeItem(view.dashboard)}${words.map(({ word, text }) => `&${word}=${text}`).join('')}`,
    isSelectionCut,
  };
}

/** All that differs from the default, however long, but for the dashboard. */
export function wordsOf(view: ViewState, isForOthers = false): Pair[] {
  const standard = defaultView();
  const words: Pair[] = [];
  const say = (word: string, text: string): void => void words.push({ word, text });
  const sayList = (word: string, items: readonly string[], isAlways = false): void => {
    if (items.length > 0 || isAlways) say(word, items.map(encodeItem).join(','));
  };

  if (view.runFilter !== '' || view.runFilterKind !== 'regex')
    say(FILTER_WORDS[view.runFilterKind], encodeText(view.runFilter));
  if (view.tagFilter !== '') say('tagFilter', encodeText(view.tagFilter));
  saySelection(view.selection, say, sayList);
  if (view.showArchived) say('archived', 'show');
  if (view.grouping !== null) say('group', formatGrouping(view.grouping));
  if (view.baseline !== null) say('baseline', encodeText(writeBaseline(view.baseline)));
  const smoothing = writeSmoothing(view.smoothing);
  if (smoothing !== writeSmoothing(standard.smoothing)) say('smoothing', smoothing);
  if (view.xAxis !== standard.xAxis) say('x', encodeText(writeX(view.xAxis, view.xTag)));
  if (view.xScale !== standard.xScale) say('xscale', view.xScale);
  if (view.yScale !== standard.yScale) say('yscale', view.yScale);
  if (!view.ignoreOutliers) say('outliers', 'show');
  if (view.showSuperseded) say('superseded', 'show');
  if (!view.showAnnotations) say('annotations', 'hide');
  if (view.tooltipSort !== standard.tooltipSort) say('tooltip', view.tooltipSort);
  if (view.tooltipRows !== standard.tooltipRows) say('rows', String(view.tooltipRows));
  if (view.cardWidthPx !== null) say('width', String(view.cardWidthPx));
  sayList('pins', view.pins, isForOthers);
  if (view.xRange) say('xrange', formatRange(view.xRange));
  if (view.selected) say('select', formatSelected(view.selected));
  const cards = Object.entries(view.cards);
  for (const [tag, card] of cards) {
    if (card.yRange || card.yScale) {
      say('card', `${card.yScale ?? ''},${card.yRange ? formatRange(card.yRange) : ''},${encodeItem(tag)}`);
    }
  }
  sayList(
    'spans',
    cards.flatMap(([id, { span = 1 }]) => (span > 1 ? [`${span}:${id}`] : [])),
  );
  for (const { limits, pattern } of view.yRules.map(writeYRule)) sayList('ylimits', [limits, pattern]);
  for (const { name, cards: ids } of view.sections) sayList('section', [name, ...ids]);
  if (view.charts.length > 0) {
    say('charts', encodeText(swapSigns(JSON.stringify(view.charts.map(writeChart)))));
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
  return words;
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
): void {
  if (selection.rule === 'auto' && selection.except.length === 0) return;
  say('runs', selection.rule === 'latest' ? `latest:${selection.count}` : selection.rule);
  sayList('hide', selection.rule === 'none' ? [] : selection.except);
  sayList(
    'show',
    selection.rule === 'none' ? selection.except : selection.rule === 'latest' ? selection.also : [],
  );
}

function textsByWord(words: readonly Pair[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { word, text } of words) texts.set(word, `${texts.get(word) ?? ''}&${text}`);
  return texts;
}

function formatRange([from, to]: Range): string {
  return encodeText(`${from}..${to}`);
}

function formatSelected({ from, to }: Selected): string {
  return to === null ? String(from) : formatRange([from, to]);
}

/** "folder:1,median,ci,nomembers"; what is not said is mean, std, members. */
function formatGrouping({ by, center, band, areMembersShown }: Grouping): string {
  const what =
    by.kind === 'folder'
      ? `folder:${by.depth}`
      : by.kind === 'regex'
        ? `regex:${by.pattern}`
        : by.kind === 'label'
          ? 'label'
          : `${by.kind}:${by.name}`;
  const items = [
    what,
    ...(center === 'mean' ? [] : [center]),
    ...(band === 'std' ? [] : [band]),
    ...(areMembersShown ? [] : ['nomembers']),
  ];
  return items.map(encodeItem).join(',');
}

/** JSON is full of signs that a URL has to escape; these stand in for them. Done twice, nothing has changed. */
function swapSigns(text: string): string {
  const SIGNS = `"'{(})`;
  return text.replace(/["'{}()]/g, (sign) => SIGNS[SIGNS.indexOf(sign) ^ 1]!);
}

/**
 * `hash` and `search` as in `location`, with or without their first character. `named`: the saved view that the hash
 * names, once it is there.
 */
export function parseView(hash: string, search = '', named: NamedView | null = null): ParsedView {
  const { dashboard, pairs } = pairsOfHash(hash);
  const parsed = parseWords(named === null ? pairs : withNamed(pairs, named.view), pairsOfSearch(search));
  parsed.view.dashboard = dashboard || (dashboard === null && named?.view.dashboard) || DEFAULT_DASHBOARD;
  return parsed;
}

/** What a URL says counts before what the saved view says. */
function withNamed(pairs: readonly Pair[], saved: ViewState): Pair[] {
  const said = new Set(pairs.map(({ word }) => word));
  for (const pair of pairs) if (pair.word === 'reset') for (const word of itemsOf(pair)) said.add(word);
  if (said.has('saved')) said.add('hide').add('show');
  return [...wordsOf(saved, true).filter(({ word }) => !said.has(word)), ...pairs];
}

export function parseWords(pairs: readonly Pair[], query: readonly Pair[] = []): ParsedView {
  const view = defaultView();
  const said = new Set<string>();
  const theme = readTensorboard(query, pairs, view, said);
  const lists = { hide: [] as string[], show: [] as string[] };
  const repeated = { section: [] as unknown[], ylimits: [] as unknown[] };
  const rule = { text: '' };
  let savedSelection: string | null = null;
  let name: string | null = null;
  for (const pair of pairs) {
    if (pair.word === 'saved') savedSelection = decodeText(pair.text);
    else if (pair.word === 'view') {
      name = decodeText(pair.text) || null;
      said.add('view');
    } else if (pair.word === 'runs') rule.text = decodeText(pair.text);
    else if (pair.word === 'hide' || pair.word === 'show') lists[pair.word].push(...itemsOf(pair));
    else if (pair.word === 'section') {
      const [title, ...cards] = itemsOf(pair);
      repeated.section.push({ name: title, cards });
    } else if (pair.word === 'ylimits') {
      const [limits, pattern] = itemsOf(pair);
      repeated.ylimits.push({ limits, pattern });
    } else if (readPair(pair, view)) said.add(pair.word);
  }
  const selection = readSelection(rule.text, lists.hide, lists.show);
  if (selection !== null) {
    view.selection = selection;
    said.add('runs');
  }
  view.sections = readSections(repeated.section).parts;
  if (view.sections.length > 0) said.add('section');
  view.yRules = readYRules(repeated.ylimits).parts;
  if (view.yRules.length > 0) said.add('ylimits');
  return { view, said, theme, savedSelection, name };
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
    case 'runQuery':
      view.runFilterKind =
        pair.word === 'runFilter' ? 'regex' : pair.word === 'runSearch' ? 'text' : 'expression';
      return set('runFilter', text);
    case 'tagFilter':
      return set('tagFilter', text);
    case 'archived':
      return set('showArchived', shownOrHidden(text));
    case 'group':
      return set('grouping', readGrouping(itemsOf(pair)));
    case 'baseline':
      return set('baseline', readBaseline(text));
    case 'smoothing':
      return set('smoothing', readSmoothing(text));
    case 'x': {
      const x = readX(text);
      // "x=metric&xtag=tokens" says the same in two words.
      if (text !== 'metric') view.xTag = x?.tag ?? view.xTag;
      return set('xAxis', x?.axis);
    }
    case 'xtag':
      if (text === '') return false;
      view.xAxis = 'metric';
      return set('xTag', text);
    case 'xscale':
      return set('xScale', oneOf(X_SCALES, text));
    case 'yscale':
      return set('yScale', oneOf(Y_SCALES, text));
    case 'outliers':
      return set('ignoreOutliers', text === 'show' ? false : text === 'ignore' ? true : undefined);
    case 'superseded':
      return set('showSuperseded', shownOrHidden(text));
    case 'annotations':
      return set('showAnnotations', shownOrHidden(text));
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
    case 'select':
      return set('selected', readSelected(text));
    case 'card':
      return readCard(pair.text, view);
    case 'spans':
      for (const item of itemsOf(pair)) {
        const span = oneOf([1, 2, 3] as const, Number(item.slice(0, Math.max(item.indexOf(':'), 0))));
        const id = item.slice(item.indexOf(':') + 1);
        if (span !== undefined && id !== '') changeCard(view, id, { span });
      }
      return true;
    case 'charts':
      return set('charts', readCharts(readJson(text)).parts);
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

function shownOrHidden(text: string): boolean | undefined {
  return text === 'show' ? true : text === 'hide' ? false : undefined;
}

/** As it was written, or as JSON usually is. */
function readJson(text: string): unknown {
  for (const json of [swapSigns(text), text]) {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      // Perhaps the other way.
    }
  }
  return [];
}

function readGrouping([what = '', ...more]: readonly string[]): Grouping | undefined {
  const by = readGroupBy(what);
  if (by === undefined) return undefined;
  const said = <T extends string>(words: readonly T[]): T | undefined =>
    words.find((word) => more.includes(word));
  return {
    by,
    center: said(CENTERS) ?? 'mean',
    band: said(BANDS) ?? 'std',
    areMembersShown: !more.includes('nomembers'),
  };
}

function readGroupBy(text: string): GroupBy | undefined {
  const kind = text.split(':', 1)[0]!;
  const rest = text.slice(kind.length + 1);
  if (kind === 'label') return { kind };
  if (kind === 'folder') {
    const depth = numberIn(rest || '1', 1, 100, true);
    return depth === undefined ? undefined : { kind, depth };
  }
  if (rest === '' || rest.length > 10_000) return undefined;
  if (kind === 'regex') return { kind, pattern: rest };
  return kind === 'field' || kind === 'column' ? { kind, name: rest } : undefined;
}

function readSelected(text: string): Selected | undefined {
  const from = numberIn(text, -Infinity, Infinity);
  if (from !== undefined) return { from, to: null };
  const range = readRange(text);
  return range && { from: range[0], to: range[1] };
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

function readCard(raw: string, view: ViewState): boolean {
  const [scaleText, rangeText, tagText] = raw.split(',');
  if (scaleText === undefined || rangeText === undefined || tagText === undefined) return false;
  const card: CardState = {};
  const yScale = oneOf(Y_SCALES, decodeText(scaleText));
  const yRange = readRange(decodeText(rangeText));
  if (yScale !== undefined) card.yScale = yScale;
  if (yRange !== undefined) card.yRange = yRange;
  if (yScale === undefined && yRange === undefined) return false;
  changeCard(view, decodeText(tagText), card);
  return true;
}

function changeCard({ cards }: ViewState, id: string, change: CardState): void {
  put(cards, id, { ...(Object.hasOwn(cards, id) ? cards[id] : undefined), ...change });
}

function itemsOf(pair: Pair): string[] {
  return pair.text
    .split(',')
    .filter((item) => item !== '')
    .map(decodeText);
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

/** Names come from a link: "__proto__" must become a key like any other. */
function put<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}
