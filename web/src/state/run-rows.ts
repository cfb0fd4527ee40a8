// Turns the server's run table, which comes as columns and often only with what changed, into rows. Pure functions: the
// reactive part is runs.svelte.ts. Runs are in order of start, because that is how logs grow.
import { compareNatural } from '../base/natural-order';
import type { RunTable } from '../wire/client';
import type { Run } from './types';

export interface MergedRows {
  /** By start, oldest first; runs whose start is not known yet come last. */
  readonly runs: readonly Run[];
  /** Numbers of runs that are new or different. */
  readonly changed: readonly number[];
  /** Whether runs came, went or changed places; false: the same names stand at the same places. */
  readonly isReordered: boolean;
}

function rowOf(table: RunTable, i: number): Run {
  return {
    id: table.id[i]!,
    name: table.name[i]!,
    status: table.status[i]!,
    isStatusKnown: table.is_status_known[i]!,
    startedS: table.started_s[i] ?? null,
    lastSeenS: table.last_seen_s[i] ?? null,
    lastStep: table.last_step[i] ?? null,
    points: table.points[i]!,
    sizeBytes: table.size_bytes[i]!,
    readFraction: table.read_fraction[i]!,
    damageCount: table.damage_count[i]!,
  };
}

export function byStart(a: Run, b: Run): number {
  const difference = (a.startedS ?? Infinity) - (b.startedS ?? Infinity);
  // Infinity − Infinity is no number, and means: neither is known.
  return difference || compareNatural(a.name, b.name);
}

export function mergeRows(before: readonly Run[], table: RunTable): MergedRows {
  const rows = table.id.map((_, i) => rowOf(table, i));
  if (table.is_complete) {
    return { runs: rows.sort(byStart), changed: table.id, isReordered: true };
  }
  const changed = new Map(rows.map((run) => [run.id, run]));
  const removed = new Set(table.removed);
  let isReordered = false;
  const runs: Run[] = [];
  for (const run of before) {
    const row = changed.get(run.id);
    if (row === undefined) {
      if (removed.has(run.id)) isReordered = true;
      else runs.push(run);
      continue;
    }
    changed.delete(run.id);
    if (row.startedS !== run.startedS || row.name !== run.name) isReordered = true;
    runs.push(row);
  }
  if (changed.size > 0) {
    runs.push(...changed.values());
    isReordered = true;
  }
  if (isReordered) runs.sort(byStart);
  return { runs, changed: table.id, isReordered };
}
