// New charts for the Time Series page, made by hand or from what another dashboard shows.
import type { Page } from '../../state/page.svelte';
import type { ChartSpec } from '../../state/types';

/** As files and links have it (state/settings/view-parts.ts): what they would leave out is not made. */
export const MOST_LINES = 50;
export const MOST_CHARTS = 300;

const ID_CHARS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 6;

/** Short, as it stands in links, and random, so that two people who make charts at once do not make the same one. */
export function newChartId(charts: readonly Pick<ChartSpec, 'id'>[]): string {
  const taken = new Set(charts.map(({ id }) => id));
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
    const id = Array.from(bytes, (byte) => ID_CHARS[byte % ID_CHARS.length]).join('');
    if (!taken.has(id)) return id;
  }
}

export function emptyChart(id: string): ChartSpec {
  return { id, title: '', lines: [], baseline: null, x: null };
}

/** Says so, and gives false, where a view can hold no more of them. */
export function hasRoomFor(page: Page, count: number): boolean {
  if (page.view.charts.length + count <= MOST_CHARTS) return true;
  page.announce(`A view has ${MOST_CHARTS} charts of its own at most`);
  return false;
}

/** Goes to the Time Series page, where these charts then are; those that it has already are not made again. */
export function openAsCharts(page: Page, charts: readonly ChartSpec[], words: string): void {
  const { view } = page;
  const { charts: before, dashboard, tagFilter } = view;
  const known = new Set(before.map(contentKey));
  const added = charts.filter((chart) => !known.has(contentKey(chart)));
  if (!hasRoomFor(page, added.length)) return;
  view.charts = [...before, ...added];
  view.dashboard = 'timeseries';
  // A filter shows the cards of matching tags only.
  view.tagFilter = '';
  page.announce(words, {
    label: 'Undo',
    run: () => {
      const ids = new Set(added.map(({ id }) => id));
      view.charts = view.charts.filter(({ id }) => !ids.has(id));
      Object.assign(view, { dashboard, tagFilter });
    },
  });
}

function contentKey({ title, lines }: ChartSpec): string {
  return JSON.stringify([title, lines]);
}
