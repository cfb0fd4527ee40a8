// Where a popup (menu, tooltip) goes so that no edge of the window cuts it off. Pure arithmetic in CSS pixels of the
// viewport: it takes the wished side first, the opposite side when there is more room, and then slides along the edge.

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

export type Side = 'bottom' | 'top' | 'right' | 'left';
/** Which edges line up along the anchor. */
export type Align = 'start' | 'center' | 'end';

export interface Place {
  readonly left: number;
  readonly top: number;
  /** What fits: the popup scrolls inside when its content is higher. */
  readonly maxHeight: number;
  readonly side: Side;
}

/** Kept free between the popup and the window's edge. */
const EDGE_PX = 6;

const OPPOSITE: Record<Side, Side> = { bottom: 'top', top: 'bottom', left: 'right', right: 'left' };

export function placePopup(
  anchor: Box,
  popup: Size,
  viewport: Size,
  { side, align, gapPx }: { side: Side; align: Align; gapPx: number },
): Place {
  const isVertical = side === 'bottom' || side === 'top';
  const needed = isVertical ? popup.height : popup.width;
  const here = roomAt(anchor, viewport, side) - gapPx;
  const there = roomAt(anchor, viewport, OPPOSITE[side]) - gapPx;
  const chosen = needed > here && there > here ? OPPOSITE[side] : side;

  const maxHeight = isVertical
    ? Math.max(0, Math.max(here, chosen === side ? here : there))
    : viewport.height - 2 * EDGE_PX;
  const height = Math.min(popup.height, maxHeight);
  let left: number;
  let top: number;
  if (isVertical) {
    left = alignedStart(anchor.left, anchor.width, popup.width, align);
    top = chosen === 'bottom' ? anchor.top + anchor.height + gapPx : anchor.top - gapPx - height;
  } else {
    left = chosen === 'right' ? anchor.left + anchor.width + gapPx : anchor.left - gapPx - popup.width;
    top = alignedStart(anchor.top, anchor.height, height, align);
  }
  return {
    left: clamp(left, EDGE_PX, viewport.width - popup.width - EDGE_PX),
    top: clamp(top, EDGE_PX, viewport.height - height - EDGE_PX),
    maxHeight,
    side: chosen,
  };
}

function roomAt(anchor: Box, viewport: Size, side: Side): number {
  switch (side) {
    case 'bottom':
      return viewport.height - anchor.top - anchor.height - EDGE_PX;
    case 'top':
      return anchor.top - EDGE_PX;
    case 'right':
      return viewport.width - anchor.left - anchor.width - EDGE_PX;
    case 'left':
      return anchor.left - EDGE_PX;
  }
}

function alignedStart(anchorStart: number, anchorSize: number, popupSize: number, align: Align): number {
  if (align === 'start') return anchorStart;
  if (align === 'end') return anchorStart + anchorSize - popupSize;
  return anchorStart + (anchorSize - popupSize) / 2;
}

/** A popup wider than the window starts at its edge: the beginning of the text is what one needs. */
function clamp(value: number, least: number, greatest: number): number {
  return Math.max(least, Math.min(value, greatest));
}
