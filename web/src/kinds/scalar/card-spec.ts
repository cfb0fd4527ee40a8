// What a chart shows, as data: one line or several, each over the visible runs or groups of them. A tag has a card of
// itself; charts that were put together by hand are in the view. Both look the same from here on.
import { chartCardId, type CardSpec, lineOfTag } from '../../board/cards/card-spec';
import type { Page } from '../../state/page.svelte';
import type { CardNote } from './card-notes';
import type { Baseline, CardId, ChartSpec, LineSource, LineSpec, Tag } from '../../state/types';

export const SCALAR = 'scalar';

export interface ChartCard extends CardSpec {
  readonly lines: readonly LineSpec[];
  /** null: as all charts. */
  readonly baseline: Baseline | null;
  /** null: as all charts. */
  readonly x: ChartSpec['x'];
  /** What is to say of it beside what its lines say. */
  readonly notes?: readonly CardNote[];
  /** Which lines it has is being found out. */
  readonly isPending?: boolean;
}

/** null: neither a tag of the log nor a chart of the view. */
export function cardSpecOf(page: Pick<Page, 'view' | 'tags'>, id: CardId): ChartCard | null {
  const chart = page.view.charts.find((one) => chartCardId(one.id) === id);
  if (chart !== undefined) return specOfChart(chart);
  const tag = page.tags.find(SCALAR, id);
  return tag === undefined ? null : specOfTag(tag);
}

const specs = new WeakMap<Tag | ChartSpec, ChartCard>();

/** The same object as long as the tag is: whoever compares finds nothing new. */
export function specOfTag(tag: Tag): ChartCard {
  let spec = specs.get(tag);
  if (spec === undefined) {
    spec = {
      id: tag.tag,
      // Two tags of the same display name would be told apart by nobody, so the tag itself is the title.
      title: tag.tag,
      description: tag.description,
      kind: SCALAR,
      tag,
      lines: [lineOfTag(tag.tag)],
      baseline: null,
      x: null,
    };
    specs.set(tag, spec);
  }
  return spec;
}

export function specOfChart(chart: ChartSpec): ChartCard {
  let spec = specs.get(chart);
  if (spec === undefined) {
    const { id, title, lines, baseline, x } = chart;
    spec = {
      id: chartCardId(id),
      title: title === '' ? lines.map(lineName).join(', ') : title,
      description: '',
      kind: SCALAR,
      tag: null,
      parts: tagsOf(chart),
      lines,
      baseline,
      x,
    };
    specs.set(chart, spec);
  }
  return spec;
}

/** What a line is called. */
export function lineName(line: Pick<LineSpec, 'tag' | 'formula' | 'label'>): string {
  return line.label || line.formula || line.tag;
}

export function sourceOf(spec: Pick<ChartCard, 'baseline' | 'x'>, line: LineSpec): LineSource {
  const { tag, formula, smoothing } = line;
  return { tag, formula, baseline: spec.baseline, x: spec.x, smoothing };
}

/** Tags that are lines by themselves, and those around them. */
export function tagsOf({ lines }: Pick<ChartCard, 'lines'>): string[] {
  const tags = lines.flatMap(({ tag, formula, bounds }) => [
    ...(formula === '' ? [tag] : []),
    ...(bounds ? [bounds.lower, bounds.upper] : []),
  ]);
  return [...new Set(tags)].filter((tag) => tag !== '');
}
