// How all charts draw their lines, and which part of them is shown.
import type { Range, XScale, YScale } from '../../chart/types';
import type { XAxis } from '../../wire/client';
import type { Selected, TooltipSort } from '../types';
import { decodeText, encodeText, type Pair } from './link-text';
import {
  choiceSetting,
  flagSetting,
  numberIn,
  optionalSetting,
  ownList,
  ownWord,
  type Setting,
  type ViewSetting,
} from './setting';
import { SMOOTHING } from './smoothing';
import { readRange, readX, unique, writeRange, writeX } from './view-parts';

const X_SCALES: readonly XScale[] = ['linear', 'log'];
export const Y_SCALES: readonly YScale[] = ['linear', 'log', 'symlog'];
const TOOLTIP_SORTS: readonly TooltipSort[] = ['nearest', 'descending', 'ascending', 'name'];

/** "x=metric:tokens" says axis and tag, and so does "x=metric&xtag=tokens". */
const X_WORDS = ['x', 'xtag'];

function readXWords(pairs: readonly Pair[]): { axis: XAxis; tag: string } | undefined {
  const said = pairs.map(({ word, text }) => readX(`${word === 'x' ? '' : 'metric:'}${decodeText(text)}`));
  return said.findLast((x) => x !== undefined);
}

const xAxis: ViewSetting<XAxis, { readonly xTag: string }> = {
  words: X_WORDS,
  usual: 'step',
  isOfCharts: true,
  read: (pairs) => readXWords(pairs)?.axis,
  write: (axis, { xTag }) => (axis === 'step' ? [] : [{ word: 'x', text: encodeText(writeX(axis, xTag)) }]),
};

const xTag: ViewSetting<string> = {
  words: X_WORDS,
  usual: '',
  isOfCharts: true,
  read: (pairs) => readXWords(pairs)?.tag,
  write: () => [],
};

const tooltipRows: Setting<number> = {
  word: 'rows',
  usual: 5,
  read: (text) => numberIn(text, 1, 10_000, true),
  write: String,
};

function readSelected(text: string): Selected | undefined {
  const from = numberIn(text, -Infinity, Infinity);
  if (from !== undefined) return { from, to: null };
  const range = readRange(text);
  return range && { from: range[0], to: range[1] };
}

function writeSelected({ from, to }: Selected): string {
  return to === null ? String(from) : writeRange([from, to]);
}

const shownFlag = (word: string, usual: boolean): Setting<boolean> =>
  flagSetting(word, usual, ['show', 'hide']);

export const CHART_SETTINGS = {
  smoothing: ownWord(SMOOTHING, { isHabit: true, isOfCharts: true }),
  xAxis,
  /** The tag whose values are x with xAxis 'metric'; with another axis the one that was chosen last. '' : none. */
  xTag,
  xScale: ownWord(choiceSetting('xscale', 'linear', X_SCALES), { isOfCharts: true }),
  yScale: ownWord(choiceSetting('yscale', 'linear', Y_SCALES), { isOfCharts: true }),
  ignoreOutliers: ownWord(flagSetting('outliers', true, ['ignore', 'show']), {
    isHabit: true,
    isOfCharts: true,
  }),
  showSuperseded: ownWord(shownFlag('superseded', false), { isOfCharts: true }),
  showAnnotations: ownWord(shownFlag('annotations', true), { isOfCharts: true }),
  tooltipSort: ownWord(choiceSetting('tooltip', 'nearest', TOOLTIP_SORTS), {
    isHabit: true,
    isOfCharts: true,
  }),
  /** Rows shown in a tooltip. */
  tooltipRows: ownWord(tooltipRows, { isHabit: true, isOfCharts: true }),
  /** Least width of a card in CSS pixels; null: chosen by the page. */
  cardWidthPx: ownWord(
    optionalSetting('width', (text) => numberIn(text, 100, 10_000)),
    { isHabit: true, isOfCharts: true },
  ),
  /** Ids of pinned cards, in order. */
  pins: ownList<readonly string[]>({
    ...{ word: 'pins', usual: [], read: unique, write: (pins) => pins },
    isSaidToOthers: true,
    isHabit: true,
  }),
  /** x range shared by all cards; null: everything. */
  xRange: ownWord(optionalSetting<Range>('xrange', readRange, writeRange), {
    isLookedAt: true,
    isOfAxis: true,
    isOfCharts: true,
  }),
  /** Where the values table of every card is read: one x, or a range; null: no selector. */
  selected: ownWord(optionalSetting<Selected>('select', readSelected, writeSelected), {
    isLookedAt: true,
    isOfAxis: true,
    isOfCharts: true,
  }),
};
