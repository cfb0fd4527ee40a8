// What the small maps of the overview show.
import type { Range } from '../../../chart/types';
import type { DecodedMap } from '../../../wire/histogram-frame';

/** Places on the axis of values, and columns at most: as many as a small map has pixels. Neighbouring steps share one. */
export const CELL_ROWS = 32;
export const CELL_COLUMNS = 150;

/** The same for tags that differ in nothing but numbers: one quantity of all layers. */
export function likenessOf(tag: string): string {
  return tag.replace(/\d+/g, '#');
}

/** By key: what the maps of its tags span together; null while one of them is missing. */
export function commonRanges(
  all: readonly { readonly key: string; readonly map: DecodedMap | null | undefined }[],
): ReadonlyMap<string, Range> | null {
  const ranges = new Map<string, Range>();
  for (const { key, map } of all) {
    if (map === undefined) return null;
    if (map === null || !map.total.some((count) => count > 0)) continue;
    const [low, high] = ranges.get(key) ?? [Infinity, -Infinity];
    ranges.set(key, [Math.min(low, map.low), Math.max(high, map.high)]);
  }
  return ranges;
}
