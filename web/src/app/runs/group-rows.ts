// The rows of the table while runs are grouped: a row for each group with its runs below it, and last those in no group.
import type { RunGroup, RunPlace } from '../../state/types';
import { runRow, type TableRow } from './run-tree';

/** Before a key, so that no group is taken for the one that is none. */
const IN_GROUP = 'group:';
const NO_GROUP = 'no-group';

export interface GroupOrder {
  /** Groups in the order of the table, which is that of their labels; without it a group stands where its first run stands. */
  readonly isByLabel: boolean;
  readonly isDescending: boolean;
  /** Keys of rows whose runs are folded away. */
  readonly collapsed: ReadonlySet<string>;
}

/** `runs` in the order of the table; `groups` as the store has them, `groupOf` the same by run. */
export function groupRows(
  runs: readonly RunPlace[],
  groups: readonly RunGroup[],
  groupOf: (id: number) => RunGroup | undefined,
  { isByLabel, isDescending, collapsed }: GroupOrder,
): TableRow[] {
  const members = new Map<RunGroup, RunPlace[]>();
  if (isByLabel) for (const group of isDescending ? [...groups].reverse() : groups) members.set(group, []);
  const others: RunPlace[] = [];
  for (const run of runs) {
    const group = groupOf(run.id);
    if (group === undefined) {
      others.push(run);
      continue;
    }
    const list = members.get(group);
    if (list === undefined) members.set(group, [run]);
    else list.push(run);
  }
  const rows: TableRow[] = [];
  const append = (groupKey: string | null, label: string, list: readonly RunPlace[]): void => {
    if (list.length === 0) return;
    const key = groupKey === null ? NO_GROUP : IN_GROUP + groupKey;
    const isCollapsed = collapsed.has(key);
    rows.push({
      kind: 'group',
      key,
      depth: 0,
      label,
      groupKey,
      isCollapsed,
      runIds: list.map(({ id }) => id),
    });
    if (isCollapsed) return;
    for (const run of list) rows.push(runRow(run, 1, null));
  };
  for (const [group, list] of members) append(group.key, group.label, list);
  append(null, 'No group', others);
  return rows;
}
