// The run table.
import { RUN_FACTS } from '../run-facts';
import { decodeText, encodeText, itemsOf, type Pair } from './link-text';
import { numberIn, sayList, type ViewSetting } from './setting';
import { unique } from './view-parts';

export interface TableState {
  /** '': nobody has chosen; by name, or the latest first where only those are shown. */
  readonly sortBy: string;
  readonly isDescending: boolean;
  readonly isTree: boolean;
  /** Columns that are shown, in order: 'status', 'labels', 'note', 'field:<hyper-parameter>', 'metric:<tag>' … */
  readonly columns: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
}

export const USUAL_COLUMNS: readonly string[] = RUN_FACTS.filter(({ column }) => column?.isUsual).map(
  ({ id }) => id,
);
const USUAL: TableState = {
  sortBy: '',
  isDescending: false,
  isTree: false,
  columns: USUAL_COLUMNS,
  widths: {},
};

function readWidths(text: string): TableState['widths'] {
  return Object.fromEntries(
    itemsOf(text).flatMap((item) => {
      const colon = item.indexOf(':');
      const width = numberIn(item.slice(0, Math.max(colon, 0)), 0, 10_000);
      return width === undefined ? [] : [[item.slice(colon + 1), width]];
    }),
  );
}

function readWord({ word, text: raw }: Pair): Partial<TableState> | undefined {
  const text = decodeText(raw);
  switch (word) {
    case 'sort':
      if (text.length < 2 && !/^[+-]$/.test(text)) return undefined;
      return { isDescending: text.startsWith('-'), sortBy: text.replace(/^[+-]/, '') };
    case 'tree':
      return { isTree: text === 'on' };
    case 'columns':
      return { columns: unique(itemsOf(raw)) };
    default:
      return { widths: readWidths(raw) };
  }
}

const table: ViewSetting<TableState> = {
  words: ['sort', 'tree', 'columns', 'widths'],
  usual: USUAL,
  isHabit: true,
  read: (pairs) => {
    const said = pairs.map(readWord).filter((part) => part !== undefined);
    return said.length === 0
      ? undefined
      : said.reduce<TableState>((all, part) => ({ ...all, ...part }), USUAL);
  },
  write: ({ sortBy, isDescending, isTree, columns, widths }, _, isForOthers) => {
    const isSorted = sortBy !== '' || isDescending;
    const areColumnsUsual = columns.join('\n') === USUAL_COLUMNS.join('\n');
    return [
      ...(isSorted ? [{ word: 'sort', text: (isDescending ? '-' : '+') + encodeText(sortBy) }] : []),
      ...(isTree ? [{ word: 'tree', text: 'on' }] : []),
      ...(areColumnsUsual && !isForOthers ? [] : sayList('columns', columns, true)),
      ...sayList(
        'widths',
        Object.entries(widths).map(([column, width]) => `${width}:${column}`),
        isForOthers,
      ),
    ];
  },
};

export const TABLE_SETTINGS = { table };
