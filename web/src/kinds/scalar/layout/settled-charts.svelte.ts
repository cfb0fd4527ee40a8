// The charts of the log's layouts once, for whoever does not show them.
import type { Page } from '../../../state/page.svelte';
import type { LaidOutGroup } from './layout-charts';
import { LoggedCharts } from './logged-charts.svelte';

/** A sentence when they cannot be had. */
export function settledCharts(page: Page): Promise<readonly LaidOutGroup[] | string> {
  return new Promise((resolve) => {
    const end = $effect.root(() => {
      const charts = new LoggedCharts(page);
      $effect(() => {
        const { error } = charts.feed;
        if (!charts.isSettled && error === null) return;
        resolve(charts.isSettled ? charts.groups! : error!);
        queueMicrotask(() => end());
      });
    });
  });
}
