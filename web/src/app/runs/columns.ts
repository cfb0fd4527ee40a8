// The run table's columns: what each is called, how wide it is, what it shows and by what it is sorted. Plain data and
// functions of a run, so that sorting and showing can be tested without a page. The name is always there and is not a column
// that can be hidden; metrics are columns whose id is "metric:" and the tag, hyper-parameters "field:" and the name.
import { formatValue } from '../../base/format';
import { factOfRow, RUN_FACTS, type RunAccess, type RunFact } from '../../state/run-facts';
import type { Run } from '../../state/types';

export interface Column {
  readonly id: string;
  readonly label: string;
  /** Longer than the label, for menus and tooltips. */
  readonly title: string;
  readonly widthPx: number;
  /** Aligned at the end, and first sorted with the greatest on top. */
  readonly isNumeric: boolean;
  /** What it is sorted by; null: nothing there, which comes last in both directions. */
  valueOf(run: Run, access: RunAccess): number | string | null;
  textOf(run: Run, access: RunAccess): string;
  /** More about it, on hover. */
  hintOf?(run: Run, access: RunAccess): string;
}

export const NAME_COLUMN_ID = 'name';
/** With the status it fills the side bar as it is at first, so that no column is cut in two. */
export const NAME_WIDTH_PX = 235;
export const LEAST_NAME_WIDTH_PX = 110;

const NAME_COLUMN: Column = {
  id: NAME_COLUMN_ID,
  label: 'Run',
  title: 'Run',
  widthPx: NAME_WIDTH_PX,
  isNumeric: false,
  valueOf: (run) => run.name,
  textOf: (run) => run.name,
};

/** Those that every log has, in the order in which they are offered. */
export const FIXED_COLUMNS: readonly Column[] = RUN_FACTS.flatMap(columnOfFact);

function columnOfFact(fact: RunFact): Column[] {
  const { id, kind, column } = fact;
  if (column === undefined) return [];
  const { label, title = label, widthPx, isNumeric = kind === 'number' || kind === 'time' } = column;
  /** What is there, made into something else. */
  const made = <T>(run: Run, access: RunAccess, make: (value: unknown) => T, nothing: T): T => {
    const value = factOfRow(fact, run, access) ?? null;
    return value === null ? nothing : make(value);
  };
  return [
    {
      ...{ id, label, title, widthPx, isNumeric },
      valueOf: (run, access) =>
        made(
          run,
          access,
          (value) => (column.sortBy ? column.sortBy(value) : (value as number | string)),
          null,
        ),
      textOf: (run, access) => made(run, access, (value) => column.text(value, access.nowS), ''),
      hintOf: (run, access) => made(run, access, (value) => column.hint?.(value, run, access.nowS) ?? '', ''),
    },
  ];
}

const METRIC_PREFIX = 'metric:';
const FIELD_PREFIX = 'field:';

export function metricColumnId(tag: string): string {
  return METRIC_PREFIX + tag;
}

/** null: not a metric. */
export function tagOfColumn(id: string): string | null {
  return id.startsWith(METRIC_PREFIX) ? id.slice(METRIC_PREFIX.length) : null;
}

export function fieldColumnId(name: string): string {
  return FIELD_PREFIX + name;
}

/** The hyper-parameter of a column; null: not one. */
export function fieldOfColumn(id: string): string | null {
  return id.startsWith(FIELD_PREFIX) ? id.slice(FIELD_PREFIX.length) : null;
}

/** The column of this id; null for one that this version does not know (an old or newer link). */
export function columnOf(id: string): Column | null {
  if (id === NAME_COLUMN_ID) return NAME_COLUMN;
  const tag = tagOfColumn(id);
  if (tag !== null) return tag === '' ? null : metricColumn(tag);
  const field = fieldOfColumn(id);
  if (field !== null) return field === '' ? null : fieldColumn(field);
  return FIXED_COLUMNS.find((column) => column.id === id) ?? null;
}

/** Those of the ids that are columns beside the name, each once, in order. */
export function columnsOf(ids: readonly string[]): Column[] {
  return [...new Set(ids)]
    .filter((id) => id !== NAME_COLUMN_ID)
    .map(columnOf)
    .filter((column) => column !== null);
}

/** The list with this column shown or hidden. Fixed columns come back in their usual order, the others at the end. */
export function withColumn(ids: readonly string[], id: string, isShown: boolean): string[] {
  const without = ids.filter((other) => other !== id);
  if (!isShown) return without;
  const place = FIXED_COLUMNS.findIndex((column) => column.id === id);
  if (place < 0) return [...without, id];
  const after = new Set(FIXED_COLUMNS.slice(place + 1).map((column) => column.id));
  const index = without.findIndex((other) => after.has(other) || other.includes(':'));
  return index < 0 ? [...without, id] : [...without.slice(0, index), id, ...without.slice(index)];
}

function metricColumn(tag: string): Column {
  return {
    id: metricColumnId(tag),
    label: tag,
    title: `Last value of ${tag}`,
    widthPx: 88,
    isNumeric: true,
    valueOf: (run, access) => access.last(tag, run.id) ?? null,
    textOf: (run, access) => textOrNothing(access.last(tag, run.id) ?? null, (value) => formatValue(value)),
    hintOf: (run, access) => textOrNothing(access.last(tag, run.id) ?? null, String),
  };
}

function fieldColumn(name: string): Column {
  return {
    id: fieldColumnId(name),
    label: name,
    title: `Hyper-parameter ${name}`,
    widthPx: 80,
    // Numbers and words may be mixed: each is aligned by what it is.
    isNumeric: false,
    valueOf: (run, access) => {
      const value = access.field(name, run.id);
      return value === undefined ? null : typeof value === 'boolean' ? String(value) : value;
    },
    textOf: (run, access) => {
      const value = access.field(name, run.id);
      return typeof value === 'number' ? formatValue(value) : String(value ?? '');
    },
    hintOf: (run, access) => String(access.field(name, run.id) ?? ''),
  };
}

function textOrNothing(value: number | null, format: (value: number) => string): string {
  return value === null ? '' : format(value);
}
