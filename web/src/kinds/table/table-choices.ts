// How the tables of each tag are looked at, as a word of links and saved views: the order, the search, the filters, the columns. Columns
// are known by their keys (column-keys.ts), because runs may have other ones. A link is passed on by people and chats, so it has room for the tags that were
// changed last, and texts have a largest length. What makes no sense in a link is left out.
import { swapSigns } from '../../state/settings/link-text';
import type { Setting } from '../../state/settings/setting';
import { NO_FILTER, type TypedFilter } from './filters';

export interface TableChoices {
  /** Searched for in all cells. */
  readonly text: string;
  /** null: as logged. */
  readonly sort: { readonly column: string; readonly isDescending: boolean } | null;
  readonly filters: ReadonlyMap<string, TypedFilter>;
  readonly areFiltersShown: boolean;
  readonly hidden: readonly string[];
}

export const NO_CHOICES: TableChoices = {
  ...{ text: '', sort: null, filters: new Map(), areFiltersShown: false, hidden: [] },
};

export const MOST_TEXT_CHARS = 200;
/** Of the word, before signs are escaped. */
export const MOST_CHARS = 3000;
const MOST_TAGS = 20;
/** The server takes no more. */
const MOST_FILTERS = 100;
/** Of a key: the server cuts names at a thousand, and a number may follow. */
const MOST_KEY_CHARS = 1010;

type ByTag = ReadonlyMap<string, TableChoices>;
const NONE: ByTag = new Map();

/** By tag, the one that was changed last at the end. */
export const TABLES: Setting<ByTag> = {
  word: 'tables',
  usual: NONE,
  read: (text) => readOnce(text),
  write: (choices) => swapSigns(JSON.stringify(shortened([...choices].map(plainOf)))),
};

/** The choices with those of a tag changed; null: the tag's alone are too long for a link. */
export function withChoices(all: ByTag, tag: string, choices: TableChoices): ByTag | null {
  if (JSON.stringify(plainOf([tag, choices])).length > MOST_CHARS) return null;
  const others = [...all].filter(([name]) => name !== tag);
  const isNone = JSON.stringify(plainOf(['', choices])) === JSON.stringify(plainOf(['', NO_CHOICES]));
  if (isNone && others.length === 0) return NONE;
  return new Map(isNone ? others : [...others, [tag, choices]]);
}

/** What stands in the link. Short names: they are in it often. */
interface PlainChoices {
  readonly find?: string;
  /** "+column" or "-column". */
  readonly sort?: string;
  /** Key and text, or key, least and greatest, and the text behind them if there is one, too. */
  readonly filters?: readonly (readonly string[])[];
  readonly open?: 1;
  readonly hide?: readonly string[];
}

function plainOf([tag, choices]: readonly [string, TableChoices]): readonly [string, PlainChoices] {
  const { text, sort, filters, areFiltersShown, hidden } = choices;
  return [
    tag,
    {
      ...(text === '' ? {} : { find: text }),
      ...(sort === null ? {} : { sort: `${sort.isDescending ? '-' : '+'}${sort.column}` }),
      ...(filters.size === 0
        ? {}
        : {
            filters: [...filters].map(([name, { text: has, least, greatest }]) => {
              const bounds = [least, greatest];
              return [
                name,
                ...(has === '' ? bounds : bounds.some((one) => one !== '') ? [...bounds, has] : [has]),
              ];
            }),
          }),
      ...(areFiltersShown ? { open: 1 } : {}),
      ...(hidden.length === 0 ? {} : { hide: hidden }),
    },
  ];
}

/** The longest ago go first. */
function shortened<T>(byTag: readonly T[]): readonly T[] {
  let kept = byTag.slice(-MOST_TAGS);
  while (kept.length > 1 && JSON.stringify(kept).length > MOST_CHARS) kept = kept.slice(1);
  return kept;
}

let lastRead: { readonly text: string; readonly found: ByTag | undefined } | null = null;

/** Every cell of every table asks. */
function readOnce(text: string): ByTag | undefined {
  if (lastRead?.text !== text) lastRead = { text, found: read(text) };
  return lastRead.found;
}

function read(text: string): ByTag | undefined {
  let plain: unknown;
  try {
    plain = JSON.parse(swapSigns(text));
  } catch {
    return undefined;
  }
  const byTag = listOf(plain, MOST_TAGS).flatMap((one): [string, TableChoices][] => {
    if (!Array.isArray(one) || typeof one[0] !== 'string') return [];
    const choices = choicesFrom(one[1]);
    return choices === null ? [] : [[one[0], choices]];
  });
  return byTag.length === 0 ? undefined : new Map(byTag);
}

function choicesFrom(value: unknown): TableChoices | null {
  if (typeof value !== 'object' || value === null) return null;
  const { find, sort, filters, open, hide } = value as Record<keyof PlainChoices, unknown>;
  const order = textOf(sort, MOST_KEY_CHARS + 1);
  return {
    text: textOf(find),
    sort: /^[+-]/.test(order) ? { column: order.slice(1), isDescending: order.startsWith('-') } : null,
    filters: new Map(listOf(filters, MOST_FILTERS).flatMap(filterFrom)),
    areFiltersShown: open === 1,
    hidden: listOf(hide, MOST_CHARS).filter((name) => typeof name === 'string'),
  };
}

function filterFrom(value: unknown): [string, TypedFilter][] {
  const [name, first, second, third] = listOf(value, 4);
  if (typeof name !== 'string') return [];
  const isText = second === undefined;
  const filter = isText
    ? { ...NO_FILTER, text: textOf(first) }
    : { text: textOf(third), least: textOf(first), greatest: textOf(second) };
  return Object.values(filter).every((text) => text === '') ? [] : [[name, filter]];
}

function listOf(value: unknown, most: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [];
}

function textOf(value: unknown, mostChars = MOST_TEXT_CHARS): string {
  return typeof value === 'string' ? value.slice(0, mostChars) : '';
}
