// How large tiles are on the dashboard; on the Time Series page the card decides.
import { choiceSetting } from '../../state/settings/setting';

export const TILE_SIZE = choiceSetting('tilesize', 'm', ['s', 'm', 'l'] as const);

/** Logged pages are often a line or two, and can be scrolled: they get less height. */
export const TILE_SIZES = {
  s: { widthPx: 300, heightPx: 300, pageHeightPx: 160 },
  m: { widthPx: 440, heightPx: 440, pageHeightPx: 240 },
  l: { widthPx: 800, heightPx: 640, pageHeightPx: 640 },
} as const;
