// Which dashboards stand as tabs and which behind “More”. Tabs are those that have data and a view. Behind “More” are, first,
// those whose data is in the logs but which this version cannot show yet, then those without data, each of which explains
// how to log such data.
import type { DashboardEntry } from '../dashboards/registry';

export type TabState = 'shown' | 'unshown' | 'empty';

export interface Tab {
  readonly entry: DashboardEntry;
  readonly state: TabState;
  /** Tags of its kinds. */
  readonly tagCount: number;
}

export interface TabBar {
  readonly tabs: readonly Tab[];
  readonly more: readonly Tab[];
}

export function tabOf(entry: DashboardEntry, tagCountOf: (kind: string) => number): Tab {
  const tagCount = entry.kinds.reduce((sum, kind) => sum + tagCountOf(kind), 0);
  const state = tagCount === 0 ? 'empty' : entry.load === undefined ? 'unshown' : 'shown';
  return { entry, state, tagCount };
}

export function tabBar(
  entries: readonly DashboardEntry[],
  current: DashboardEntry,
  tagCountOf: (kind: string) => number,
): TabBar {
  const all = entries.map((entry) => tabOf(entry, tagCountOf));
  const first = all.find(({ entry }) => entry.load !== undefined);
  // The current one is always in sight, and an empty log still has its first tab.
  const isTab = (tab: Tab): boolean => tab.state === 'shown' || tab === first || tab.entry === current;
  return {
    tabs: all.filter(isTab),
    more: [
      ...all.filter((tab) => !isTab(tab) && tab.state === 'unshown'),
      ...all.filter((tab) => !isTab(tab) && tab.state === 'empty'),
    ],
  };
}
