// What is asked of the server about histograms: one feed for each of its routes.
import { onePerPage } from '../../state/one-per-page.svelte';
import { ValueFeed } from '../../state/feeds/value-feed.svelte';
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

/** One behind the other more than these are mud: an even choice, with the first and the last. */
export const RIDGES = 40;
/** Places on the axis of values. */
export const MAP_ROWS = 96;
