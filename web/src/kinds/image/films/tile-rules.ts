// When a film in the grid plays.
import type { PictureFacts } from '../../../wire/client';

/** Larger ones are not fetched for a tile unless somebody asks for them. */
export const MOST_BYTES_BY_ITSELF = 2_000_000;
/** Decoded by the browser as a whole, whatever the tile shows of it. */
const MOST_PIXELS_BY_ITSELF = 4_000_000;

export interface TileState {
  readonly isInSight: boolean;
  /** Pointed at, focused, or pressed on a screen that is touched. */
  readonly isAsked: boolean;
  /** The setting, and the system does not ask for less motion. */
  readonly mayPlayByItself: boolean;
}

export function shouldPlay(facts: PictureFacts, { isInSight, isAsked, mayPlayByItself }: TileState): boolean {
  if (!isInSight) return false;
  return isAsked || (mayPlayByItself && isSmall(facts));
}

function isSmall({ size_bytes, width, height }: PictureFacts): boolean {
  return size_bytes <= MOST_BYTES_BY_ITSELF && width * height <= MOST_PIXELS_BY_ITSELF;
}
