// How the tags of a group share rows, on pages whose tags are made of tiles of one width: a tag takes as many columns as it
// has tiles, and small ones stand beside each other.
import { seriesFeedOf, type SeriesKind, type TagSeries } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import type { Tag } from '../../state/types';

export interface Tiling {
  /** Of a row that is so wide. */
  columnsIn(widthPx: number): number;
  /** How many of these columns the tag takes, `most` at most. */
  spanOf(tag: Tag, most: number): number;
}

/**
 * How many tiles the visible runs have of a tag, or will have as far as one can tell; counted up to `most`. `samplesOf`: at
 * one step of a series.
 */
export function countTiles(
  page: Page,
  tag: Tag,
  most: number,
  samplesOf: (series: TagSeries) => number,
): number {
  const media = seriesFeedOf(page);
  let count = 0;
  for (const run of page.runs.visibleIds) {
    if (!tag.hasRun(run)) continue;
    const series = media.series(tag.kind as SeriesKind, tag.tag, run);
    if (series === undefined) count += 1;
    else if (series !== null && series.steps.length > 0) count += samplesOf(series);
    if (count >= most) return most;
  }
  return count;
}

const GAP_PX = 12;

/** Of a page where each visible run has one tile of a tag, at least so wide. */
export function runTiling(page: Page, tilePx: number): Tiling {
  return {
    columnsIn: (widthPx) => Math.max(1, Math.floor((widthPx + GAP_PX) / (tilePx + GAP_PX))),
    spanOf: (tag, most) =>
      Math.max(
        1,
        countTiles(page, tag, most, () => 1),
      ),
  };
}
