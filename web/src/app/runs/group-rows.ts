// The rows of the table while runs are grouped: a row for each group with its runs below it, and last those in no group.
import { grouped } from '../../base/grouped';
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
  const members = grouped(runs, ({ id }) => groupOf(id));
  const inOrder = !isByLabel ? [...members.keys()] : isDescending ? [...groups].reverse() : groups;
  const rows: TableRow[] = [];
  const append = (groupKey: string | null, label: string, list: readonly RunPlace[] = []): void => {
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
  for (const group of inOrder) if (group) append(group.key, group.label, members.get(group));
  append(null, 'No group', members.get(undefined));
  return rows;
}
