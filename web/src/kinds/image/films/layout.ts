// How films lie beside each other: as many columns as make them largest.

interface Box {
  readonly width: number;
  readonly height: number;
}

/** What is above and below each film, in CSS pixels. */
const WORDS_PX = 64;

/** `aspects`: width by height of each. */
export function columnsFor(aspects: readonly number[], { width, height }: Box): number {
  const count = aspects.length;
  if (count <= 1 || width <= 0 || height <= 0) return 1;
  let best = 1;
  let most = -1;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const [cellWidth, cellHeight] = [width / columns, Math.max(1, height / rows - WORDS_PX)];
    const shown = aspects.reduce((sum, aspect) => {
      const shownHeight = Math.min(cellHeight, cellWidth / aspect);
      return sum + shownHeight * shownHeight * aspect;
    }, 0);
    if (shown > most) [best, most] = [columns, shown];
  }
  return best;
}
