// What is asked of the server about precision-recall curves: one feed for each of its routes.
import { ValueFeed } from '../../state/feeds/value-feed.svelte';
import { onePerPage } from '../../state/one-per-page.svelte';
import { decodePrCurveFrame, decodePrStatisticsFrame } from '../../wire/pr-curve-frame';

export const curvesOf = onePerPage(
  (page) => new ValueFeed(page, { path: 'pr_curves', decode: decodePrCurveFrame }),
);
export const statisticsOf = onePerPage(
  (page) => new ValueFeed(page, { path: 'pr_curves/statistics', decode: decodePrStatisticsFrame }),
);

/** Older steps behind a curve: more would be a smear. An even choice, with the first and the last. */
export const FAN_STEPS = 16;
