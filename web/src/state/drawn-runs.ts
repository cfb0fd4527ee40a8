// Which runs have a line of their own. Without groups: all that are visible. With them: those in no group, and the
// members that are drawn faint behind their group – some of each, as thousands of faint lines are one grey area that
// takes long to fetch; the group's own line is made from all of them.
import type { RunStore } from './runs.svelte';
import type { Grouping } from './types';

/** Of all groups together. */
export const MOST_MEMBERS = 200;

export function drawnRuns(
  runs: Pick<RunStore, 'visibleIds' | 'visibleGroups' | 'ungroupedVisibleIds'>,
  grouping: Pick<Grouping, 'areMembersShown'> | null,
): readonly number[] {
  if (grouping === null) return runs.visibleIds;
  if (!grouping.areMembersShown) return runs.ungroupedVisibleIds;
  return [...drawnMembers(runs.visibleGroups.map((one) => one.runs)), ...runs.ungroupedVisibleIds];
}

/** In turns, so that no group goes without. */
export function drawnMembers(groups: readonly (readonly number[])[]): Set<number> {
  const drawn = new Set<number>();
  for (let turn = 0; drawn.size < MOST_MEMBERS; turn++) {
    const left = groups.filter((runs) => turn < runs.length);
    if (left.length === 0) break;
    for (const runs of left) if (drawn.size < MOST_MEMBERS) drawn.add(runs[turn]!);
  }
  return drawn;
}
