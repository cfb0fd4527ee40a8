// How high a card is, known before anything is drawn: nothing on the page moves while charts load, and the browser can
// skip cards that are out of sight. All heights in CSS pixels.
import { clamp } from '../../base/arrays';

/** When nobody chose: three columns on a common laptop screen beside the run table. */
export const DEFAULT_CARD_WIDTH_PX = 340;
export const MIN_CARD_WIDTH_PX = 280;
export const MAX_CARD_WIDTH_PX = 900;

const HEAD_PX = 30;
/** On phones the buttons in the head are as large as fingers. */
const TOUCH_HEAD_PX = 44;
const NOTES_PX = 16;
const BORDERS_PX = 2;

/** Between two cards, and at the edges of the list: --space-3 and --space-4. */
const GAP_PX = 12;
const EDGE_PX = 16;

/** How many cards stand beside each other in a list of this width; the style sheet of CardGroup says the same. */
export function columnsIn(widthPx: number, cardWidthPx: number | null): number {
  const room = widthPx - 2 * EDGE_PX + GAP_PX;
  return Math.max(1, Math.floor(room / ((cardWidthPx ?? DEFAULT_CARD_WIDTH_PX) + GAP_PX)));
}

export function cardSize({
  cardWidthPx,
  isPhone,
  footPx,
}: {
  readonly cardWidthPx: number | null;
  readonly isPhone: boolean;
  /** What cards keep free below what they show. */
  readonly footPx: number;
}): { readonly cardPx: number; readonly headPx: number } {
  const plotPx = Math.round(clamp((cardWidthPx ?? DEFAULT_CARD_WIDTH_PX) * 0.56, 180, 460));
  const headPx = isPhone ? TOUCH_HEAD_PX : HEAD_PX;
  return { cardPx: BORDERS_PX + headPx + NOTES_PX + plotPx + footPx, headPx };
}
