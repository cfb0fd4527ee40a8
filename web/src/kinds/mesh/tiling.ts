// How tags share the rows of a page: each takes as many columns as visible runs have it.
import { countTiles, type Tiling } from '../../board/tiles/tiling';
import type { Page } from '../../state/page.svelte';

const TILE_PX = 320;
const GAP_PX = 12;

export function meshTiling(page: Page): Tiling {
  return {
    columnsIn: (widthPx) => Math.max(1, Math.floor((widthPx + GAP_PX) / (TILE_PX + GAP_PX))),
    spanOf: (tag, most) =>
      Math.max(
        1,
        countTiles(page, tag, most, () => 1),
      ),
  };
}
