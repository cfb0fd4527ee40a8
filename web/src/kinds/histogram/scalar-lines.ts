// Charts of numbers that are computed from the buckets of a histogram tag: formulas, so that they go where charts go.
import { lineOfTag } from '../../board/cards/card-spec';
import { emptyChart, newChartId, openAsCharts } from '../../board/cards/own-charts';
import { shownTag } from '../../state/group-tags';
import type { Page } from '../../state/page.svelte';
import type { ChartSpec, LineSpec } from '../../state/types';

export function chartsOfTag(tag: string, charts: readonly Pick<ChartSpec, 'id'>[]): readonly ChartSpec[] {
  const line = (name: string, label: string, look: Partial<LineSpec> = {}): LineSpec => {
    const [call, ...more] = name.split(' ');
    const formula = `${call}(${[JSON.stringify(tag), ...more].join(', ')})`;
    return { ...lineOfTag(''), formula, label, ...look };
  };
  const where = {
    ...emptyChart(newChartId(charts)),
    title: `${shownTag(tag)}: values (from buckets)`,
    lines: [
      line('hist_max', 'max', { dash: 'dotted' }),
      line('hist_quantile 0.8413', '84 %', { dash: 'dashed' }),
      line('hist_mean', 'mean', { widthPx: 2, dash: 'solid' }),
      line('hist_quantile 0.5', 'median', { dash: 'solid' }),
      line('hist_quantile 0.1587', '16 %', { dash: 'dashed' }),
      line('hist_min', 'min', { dash: 'dotted' }),
    ],
  };
  const spread = {
    ...emptyChart(newChartId([...charts, where])),
    title: `${shownTag(tag)}: spread and zeros (from buckets)`,
    lines: [
      line('hist_std', 'std', { dash: 'solid' }),
      line('hist_zeros', 'zeros', { axis: 'right', dash: 'dashed' }),
    ],
  };
  return [where, spread];
}

export function openLines(page: Page, tag: string): void {
  openAsCharts(
    page,
    chartsOfTag(tag, page.view.charts),
    `Charts of ${shownTag(tag)}, computed from its buckets`,
  );
}
