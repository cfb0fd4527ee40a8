// A layout taken over: each of its charts becomes a chart of one's own, each category a section.
import { countOf } from '../../../base/format';
import { arrange, arrangementOf, freeName } from '../../../board/cards/section-edits';
import { chartCardId } from '../../../board/cards/card-spec';
import type { Page } from '../../../state/page.svelte';
import type { ChartSpec, Section } from '../../../state/types';
import { emptyChart, MOST_CHARTS, newChartId } from '../../../board/cards/own-charts';
import type { LaidOutGroup } from './layout-charts';

/** Asks for the layout first. */
export async function addLoggedCharts(page: Page): Promise<void> {
  const { settledCharts } = await import('./settled-charts.svelte');
  const groups = await settledCharts(page);
  if (typeof groups === 'string') page.announce(`The custom scalars could not be added: ${groups}`);
  else addCharts(page, groups);
}

export function addCharts(page: Page, groups: readonly LaidOutGroup[]): boolean {
  const { view } = page;
  const before = arrangementOf(view);
  const charts: ChartSpec[] = [...before.charts];
  const sections: Section[] = [...before.sections];
  let left = 0;
  for (const { title, specs } of groups) {
    const drawable = specs.filter(({ lines }) => lines.length > 0);
    left += specs.length - drawable.length;
    const made = drawable.map(({ title: name, lines }) => {
      const chart = { ...emptyChart(newChartId(charts)), title: name, lines };
      charts.push(chart);
      return chart;
    });
    if (made.length > 0)
      sections.push({ name: freeName(sections, title), cards: made.map(({ id }) => chartCardId(id)) });
  }
  const added = charts.length - before.charts.length;
  if (charts.length > MOST_CHARTS) {
    page.announce(
      `A view has ${MOST_CHARTS} charts of its own at most, and there are ${added} more in the layout`,
    );
    return false;
  }
  if (added === 0) {
    page.announce('The layout has no chart with a tag of this log');
    return false;
  }
  arrange(view, { ...before, charts, sections });
  const rest = left > 0 ? `; ${countOf(left, 'chart')} without a tag of this log left out` : '';
  page.announce(`Added ${countOf(added, 'chart')} in sections${rest}`, {
    label: 'Undo',
    run: () => {
      const ids = new Set(charts.slice(before.charts.length).map(({ id }) => id));
      const names = new Set(sections.slice(before.sections.length).map(({ name }) => name));
      const now = arrangementOf(view);
      const isOwn = (card: string) => [...ids].some((id) => chartCardId(id) === card);
      arrange(view, {
        pins: now.pins.filter((card) => !isOwn(card)),
        charts: now.charts.filter(({ id }) => !ids.has(id)),
        sections: now.sections
          .map(({ name, cards }) => ({ name, cards: cards.filter((card) => !isOwn(card)) }))
          .filter(({ name, cards }) => cards.length > 0 || !names.has(name)),
      });
    },
  });
  return true;
}
