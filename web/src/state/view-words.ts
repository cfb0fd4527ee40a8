// Writes the view as text behind the # of the URL, in the words that view-url.ts reads. Pure functions. Not needed before
// something changes: the first view does without it.
import type { Range } from '../chart/types';
import { defaultView } from './default-view';
import type { Grouping, Selected, Selection, ViewState } from './types';
import { encodeItem, encodeText, type Pair } from './url-text';
import { writeBaseline, writeChart, writeSmoothing, writeX, writeYRule } from './view-parts-text';
import { swapSigns, type NamedWords } from './view-url';

/** More text than this about single runs is not put into a URL: servers, chats and people choke on long ones. */
export const MOST_SELECTION_CHARS = 6000;

/** Longer links are cut by chats, mail programs and proxies; the view can be saved instead. */
export const MOST_LINK_CHARS = 8000;

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

const FILTER_WORDS = { regex: 'runFilter', text: 'runSearch', expression: 'runQuery' } as const;

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

/** Of a saved view, for reading a link that names it. */
export function namedWords(view: ViewState): NamedWords {
  return { dashboard: view.dashboard, words: wordsOf(view, true) };
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
  sayList(
    'media',
    Object.entries(view.media).map(([name, text]) => `${name}:${text}`),
  );
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
