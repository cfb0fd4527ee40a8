// What is asked of the server about histograms: one feed for each of its routes.
import { onePerPage } from '../../state/one-per-page.svelte';
import { ValueFeed, type ValueWant } from '../../state/feeds/value-feed.svelte';
import type { AxisKind } from './histogram-settings';
import type { ValueAxis } from './value-axis';
import { decodeHistogramFrame, decodeMapFrame, decodeStatisticsFrame } from '../../wire/histogram-frame';

export const bucketsOf = onePerPage(
  (page) => new ValueFeed(page, { path: 'histograms', decode: decodeHistogramFrame }),
);
export const statisticsOf = onePerPage(
  (page) => new ValueFeed(page, { path: 'histograms/statistics', decode: decodeStatisticsFrame }),
);
export const mapsOf = onePerPage(
  (page) => new ValueFeed(page, { path: 'histograms/maps', decode: decodeMapFrame }),
);

/** More than one behind the other in every so many pixels are mud: an even choice, with the first and the last. */
export function ridgeCount(heightPx: number): number {
  return heightPx > 300 ? 48 : 20;
}
/** Places on the axis of values. */
export const MAP_ROWS = 96;

/** `axis`: of the values, else one that suits all of them. `columns`: at most; neighbouring steps then share one. */
export function mapWant(
  run: number,
  tag: string,
  rows: number,
  scale: AxisKind,
  { axis = null, columns = null }: { axis?: ValueAxis | null; columns?: number | null } = {},
): ValueWant {
  const more = {
    rows,
    scale,
    ...(axis === null ? {} : { range: [axis.low, axis.high] }),
    ...(axis === null || axis.linearWidth === 0 ? {} : { linear_width: axis.linearWidth }),
    ...(columns === null ? {} : { most_columns: columns }),
  };
  return { run, tag, more };
}
