// Reads the state that TensorBoard's links carry, so that links and bookmarks made for it show the same here:
//
//   #scalars&regexInput=baseline&tagFilter=loss&_smoothingWeight=0.8&_ignoreYOutliers=false&runSelectionState=<base64>
//   ?smoothing=0.8&runFilter=base&tagFilter=loss&pinnedCards=[{"plugin":"scalars","tag":"loss"}]&darkMode=true#timeseries
//
// Nothing of it is ever written; the page's own form takes its place in the URL.
import type { XAxis } from '../wire/client';
import type { Selection, ThemeChoice, TooltipSort, ViewState } from './types';
import { decodeText, type Pair } from './url-text';

const X_AXIS_OF: Readonly<Record<string, XAxis>> = { step: 'step', relative: 'relative', wall_time: 'wall' };
const SORT_OF: Readonly<Record<string, TooltipSort>> = {
  default: 'name',
  ascending: 'ascending',
  descending: 'descending',
  nearest: 'nearest',
};

/** Changes `view`; adds our words for what it found to `said`; returns the theme that is asked for. */
export function readTensorboard(
  query: readonly Pair[],
  hash: readonly Pair[],
  view: ViewState,
  said: Set<string>,
): ThemeChoice | null {
  let theme: ThemeChoice | null = null;
  const smoothen = (text: string): void => {
    const amount = Number(text);
    if (text.trim() === '' || !Number.isFinite(amount)) return;
    view.smoothing = { kind: 'ema', amount: Math.min(Math.max(amount, 0), 0.9999) };
    said.add('smoothing');
  };
  for (const pair of query) {
    const text = decodeText(pair.text);
    if (pair.word === 'darkMode') theme = text === 'true' ? 'dark' : text === 'false' ? 'light' : theme;
    else if (pair.word === 'smoothing') smoothen(text);
    else if (pair.word === 'runFilter' && text !== '') {
      view.runFilter = text;
      said.add('runFilter');
    } else if (pair.word === 'tagFilter' && text !== '') {
      view.tagFilter = text;
      said.add('tagFilter');
    } else if (pair.word === 'pinnedCards') {
      const pins = pinsOf(text);
      if (pins.length > 0) {
        view.pins = pins;
        said.add('pins');
      }
    }
  }
  for (const pair of hash) {
    const text = decodeText(pair.text);
    if (pair.word === '_smoothingWeight') smoothen(text);
    else if (pair.word === 'regexInput') {
      view.runFilter = text;
      said.add('runFilter');
    } else if (pair.word === '_ignoreYOutliers' && (text === 'true' || text === 'false')) {
      view.ignoreOutliers = text === 'true';
      said.add('outliers');
    } else if (pair.word === '_xType' && Object.hasOwn(X_AXIS_OF, text)) {
      view.xAxis = X_AXIS_OF[text]!;
      said.add('x');
    } else if (pair.word === '_tooltipSortingMethod' && Object.hasOwn(SORT_OF, text)) {
      view.tooltipSort = SORT_OF[text]!;
      said.add('tooltip');
    } else if (pair.word === 'runSelectionState') {
      const selection = selectionOf(text);
      if (selection !== null) {
        view.selection = selection;
        said.add('runs');
      }
    }
  }
  return theme;
}

function pinsOf(text: string): string[] {
  const cards = parseJson(text);
  if (!Array.isArray(cards)) return [];
  const tags = cards.flatMap((card: unknown) =>
    isRecord(card) && card['plugin'] === 'scalars' && typeof card['tag'] === 'string' ? [card['tag']] : [],
  );
  return [...new Set(tags)];
}

/**
 * {run: boolean}, of the runs that someone clicked. The others were shown in TensorBoard as long as there were not too
 * many – so: all but the hidden ones. Only shown ones: then those are what the link is about.
 */
function selectionOf(text: string): Selection | null {
  let state: unknown;
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    state = parseJson(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  if (!isRecord(state)) return null;
  const runs = Object.entries(state).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  );
  if (runs.length === 0) return null;
  const hidden = runs.filter(([, isOn]) => !isOn).map(([name]) => name);
  if (hidden.length === 0) return { rule: 'none', except: runs.map(([name]) => name) };
  return { rule: 'all', except: hidden };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
