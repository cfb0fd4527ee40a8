// What is known of every run, each declared once: its column in the run table, what rows are sorted by, its name in filter
// expressions with their completions, and what runs can be grouped by. Hyper-parameters and metrics come on top of these.
import { formatBytes } from '../base/file-size';
import { formatInteger } from '../base/format';
import { formatAbsolute, formatDuration, formatRelative } from '../base/time';
import type { FieldValue } from './feeds/run-fields.svelte';
import type { Run, RunPlace, RunStatus } from './types';

/** Where facts come from. What is said of a run can be asked for without its row, which changes while it grows. */
export interface RunAccess {
  readonly nowS: number;
  run(id: number): Run | undefined;
  displayName(id: number): string;
  labels(id: number): readonly string[];
  note(id: number): string;
  isFavourite(id: number): boolean;
  isArchived(id: number): boolean;
  /** A hyper-parameter. */
  field(name: string, id: number): FieldValue | undefined;
  /** The last value of a metric. */
  last(tag: string, id: number): number | undefined;
}

export type FactValue = FieldValue | readonly string[] | null | undefined;

interface ColumnLook<T> {
  readonly label: string;
  /** Longer than the label, for menus and tooltips. */
  readonly title?: string;
  readonly widthPx: number;
  /** Shown as long as nobody has chosen columns. */
  readonly isUsual?: boolean;
  /** Aligned at the end, and first sorted with the greatest on top. Otherwise numbers and times are. */
  readonly isNumeric?: boolean;
  /** null: nothing to sort by, which comes last in both directions. Without it the value itself. */
  sortBy?(value: T): number | string | null;
  text(value: T, nowS: number): string;
  /** More about it, on hover. */
  hint?(value: T, run: Run, nowS: number): string;
}

export interface RunFact<T = unknown> {
  /** Links name columns by it. */
  readonly id: string;
  readonly kind: 'number' | 'text' | 'boolean' | 'time';
  /** From the row, or from what is said of the run. */
  ofRow?(run: Run, nowS: number): T | null;
  ofPlace?(run: RunPlace, access: RunAccess): T;
  readonly column?: ColumnLook<T>;
  /** In filter expressions: its names, the first of which is offered, and a word about it. */
  readonly query?: {
    readonly names: readonly string[];
    readonly detail: string;
    /** Values that it can have, where they are few. */
    readonly values?: readonly string[];
  };
  readonly group?: {
    readonly label: string;
    /** null: in no group. */
    keyOf(run: Run | undefined, isFavourite: boolean): string | null;
  };
}

export const LEAST_WIDTH_PX = 48;
/** Of a note: more is in the details. */
const MOST_HINT_LENGTH = 400;

/** What needs attention first. */
const STATUSES: readonly RunStatus[] = ['running', 'stalled', 'crashed', 'interrupted', 'finished'];

const fact = <T extends FactValue>(one: RunFact<T>): RunFact => one;

/** In the order in which columns are offered. */
export const RUN_FACTS: readonly RunFact[] = [
  fact<readonly string[]>({
    id: 'name',
    kind: 'text',
    ofPlace: ({ id, name }, access) => [access.displayName(id), name],
    query: { names: ['name'], detail: 'the name shown, or the directory' },
  }),
  fact<string>({
    id: 'dir',
    kind: 'text',
    ofPlace: ({ name }) => name,
    query: { names: ['dir'], detail: 'the directory' },
  }),
  fact<boolean>({
    id: 'favourite',
    kind: 'boolean',
    ofPlace: ({ id }, access) => access.isFavourite(id),
    column: {
      label: '★',
      title: 'Favourite',
      widthPx: LEAST_WIDTH_PX,
      // The first press brings them to the top; the others have nothing to be sorted by.
      isNumeric: true,
      sortBy: (isFavourite) => (isFavourite ? 1 : null),
      text: (isFavourite) => (isFavourite ? '★' : ''),
    },
    query: { names: ['favourite'], detail: 'marked with a star' },
    group: { label: 'Favourite', keyOf: (_, isFavourite) => (isFavourite ? 'Favourites' : 'Others') },
  }),
  fact<boolean>({
    id: 'archived',
    kind: 'boolean',
    ofPlace: ({ id }, access) => access.isArchived(id),
    query: { names: ['archived'], detail: 'put away' },
  }),
  fact<RunStatus>({
    id: 'status',
    kind: 'text',
    ofRow: (run) => run.status,
    column: {
      label: 'Status',
      widthPx: 104,
      isUsual: true,
      sortBy: (status) => STATUSES.indexOf(status),
      text: String,
      hint: (_, run, nowS) => describeStatus(run, nowS),
    },
    query: { names: ['status'], detail: 'running, finished, crashed …', values: STATUSES },
    group: { label: 'Status', keyOf: (run) => run?.status ?? null },
  }),
  fact<number>({
    id: 'last_step',
    kind: 'number',
    ofRow: (run) => run.lastStep,
    column: { label: 'Step', title: 'Last step', widthPx: 72, isUsual: true, text: formatInteger },
    query: { names: ['step'], detail: 'the last step' },
  }),
  fact<number>({
    id: 'duration',
    kind: 'number',
    ofRow: durationOf,
    column: { label: 'Duration', widthPx: 88, isUsual: true, text: formatDuration },
    query: { names: ['duration'], detail: 'from the first write to the last: 2h, 30m' },
  }),
  fact<number>({
    id: 'started',
    kind: 'time',
    ofRow: (run) => run.startedS,
    column: {
      label: 'Started',
      widthPx: 84,
      isUsual: true,
      text: formatRelative,
      hint: (timeS) => formatAbsolute(timeS),
    },
    query: { names: ['started'], detail: 'a date: 2026-01-31' },
    group: {
      label: 'Day of start',
      keyOf: (run) => (typeof run?.startedS === 'number' ? dayOf(run.startedS) : null),
    },
  }),
  fact<number>({
    id: 'age',
    kind: 'number',
    ofRow: ({ startedS }, nowS) => (startedS === null ? null : nowS - startedS),
    query: { names: ['age'], detail: 'time since the start: 7d' },
  }),
  fact<number>({
    id: 'points',
    kind: 'number',
    ofRow: (run) => run.points,
    column: { label: 'Points', title: 'Scalar points', widthPx: 80, text: formatInteger },
    query: { names: ['points'], detail: 'scalar points written' },
  }),
  fact<number>({
    id: 'size',
    kind: 'number',
    ofRow: (run) => run.sizeBytes,
    column: {
      label: 'Size',
      title: 'Size of files',
      widthPx: 72,
      text: formatBytes,
      hint: (bytes) => `${formatInteger(bytes)} bytes`,
    },
  }),
  fact<number>({
    id: 'damage',
    kind: 'number',
    ofRow: ({ damageCount }) => damageCount || null,
    column: { label: 'Damage', widthPx: 80, text: describeDamage },
  }),
  fact<readonly string[]>({
    id: 'labels',
    kind: 'text',
    ofPlace: ({ id }, access) => access.labels(id),
    column: {
      label: 'Labels',
      widthPx: 120,
      sortBy: (labels) => labels.join(', ') || null,
      text: (labels) => labels.join(', '),
      hint: (labels) => labels.join(', '),
    },
    query: { names: ['label', 'labels'], detail: 'any of its labels' },
  }),
  fact<string>({
    id: 'note',
    kind: 'text',
    ofPlace: ({ id }, access) => access.note(id),
    column: {
      label: 'Note',
      widthPx: 160,
      sortBy: (note) => firstLineOf(note) || null,
      text: firstLineOf,
      hint: (note) => note.slice(0, MOST_HINT_LENGTH),
    },
    query: { names: ['note'], detail: 'the note’s text' },
  }),
];

/** The fact that an expression means by a name; undefined: none of ours. */
export function factNamed(name: string): RunFact | undefined {
  const lower = name.toLowerCase();
  return RUN_FACTS.find(({ query }) => query?.names.includes(lower));
}

/** Of a run whose row is at hand. */
export function factOfRow(of: RunFact, run: Run, access: RunAccess): FactValue {
  return (of.ofPlace ? of.ofPlace(run, access) : of.ofRow?.(run, access.nowS)) as FactValue;
}

/** Its row is looked at only where it is asked about: names and labels do not change while the run grows. */
export function factOf(of: RunFact, place: RunPlace, access: RunAccess): FactValue {
  if (of.ofPlace) return of.ofPlace(place, access) as FactValue;
  const run = access.run(place.id);
  return run && factOfRow(of, run, access);
}

export function durationOf({ startedS, lastSeenS }: Run): number | null {
  return startedS === null || lastSeenS === null ? null : lastSeenS - startedS;
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

/** In the time zone of who looks, as the table shows it. */
function dayOf(timeS: number): string {
  const date = new Date(timeS * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
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
