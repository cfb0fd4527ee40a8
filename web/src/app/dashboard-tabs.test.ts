import { describe, expect, test } from 'vitest';
import type { DashboardEntry } from '../dashboards/registry';
import { tabBar } from './dashboard-tabs';

const load: DashboardEntry['load'] = () => Promise.reject(new Error('not in this test'));
const TIME_SERIES: DashboardEntry = {
  name: 'timeseries',
  label: 'Time series',
  kinds: ['scalar'],
  load,
};
const SCALARS: DashboardEntry = { name: 'scalars', label: 'Scalars', kinds: ['scalar'], load };
const IMAGES: DashboardEntry = { name: 'images', label: 'Images', kinds: ['image'] };
const TEXT: DashboardEntry = { name: 'text', label: 'Text', kinds: ['text'] };
const ENTRIES = [TIME_SERIES, SCALARS, IMAGES, TEXT];

function names(current: DashboardEntry, counts: Record<string, number>): { tabs: string[]; more: string[] } {
  const bar = tabBar(ENTRIES, current, (kind) => counts[kind] ?? 0);
  return {
    tabs: bar.tabs.map(({ entry }) => entry.name),
    more: bar.more.map(({ entry, state }) => `${entry.name} ${state}`),
  };
}

describe('which dashboards are tabs', () => {
  test('time series and scalars are both tabs, as in TensorBoard', () => {
    expect(names(SCALARS, { scalar: 3 }).tabs).toEqual(['timeseries', 'scalars']);
  });

  test('data without a view is behind More, before what has no data', () => {
    expect(names(TIME_SERIES, { scalar: 3, text: 2 })).toEqual({
      tabs: ['timeseries', 'scalars'],
      more: ['text unshown', 'images empty'],
    });
  });

  test('an empty log has its first tab', () => {
    expect(names(TIME_SERIES, {}).tabs).toEqual(['timeseries']);
  });

  test('the open dashboard is in sight even without data', () => {
    expect(names(IMAGES, { scalar: 3 }).tabs).toEqual(['timeseries', 'scalars', 'images']);
  });
});
