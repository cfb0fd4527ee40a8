// How tags share the rows of a page: each takes as many columns as visible runs have it.
import { runTiling, type Tiling } from '../../board/tiles/tiling';
import type { Page } from '../../state/page.svelte';
import { settingOf } from '../../state/settings/setting';
import { MODE } from './histogram-settings';

const TILE_PX = 300;

/** `isBands`: distributions, which are drawn in one way only. */
export function histogramTiling(page: Page, { isBands = false } = {}): Tiling {
  const tiling = runTiling(page, TILE_PX);
  const isOnePlot = (): boolean => !isBands && settingOf(page.view, MODE) === 'runs';
  return { ...tiling, spanOf: (tag, most) => (isOnePlot() ? 1 : tiling.spanOf(tag, most)) };
}
