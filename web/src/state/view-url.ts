// Reads the view that stands behind the # of the URL. Pure functions; view-words.ts writes it, url-sync.svelte.ts talks to
// the browser.
//
//   #scalars&runFilter=baseline&smoothing=0.8&runs=none&show=a/1,a/2&xrange=0..5000
//   #scalars&view=paper&smoothing=0.8
//
// First the dashboard, then what differs from the default – or from the saved view that is named – under short words a
// person can read and change. Lists are divided by commas (a comma inside of an item is %2C). TensorBoard's own forms are
// read too: tensorboard-url.ts. Whatever stands there, reading never fails: what makes no sense is left out.
import { DEFAULT_DASHBOARD, DEFAULT_SELECTION, defaultView } from './default-view';
import type * as TensorboardUrl from './tensorboard-url';
import type { CardState, GroupBy, Grouping, Selected, Selection, ThemeChoice, ViewState } from './types';
import { decodeText, pairsOfHash, pairsOfSearch, type Pair } from './url-text';
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
} from './view-parts';

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

/** Words of TensorBoard's query, which mean the same in our hash except for pinnedCards and darkMode. */
const TENSORBOARD_QUERY = /^(smoothing|runFilter|tagFilter|pinnedCards|darkMode)$/;
/** Words of its hash. */
const TENSORBOARD_HASH =
  /[#&](_smoothingWeight|regexInput|_ignoreYOutliers|_xType|_tooltipSortingMethod|runSelectionState)=/;

/** Whether the word in the query of the page's URL is taken over into the hash, and must then go from the query. */
export function isTensorboardQuery(word: string): boolean {
  return TENSORBOARD_QUERY.test(word);
}

/** What reads TensorBoard's links; only they need it. */
let tensorboard: typeof TensorboardUrl | null = null;

/** To be called, and waited for, before a URL is read. null: it can be read at once. */
export function readerFor({ hash, search }: { hash: string; search: string }): Promise<void> | null {
  const isTensorboards =
    TENSORBOARD_HASH.test(hash) || pairsOfSearch(search).some(({ word }) => isTensorboardQuery(word));
  return isTensorboards && tensorboard === null ? loadTensorboardReader() : null;
}

export async function loadTensorboardReader(): Promise<void> {
  tensorboard ??= await import('./tensorboard-url');
}

/** What a saved view says, which a link needs only to name. */
export interface NamedWords {
  readonly dashboard: string;
  readonly words: readonly Pair[];
}

const Y_SCALES = ['linear', 'log', 'symlog'] as const;
const X_SCALES = ['linear', 'log'] as const;
const TOOLTIP_SORTS = ['nearest', 'descending', 'ascending', 'name'] as const;
const CENTERS: readonly Grouping['center'][] = ['mean', 'median'];
const BANDS: readonly Grouping['band'][] = ['std', 'sem', 'ci', 'quartiles', 'minmax', 'none'];

/** JSON is full of signs that a URL has to escape; these stand in for them. Done twice, nothing has changed. */
export function swapSigns(text: string): string {
  const SIGNS = `"'{(})`;
  return text.replace(/["'{}()]/g, (sign) => SIGNS[SIGNS.indexOf(sign) ^ 1]!);
}

/**
 * `hash` and `search` as in `location`, with or without their first character. `named`: what the saved view says that the
 * hash names, once it is there.
 */
export function parseView(hash: string, search = '', named: NamedWords | null = null): ParsedView {
  const { dashboard, pairs } = pairsOfHash(hash);
  const parsed = parseWords(named === null ? pairs : withNamed(pairs, named.words), pairsOfSearch(search));
  parsed.view.dashboard = dashboard || (dashboard === null && named?.dashboard) || DEFAULT_DASHBOARD;
  return parsed;
}

/** What a URL says counts before what the saved view says. */
function withNamed(pairs: readonly Pair[], saved: readonly Pair[]): Pair[] {
  const said = new Set(pairs.map(({ word }) => word));
  for (const pair of pairs) if (pair.word === 'reset') for (const word of itemsOf(pair)) said.add(word);
  if (said.has('saved')) said.add('hide').add('show');
  return [...saved.filter(({ word }) => !said.has(word)), ...pairs];
}

export function parseWords(pairs: readonly Pair[], query: readonly Pair[] = []): ParsedView {
  const view = defaultView();
  const said = new Set<string>();
  const theme = tensorboard?.readTensorboard(query, pairs, view, said) ?? null;
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
    case 'media':
      return set(
        'media',
        Object.fromEntries(itemsOf(pair).map((item) => item.split(/:(.*)/s) as [string, string])),
      );
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
