// What the small maps of the overview show.
import type { Range } from '../../../chart/types';
import type { DecodedMap } from '../../../wire/histogram-frame';

/** Places on the axis of values, and columns at most: as many as a small map has pixels. Neighbouring steps share one. */
export const CELL_ROWS = 32;
export const CELL_COLUMNS = 150;

/** By group: what the maps of its tags span together; null while one of them is missing. */
export function commonRanges(
  all: readonly { readonly group: string; readonly map: DecodedMap | null | undefined }[],
): ReadonlyMap<string, Range> | null {
  const ranges = new Map<string, Range>();
  for (const { group, map } of all) {
    if (map === undefined) return null;
    if (map === null || !map.total.some((count) => count > 0)) continue;
    const [low, high] = ranges.get(group) ?? [Infinity, -Infinity];
    ranges.set(group, [Math.min(low, map.low), Math.max(high, map.high)]);
  }
  return ranges;
}
