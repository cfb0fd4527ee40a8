// Where a popup (menu, tooltip) goes so that no edge of the window cuts it off. Pure arithmetic in CSS pixels of the
// viewport: it goes below its anchor, above it when there is more room, and then slides along the edge.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Which edges line up along the anchor. */
export type Align = 'start' | 'center' | 'end';

export interface Place {
  readonly left: number;
  readonly top: number;
  /** What fits: the popup scrolls inside when its content is higher. */
  readonly maxHeight: number;
}

/** Kept free between the popup and the window's edge. */
const EDGE_PX = 6;

export function placePopup(
  anchor: Box,
  popup: Size,
  viewport: Size,
  { align, gapPx }: { align: Align; gapPx: number },
): Place {
  const bottom = anchor.top + anchor.height;
  const below = viewport.height - bottom - EDGE_PX - gapPx;
  const above = anchor.top - EDGE_PX - gapPx;
  const isAbove = popup.height > below && above > below;
  const maxHeight = Math.max(0, isAbove ? above : below);
  const height = Math.min(popup.height, maxHeight);
  const share = { start: 0, center: 0.5, end: 1 }[align];
  return {
    left: clamp(
      anchor.left + share * (anchor.width - popup.width),
      EDGE_PX,
      viewport.width - popup.width - EDGE_PX,
    ),
    top: clamp(
      isAbove ? anchor.top - gapPx - height : bottom + gapPx,
      EDGE_PX,
      viewport.height - height - EDGE_PX,
    ),
    maxHeight,
  };
}

/** A popup wider than the window starts at its edge: the beginning of the text is what one needs. */
function clamp(value: number, least: number, greatest: number): number {
  return Math.max(least, Math.min(value, greatest));
}
