// How tags share the rows of a page: each takes as many columns as visible runs have it.
import { countTiles, type Tiling } from '../../board/tiles/tiling';
import type { Page } from '../../state/page.svelte';
import { settingOf } from '../../state/settings/setting';
import { MODE } from './histogram-settings';

const TILE_PX = 300;
const GAP_PX = 12;

/** `isBands`: distributions, which are drawn in one way only. */
export function histogramTiling(page: Page, { isBands = false } = {}): Tiling {
  const isOnePlot = (): boolean => !isBands && settingOf(page.view, MODE) === 'runs';
  return {
    columnsIn: (widthPx) => Math.max(1, Math.floor((widthPx + GAP_PX) / (TILE_PX + GAP_PX))),
    spanOf: (tag, most) =>
      isOnePlot()
        ? 1
        : Math.max(
            1,
            countTiles(page, tag, most, () => 1),
          ),
  };
}
