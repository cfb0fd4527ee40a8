// Puts runs into groups that are drawn as one. Pure: what a run's key is, then which runs share one.
//
// folder    the first `depth` directories of the name, but never the last part of it: that is the run itself. A run
//           without any directory is in no group.
// regex     the capture groups of the first match in the name, joined by " · " (the whole match where there are none).
//           Worked out in the filter worker, because some expressions take forever: see regex-runner.ts.
// label     all labels of the run, sorted and joined by ", ": a run is in exactly one group, so that no curve counts
//           twice. A run without labels is in no group.
// field     a hyper-parameter; runs without it are in no group.
// column    'status', 'favourite', 'started' (the day), or any other column of the table that has few values.
import { formatValue } from '../base/format';
import { grouped } from '../base/grouped';
import { compareNatural } from '../base/natural-order';
import type { FieldValue } from './feeds/run-fields.svelte';
import { RUN_FACTS } from './run-facts';
import type { GroupBy, Run, RunGroup, RunPlace } from './types';

/** What keys are made of. */
export interface GroupAccess {
  run(id: number): Run | undefined;
  labels(name: string): readonly string[];
  field(name: string, id: number): FieldValue | undefined;
  isFavourite(name: string): boolean;
  /** What the expression captured, joined; undefined: it does not match, or that is not known yet. */
  captured(name: string): string | undefined;
}

/** Columns of the run table by which runs can be put together. */
export const GROUP_COLUMNS: readonly { readonly name: string; readonly label: string }[] = RUN_FACTS.flatMap(
  ({ id, group }) => (group ? [{ name: id, label: group.label }] : []),
);

/** null: in no group. */
export function groupKey({ id, name }: RunPlace, by: GroupBy, access: GroupAccess): string | null {
  switch (by.kind) {
    case 'folder': {
      const folders = name.split('/').slice(0, -1);
      return folders.slice(0, Math.max(1, by.depth)).join('/') || null;
    }
    case 'regex':
      return access.captured(name) ?? null;
    case 'label':
      return [...access.labels(name)].sort(compareNatural).join(', ') || null;
    case 'field': {
      const value = access.field(by.name, id);
      return value === undefined ? null : `${by.name} = ${fieldText(value)}`;
    }
    case 'column':
      return (
        RUN_FACTS.find((fact) => fact.id === by.name)?.group?.keyOf(
          access.run(id),
          access.isFavourite(name),
        ) ?? null
      );
  }
}

/** Numbers that differ never become the same text: 0.1 + 0.2 is another learning rate than 0.3. */
export function fieldText(value: FieldValue): string {
  if (typeof value !== 'number') return value === '' ? '""' : String(value);
  const short = formatValue(value);
  return Number(short) === value ? short : String(value);
}

/** Groups in natural order of their labels, members in the order of `runs`. */
export function groupRuns(runs: readonly RunPlace[], keyOf: (run: RunPlace) => string | null): RunGroup[] {
  return [...grouped(runs, keyOf)]
    .flatMap(([key, members]) =>
      key === null ? [] : [{ key, label: key, runs: members.map(({ id }) => id) }],
    )
    .sort((a, b) => compareLabels(a.label, b.label));
}

/** `lr = 3e-4` before `lr = 0.01`, `lr0.25` before `lr0.5`: the end is compared as a number where both are one. */
function compareLabels(a: string, b: string): number {
  const [headA, tailA] = splitNumber(a);
  const [headB, tailB] = splitNumber(b);
  if (headA === headB && tailA !== tailB && !Number.isNaN(tailA) && !Number.isNaN(tailB))
    return tailA - tailB;
  return compareNatural(withFraction(a), withFraction(b)) || compareNatural(a, b);
}

/**
 * The same in signs that sort by its value: digits behind `0.` at the end count as a fraction, unless it is a version.
 * Above one, `py3.10` cannot be told from a version, and is taken for one.
 */
function withFraction(label: string): string {
  const match = /(?<![\d.])0\.(\d+)$/.exec(label);
  if (match === null || /v(er(sion)?)?[ ._-]?$/i.test(label.slice(0, match.index))) return label;
  // No digits, so that they are compared from the left, and behind everything else that may follow the point.
  const signs = Array.from(match[1]!, (digit) => String.fromCharCode(0xe000 + Number(digit)));
  return label.slice(0, match.index + 2) + signs.join('');
}

function splitNumber(label: string): [string, number] {
  const at = label.indexOf(' = ');
  const tail = at < 0 ? '' : label.slice(at + 3);
  return [label.slice(0, at), tail === '' ? NaN : Number(tail)];
}
