// What the small maps of the overview show.
import type { DecodedMap } from '../../../wire/histogram-frame';
import type { ValueAxis } from '../value-axis';

/** Places on the axis of values, and columns at most: as many as a small map has pixels. Neighbouring steps share one. */
export const CELL_ROWS = 32;
export const CELL_COLUMNS = 150;

/** The same for tags that differ in nothing but numbers: one quantity of all layers. */
export function likenessOf(tag: string): string {
  return tag.replace(/\d+/g, '#');
}

/** By key: the axis that all values of its tags lie on; null while one of the maps is missing. */
export function commonAxes(
  all: readonly { readonly key: string; readonly map: DecodedMap | null | undefined }[],
): ReadonlyMap<string, ValueAxis> | null {
  const axes = new Map<string, ValueAxis>();
  for (const { key, map } of all) {
    if (map === undefined) return null;
    if (map === null || !map.total.some((count) => count > 0)) continue;
    const { low, high, linearWidth } = axes.get(key) ?? map;
    axes.set(key, {
      low: Math.min(low, map.low),
      high: Math.max(high, map.high),
      linearWidth: Math.min(linearWidth, map.linearWidth),
    });
  }
  return axes;
}
