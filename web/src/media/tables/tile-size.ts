// How large tiles are on the dashboard; on the Time Series page the card decides.
import { choiceSetting } from '../media-view';

export const TILE_SIZE = choiceSetting('tilesize', 'm', ['s', 'm', 'l'] as const);

export const TILE_SIZES = {
  s: { widthPx: 300, heightPx: 300 },
  m: { widthPx: 440, heightPx: 440 },
  l: { widthPx: 800, heightPx: 640 },
} as const;
