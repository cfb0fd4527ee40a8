// Arrow keys at the edge of a grid lead on to the pictures of its neighbours in the same scroller.

const PICTURE = '[data-picture]';

/** The picture that the key leads to from this one, among those that are built; null: there is none. */
export function pictureBeside(from: HTMLElement, key: string): HTMLElement | null {
  const pictures = [...(from.closest('[data-scroller]')?.querySelectorAll<HTMLElement>(PICTURE) ?? [])];
  const place = pictures.indexOf(from);
  if (place === -1) return null;
  if (key === 'ArrowLeft') return pictures[place - 1] ?? null;
  if (key === 'ArrowRight') return pictures[place + 1] ?? null;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const box = from.getBoundingClientRect();
  const ways = pictures
    .map((picture) => ({ picture, to: picture.getBoundingClientRect() }))
    .map(({ picture, to }) => ({
      picture,
      alongPx: key === 'ArrowUp' ? box.top - to.bottom : to.top - box.bottom,
      asidePx: Math.abs((to.left + to.right - box.left - box.right) / 2),
    }))
    .filter(({ alongPx }) => alongPx >= 0)
    // The next row first, then who stands most nearly above or below.
    .sort((a, b) => a.alongPx - b.alongPx || a.asidePx - b.asidePx);
  return ways[0]?.picture ?? null;
}
