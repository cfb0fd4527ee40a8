// How wide the run table may be: wide enough for a name, and never so wide that no chart fits beside it.
import { DEFAULT_SIDE_BAR_PX, LEAST_SIDE_BAR_PX } from '../state/settings.svelte';

const LEAST_MAIN_PX = 360;

/** By arrow key, and with Shift. */
const STEP_PX = 16;
const LARGE_STEP_PX = 80;

export function greatestWidthPx(windowWidthPx: number): number {
  return Math.max(LEAST_SIDE_BAR_PX, windowWidthPx - LEAST_MAIN_PX);
}

export function clampWidthPx(widthPx: number, windowWidthPx: number): number {
  return Math.round(Math.min(greatestWidthPx(windowWidthPx), Math.max(LEAST_SIDE_BAR_PX, widthPx)));
}

/** The width after a key on the divider; null: the key means nothing here. */
export function widthAfterKey(
  key: string,
  hasShift: boolean,
  widthPx: number,
  windowWidthPx: number,
): number | null {
  const step = hasShift ? LARGE_STEP_PX : STEP_PX;
  const wanted: Readonly<Record<string, number>> = {
    ArrowLeft: widthPx - step,
    ArrowRight: widthPx + step,
    Home: LEAST_SIDE_BAR_PX,
    End: greatestWidthPx(windowWidthPx),
    Enter: DEFAULT_SIDE_BAR_PX,
  };
  const next = wanted[key];
  return next === undefined ? null : clampWidthPx(next, windowWidthPx);
}
