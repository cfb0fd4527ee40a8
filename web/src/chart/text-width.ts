// Fits words into a width: what is too long ends with an ellipsis.
import type { DrawContext } from './draw-context';

/** The text, or as much of its beginning as fits in the context's font. */
export function withEllipsis(context: Pick<DrawContext, 'measureText'>, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  const letters = Array.from(text);
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const isFitting = context.measureText(`${letters.slice(0, middle).join('')}…`).width <= room;
    if (isFitting) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? `${letters.slice(0, low).join('')}…` : '';
}
