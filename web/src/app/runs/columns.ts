// The run table's columns: what each is called, how wide it is, what it shows and by what it is sorted. Plain data and
// functions of a run, so that sorting and showing can be tested without a page. The name is always there and is not a column
// that can be hidden; metrics are columns whose id is "metric:" and the tag, hyper-parameters "field:" and the name.
import { formatInteger, formatValue } from '../../base/format';
import { formatAbsolute, formatDuration, formatRelative } from '../../base/time';
import type { FieldValue } from '../../state/feeds/run-fields.svelte';
import type { Run, RunStatus } from '../../state/types';
import { formatBytes } from '../../base/file-size';

/** What a cell needs beside its run. */
export interface ColumnContext {
  readonly nowS: number;
  lastValue(tag: string, id: number): number | undefined;
  readonly labelsOf: (id: number) => readonly string[];
  readonly noteOf: (id: number) => string;
  readonly isFavourite: (id: number) => boolean;
  /** A hyper-parameter. */
  field(name: string, id: number): FieldValue | undefined;
}

export interface Column {
  readonly id: string;
  readonly label: string;
  /** Longer than the label, for menus and tooltips. */
  readonly title: string;
  readonly widthPx: number;
  /** Aligned at the end, and first sorted with the greatest on top. */
  readonly isNumeric: boolean;
  /** What it is sorted by; null: nothing there, which comes last in both directions. */
  valueOf(run: Run, context: ColumnContext): number | string | null;
  textOf(run: Run, context: ColumnContext): string;
  /** More about it, on hover. */
  hintOf?(run: Run, context: ColumnContext): string;
}

export const NAME_COLUMN_ID = 'name';
export const LEAST_WIDTH_PX = 48;
/** With the status it fills the side bar as it is at first, so that no column is cut in two. */
export const NAME_WIDTH_PX = 235;
export const LEAST_NAME_WIDTH_PX = 110;

/** Of a note: more is in the details. */
const MOST_HINT_LENGTH = 400;

/** What needs attention first. */
const STATUS_ORDER: Record<RunStatus, number> = {
  running: 0,
  stalled: 1,
  crashed: 2,
  interrupted: 3,
  finished: 4,
};

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
export const FIXED_COLUMNS: readonly Column[] = [
  {
    id: 'favourite',
    label: '★',
    title: 'Favourite',
    widthPx: LEAST_WIDTH_PX,
    // The first press brings them to the top; the others have nothing to be sorted by.
    isNumeric: true,
    valueOf: (run, { isFavourite }) => (isFavourite(run.id) ? 1 : null),
    textOf: (run, { isFavourite }) => (isFavourite(run.id) ? '★' : ''),
  },
  {
    id: 'status',
    label: 'Status',
    title: 'Status',
    widthPx: 104,
    isNumeric: false,
    valueOf: (run) => STATUS_ORDER[run.status],
    textOf: (run) => run.status,
    hintOf: (run, { nowS }) => describeStatus(run, nowS),
  },
  {
    id: 'last_step',
    label: 'Step',
    title: 'Last step',
    widthPx: 72,
    isNumeric: true,
    valueOf: (run) => run.lastStep,
    textOf: (run) => (run.lastStep === null ? '' : formatInteger(run.lastStep)),
  },
  {
    id: 'duration',
    label: 'Duration',
    title: 'Duration',
    widthPx: 88,
    isNumeric: true,
    valueOf: (run) => durationOf(run),
    textOf: (run) => textOrNothing(durationOf(run), formatDuration),
  },
  {
    id: 'started',
    label: 'Started',
    title: 'Started',
    widthPx: 84,
    isNumeric: true,
    valueOf: (run) => run.startedS,
    textOf: (run, { nowS }) => textOrNothing(run.startedS, (timeS) => formatRelative(timeS, nowS)),
    hintOf: (run) => textOrNothing(run.startedS, formatAbsolute),
  },
  {
    id: 'points',
    label: 'Points',
    title: 'Scalar points',
    widthPx: 80,
    isNumeric: true,
    valueOf: (run) => run.points,
    textOf: (run) => formatInteger(run.points),
  },
  {
    id: 'size',
    label: 'Size',
    title: 'Size of files',
    widthPx: 72,
    isNumeric: true,
    valueOf: (run) => run.sizeBytes,
    textOf: (run) => formatBytes(run.sizeBytes),
    hintOf: (run) => `${formatInteger(run.sizeBytes)} bytes`,
  },
  {
    id: 'damage',
    label: 'Damage',
    title: 'Damage',
    widthPx: 80,
    isNumeric: true,
    valueOf: (run) => (run.damageCount === 0 ? null : run.damageCount),
    textOf: (run) => (run.damageCount === 0 ? '' : describeDamage(run.damageCount)),
  },
  {
    id: 'labels',
    label: 'Labels',
    title: 'Labels',
    widthPx: 120,
    isNumeric: false,
    valueOf: (run, { labelsOf }) => labelsOf(run.id).join(', ') || null,
    textOf: (run, { labelsOf }) => labelsOf(run.id).join(', '),
    hintOf: (run, { labelsOf }) => labelsOf(run.id).join(', '),
  },
  {
    id: 'note',
    label: 'Note',
    title: 'Note',
    widthPx: 160,
    isNumeric: false,
    valueOf: (run, { noteOf }) => firstLineOf(noteOf(run.id)) || null,
    textOf: (run, { noteOf }) => firstLineOf(noteOf(run.id)),
    hintOf: (run, { noteOf }) => noteOf(run.id).slice(0, MOST_HINT_LENGTH),
  },
];

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

export function durationOf(run: Run): number | null {
  return run.startedS === null || run.lastSeenS === null ? null : run.lastSeenS - run.startedS;
}

export function describeDamage(count: number): string {
  return count === 1 ? '1 place' : `${formatInteger(count)} places`;
}

/** In a sentence, with how sure we are. */
export function describeStatus(run: Run, nowS: number): string {
  const seen = run.lastSeenS === null ? '' : `, last written ${formatRelative(run.lastSeenS, nowS)}`;
  const word = run.status.charAt(0).toUpperCase() + run.status.slice(1);
  const doubt = run.isStatusKnown
    ? ''
    : '\nNobody recorded its end: concluded from the time of the last write';
  return `${word}${seen}${doubt}`;
}

function metricColumn(tag: string): Column {
  return {
    id: metricColumnId(tag),
    label: tag,
    title: `Last value of ${tag}`,
    widthPx: 88,
    isNumeric: true,
    valueOf: (run, context) => context.lastValue(tag, run.id) ?? null,
    textOf: (run, context) =>
      textOrNothing(context.lastValue(tag, run.id) ?? null, (value) => formatValue(value)),
    hintOf: (run, context) => textOrNothing(context.lastValue(tag, run.id) ?? null, String),
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
    valueOf: (run, context) => {
      const value = context.field(name, run.id);
      return value === undefined ? null : typeof value === 'boolean' ? String(value) : value;
    },
    textOf: (run, context) => {
      const value = context.field(name, run.id);
      return typeof value === 'number' ? formatValue(value) : String(value ?? '');
    },
    hintOf: (run, context) => String(context.field(name, run.id) ?? ''),
  };
}

/** What a row has room for; its marks are left out (the parser is not loaded for this). */
function firstLineOf(note: string): string {
  const line = /\S.*/.exec(note)?.[0] ?? '';
  return line
    .slice(0, MOST_HINT_LENGTH)
    .replace(/^(?:#+|>|[-*+]|\d+[.)]) +/, '')
    .replaceAll(/[*`~]|\[(?=[^\]]*\]\()|\]\([^)]*\)/g, '')
    .trim();
}

function textOrNothing(value: number | null, format: (value: number) => string): string {
  return value === null ? '' : format(value);
}
