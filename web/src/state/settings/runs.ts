// Which runs are shown, and how they are put together and compared.
import type { Baseline, GroupBy, Grouping, RunFilterKind, Selection } from '../types';
import { decodeText, encodeText, itemsOf } from './link-text';
import {
  flagSetting,
  numberIn,
  oneOf,
  optionalSetting,
  ownList,
  ownWord,
  sayList,
  textSetting,
  type ViewSetting,
} from './setting';
import { readBaseline, unique, writeBaseline } from './view-parts';

const CENTERS: readonly Grouping['center'][] = ['mean', 'median'];
const BANDS: readonly Grouping['band'][] = ['std', 'sem', 'ci', 'quartiles', 'minmax', 'none'];

/** The word says which kind of filter its text is. */
const FILTER_WORDS = { regex: 'runFilter', text: 'runSearch', expression: 'runQuery' } as const;
const FILTER_KINDS = Object.keys(FILTER_WORDS) as RunFilterKind[];
const ALL_FILTER_WORDS = Object.values(FILTER_WORDS);

const runFilter: ViewSetting<string, { readonly runFilterKind: RunFilterKind }> = {
  words: ALL_FILTER_WORDS,
  usual: '',
  isLookedAt: true,
  read: (pairs) => decodeText(pairs.at(-1)!.text),
  write: (text, { runFilterKind }) =>
    text === '' && runFilterKind === 'regex'
      ? []
      : [{ word: FILTER_WORDS[runFilterKind], text: encodeText(text) }],
};

const runFilterKind: ViewSetting<RunFilterKind> = {
  words: ALL_FILTER_WORDS,
  usual: 'regex',
  isLookedAt: true,
  isHabit: true,
  read: (pairs) => FILTER_KINDS.find((kind) => FILTER_WORDS[kind] === pairs.at(-1)!.word),
  write: () => [],
};

export const USUAL_SELECTION: Selection = { rule: 'auto', except: [] };
/** The words of single runs, of which a link has no room for thousands. */
export const LONG_SELECTION_WORDS: readonly string[] = ['hide', 'show'];

const selection: ViewSetting<Selection> = {
  words: ['runs', ...LONG_SELECTION_WORDS],
  usual: USUAL_SELECTION,
  isLookedAt: true,
  read: (pairs) => {
    const namesOf = (wanted: string): string[] =>
      unique(pairs.flatMap(({ word, text }) => (word === wanted ? itemsOf(text) : [])));
    const rule = decodeText(pairs.findLast(({ word }) => word === 'runs')?.text ?? '');
    return readSelection(rule, namesOf('hide'), namesOf('show'));
  },
  write: (value) => {
    const { rule, except } = value;
    if (rule === 'auto' && except.length === 0) return [];
    return [
      { word: 'runs', text: rule === 'latest' ? `latest:${value.count}` : rule },
      ...sayList('hide', rule === 'none' ? [] : except),
      ...sayList('show', rule === 'none' ? except : rule === 'latest' ? value.also : []),
    ];
  },
};

function readSelection(
  rule: string,
  hide: readonly string[],
  show: readonly string[],
): Selection | undefined {
  const latest = /^latest:(\d{1,6})$/.exec(rule);
  if (latest) return { rule: 'latest', count: Number(latest[1]), except: hide, also: show };
  if (rule === 'none') return { rule, except: show };
  if (rule === 'all' || rule === 'auto') return { rule, except: hide };
  // Written by hand: names alone say enough.
  if (show.length > 0) return { rule: 'none', except: show };
  if (hide.length > 0) return { rule: 'all', except: hide };
  return rule === '' ? undefined : USUAL_SELECTION;
}

/** "folder:1,median,ci,nomembers"; what is not said is mean, std, members. */
function readGrouping([what = '', ...more]: readonly string[]): Grouping | undefined {
  const by = readGroupBy(what);
  return (
    by && {
      by,
      center: CENTERS.find((word) => more.includes(word)) ?? 'mean',
      band: BANDS.find((word) => more.includes(word)) ?? 'std',
      areMembersShown: !more.includes('nomembers'),
    }
  );
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
  const named = oneOf(['field', 'column'] as const, kind);
  return named && { kind: named, name: rest };
}

function writeGrouping({ by, center, band, areMembersShown }: Grouping): string[] {
  const { kind } = by;
  const rest = kind === 'folder' ? by.depth : kind === 'regex' ? by.pattern : kind === 'label' ? '' : by.name;
  return [
    kind === 'label' ? kind : `${kind}:${rest}`,
    ...(center === 'mean' ? [] : [center]),
    ...(band === 'std' ? [] : [band]),
    ...(areMembersShown ? [] : ['nomembers']),
  ];
}

export const RUN_SETTINGS = {
  runFilter,
  /** regex: a JavaScript regular expression on the name, as in TensorBoard. expression: `lr < 0.01 and label = "paper"`. */
  runFilterKind,
  tagFilter: ownWord(textSetting('tagFilter'), { isLookedAt: true }),
  /** Which runs are shown: a rule plus exceptions by name, so that runs which appear later fall under the rule. */
  selection,
  showArchived: ownWord(flagSetting('archived', false, ['show', 'hide'])),
  /** How runs are put together; null: every run is a line of its own. */
  grouping: ownList<Grouping | null>({
    word: 'group',
    usual: null,
    read: readGrouping,
    write: (grouping) => (grouping === null ? [] : writeGrouping(grouping)),
  }),
  /** What all charts are compared with; null: nothing. The run by name. */
  baseline: ownWord(optionalSetting<Baseline>('baseline', readBaseline, writeBaseline), { isOfCharts: true }),
};
