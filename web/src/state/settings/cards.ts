// Single cards, and how they are arranged.
import type { CardState, ChartSpec, Section, YRule } from '../types';
import { Y_SCALES } from './charts';
import { decodeText, encodeItem, encodeText, itemsOf, joinItems, swapSigns, type Pair } from './link-text';
import {
  oneOf,
  optionalSetting,
  ownWord,
  sayList,
  type PlaceInFile,
  type Traits,
  type ViewSetting,
} from './setting';
import {
  readCharts,
  readRange,
  readSections,
  readYRules,
  writeChart,
  writeRange,
  writeYRule,
} from './view-parts';

type Cards = Readonly<Record<string, CardState>>;

/** "card=log,0..1,tag" and "spans=2:tag,3:tag". */
const cards: ViewSetting<Cards> = {
  words: ['card', 'spans'],
  usual: {},
  read: (pairs) => {
    const all = pairs.flatMap(({ word, text }) => (word === 'card' ? readCard(text) : readSpans(text)));
    const byId = new Map<string, CardState>();
    for (const [id, state] of all) byId.set(id, { ...byId.get(id), ...state });
    return all.length === 0 ? undefined : Object.fromEntries(byId);
  },
  write: (value) => {
    const entries = Object.entries(value);
    const spans = entries.flatMap(([id, { span = 1 }]) => (span > 1 ? [`${span}:${id}`] : []));
    return [...entries.flatMap(writeCard), ...sayList('spans', spans)];
  },
};

function readCard(raw: string): [string, CardState][] {
  const [scaleText, rangeText, idText] = raw.split(',').map(decodeText);
  const yScale = oneOf(Y_SCALES, scaleText);
  const yRange = readRange(rangeText ?? '');
  if (idText === undefined || (yScale === undefined && yRange === undefined)) return [];
  return [[idText, { ...(yScale && { yScale }), ...(yRange && { yRange }) }]];
}

function readSpans(raw: string): [string, CardState][] {
  return itemsOf(raw).flatMap((item): [string, CardState][] => {
    const [, number, id] = /^([123]):(.+)$/s.exec(item) ?? [];
    const span = oneOf([1, 2, 3] as const, Number(number));
    return span === undefined || id === undefined ? [] : [[id, { span }]];
  });
}

function writeCard([id, { yScale, yRange }]: [string, CardState]): Pair[] {
  if (!yRange && !yScale) return [];
  const range = yRange ? encodeText(writeRange(yRange)) : '';
  return [{ word: 'card', text: `${yScale ?? ''},${range},${encodeItem(id)}` }];
}

/** What people make and pass on: a list that has a place of its own in files. */
function partsSetting<T>(
  word: string,
  inFile: PlaceInFile<T>,
  read: (pairs: readonly Pair[]) => unknown,
  write: (parts: readonly T[]) => readonly string[],
  traits: Traits = {},
): ViewSetting<readonly T[]> {
  return {
    ...traits,
    words: [word],
    usual: [],
    inFile,
    read: (pairs) => {
      const { parts } = inFile.read(read(pairs));
      return parts.length === 0 ? undefined : parts;
    },
    write: (parts) => (parts.length === 0 ? [] : write(parts).map((text) => ({ word, text }))),
  };
}

const yRules = partsSetting<YRule>(
  'ylimits',
  { key: 'yRules', name: 'the rules for limits', read: readYRules, write: writeYRule },
  (pairs) =>
    pairs.map(({ text }) => {
      const [limits, pattern] = itemsOf(text);
      return { limits, pattern };
    }),
  (rules) => rules.map(writeYRule).map(({ limits, pattern }) => joinItems([limits, pattern])),
  { isOfCharts: true },
);

const sections = partsSetting<Section>(
  'section',
  { key: 'sections', name: 'the sections', read: readSections, write: (section) => section },
  (pairs) =>
    pairs.map(({ text }) => {
      const [name, ...ids] = itemsOf(text);
      return { name, cards: ids };
    }),
  (all) => all.map(({ name, cards: ids }) => joinItems([name, ...ids])),
);

const charts = partsSetting<ChartSpec>(
  'charts',
  { key: 'charts', name: 'the charts and their lines', read: readCharts, write: writeChart },
  (pairs) => parseJson(decodeText(pairs.at(-1)!.text)),
  (all) => [encodeText(swapSigns(JSON.stringify(all.map(writeChart))))],
);

/** As it was written, or as JSON usually is. */
function parseJson(text: string): unknown {
  for (const json of [swapSigns(text), text]) {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      // Perhaps the other way.
    }
  }
  return [];
}

/** Of groups, whether they are closed. */
const groups: ViewSetting<Readonly<Record<string, boolean>>> = {
  words: ['closed', 'open'],
  usual: {},
  read: (pairs) =>
    Object.fromEntries(
      pairs.flatMap(({ word, text }) => itemsOf(text).map((name) => [name, word === 'closed'])),
    ),
  write: (value) => {
    const namesOf = (isWanted: boolean): string[] =>
      Object.keys(value).filter((name) => value[name] === isWanted);
    return [...sayList('closed', namesOf(true)), ...sayList('open', namesOf(false))];
  },
};

export const CARD_SETTINGS = {
  /** Typed y limits, scales and sizes of single cards, by id. */
  cards,
  /** Limits of y for all cards whose tag matches; the first rule that matches counts, a card's own limits come first. */
  yRules,
  /** Sections that were arranged by hand, above the ones by prefix. */
  sections,
  /** Charts that were put together by hand. */
  charts,
  /** Collapsed (true) or opened (false) groups that differ from the default. */
  groups,
  /** The id of the card in full screen. A saved view has none: it is where one is, not how things are arranged. */
  fullScreenCard: ownWord(
    optionalSetting<string>('full', (text) => text),
    { isLeftOutOfFiles: true },
  ),
};
