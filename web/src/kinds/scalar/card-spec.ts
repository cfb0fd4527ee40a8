// What a card shows, as data: one line or several, each over the visible runs or groups of them. A tag has a card of
// itself; charts that were put together by hand are in the view. Both look the same from here on.
import type { Page } from '../../state/page.svelte';
import type { Baseline, CardId, ChartSpec, LineSource, LineSpec, Tag } from '../../state/types';

export interface CardSpec {
  readonly id: CardId;
  readonly title: string;
  /** Plain text; '' for none. */
  readonly description: string;
  readonly lines: readonly LineSpec[];
  /** null: as all charts. */
  readonly baseline: Baseline | null;
  /** null: as all charts. */
  readonly x: ChartSpec['x'];
  readonly isHandMade: boolean;
  /** What it shows instead of lines: a tag that is no scalar. */
  readonly media?: Tag;
}

const CHART_PREFIX = 'chart:';

export function chartCardId(chartId: string): CardId {
  return CHART_PREFIX + chartId;
}

/** null: neither a tag of the log nor a chart of the view. */
export function cardSpecOf(page: Pick<Page, 'view' | 'tags'>, id: CardId): CardSpec | null {
  if (id.startsWith(CHART_PREFIX)) {
    const chart = page.view.charts.find((one) => chartCardId(one.id) === id);
    if (chart !== undefined) return specOfChart(chart);
  }
  const tag = page.tags.find('scalar', id);
  return tag === undefined ? null : specOfTag(tag);
}

/** As everything is at first. */
export function lineOfTag(tag: string): LineSpec {
  return {
    tag,
    formula: '',
    label: '',
    axis: 'left',
    color: '',
    dash: 'auto',
    widthPx: 1,
    smoothing: null,
  };
}

const specs = new WeakMap<Tag | ChartSpec, CardSpec>();

/** The same object as long as the tag is: whoever compares finds nothing new. */
export function specOfTag(tag: Tag): CardSpec {
  let spec = specs.get(tag);
  if (spec === undefined) {
    spec = {
      id: tag.tag,
      // Two tags of the same display name would be told apart by nobody, so the tag itself is the title.
      title: tag.tag,
      description: tag.description,
      lines: [lineOfTag(tag.tag)],
      baseline: null,
      x: null,
      isHandMade: false,
    };
    specs.set(tag, spec);
  }
  return spec;
}

export function specOfChart(chart: ChartSpec): CardSpec {
  let spec = specs.get(chart);
  if (spec === undefined) {
    const { id, title, lines, baseline, x } = chart;
    spec = {
      id: chartCardId(id),
      title: title === '' ? lines.map(lineName).join(', ') : title,
      description: '',
      lines,
      baseline,
      x,
      isHandMade: true,
    };
    specs.set(chart, spec);
  }
  return spec;
}

/** What a line is called. */
export function lineName(line: Pick<LineSpec, 'tag' | 'formula' | 'label'>): string {
  return line.label || line.formula || line.tag;
}

export function sourceOf(spec: Pick<CardSpec, 'baseline' | 'x'>, line: LineSpec): LineSource {
  const { tag, formula, smoothing } = line;
  return { tag, formula, baseline: spec.baseline, x: spec.x, smoothing };
}

/** Tags that are lines by themselves. */
export function tagsOf({ lines }: Pick<CardSpec, 'lines'>): string[] {
  return [...new Set(lines.filter(({ formula }) => formula === '').map(({ tag }) => tag))];
}
