// @vitest-environment happy-dom
import { render, screen } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { dashboardOf } from '../dashboards/registry';
import { tabOf } from './dashboard-tabs';
import { FakePage } from './fake-page.svelte';
import HowToLog from './HowToLog.svelte';
import PageHarness from './PageHarness.svelte';

function show(tagCount: number): void {
  const tab = tabOf(dashboardOf('graphs'), () => tagCount);
  render(PageHarness, { page: new FakePage().page, component: HowToLog, given: { tab } });
}

describe('a dashboard that cannot be shown', () => {
  test('says that its data is kept when this version has no view for it', () => {
    show(4);
    expect(screen.getByText(/Your logs have 4 tags of this kind.*no view for it yet/s)).toBeTruthy();
  });

  test('says how to log when there is no data', () => {
    show(0);
    expect(screen.getByText(/Nothing of this kind is in your logs/)).toBeTruthy();
    expect(screen.getByText(/add_graph/)).toBeTruthy();
  });
});
