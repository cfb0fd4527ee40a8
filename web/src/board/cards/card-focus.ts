// Walks over the cards by keys.

/** Focuses the next (1) or previous (−1) card of the focused one; without one, the first in sight. */
export function moveFocus(scroller: HTMLElement | null, by: 1 | -1): void {
  if (scroller === null) return;
  const all = [...scroller.querySelectorAll<HTMLElement>('[data-card]')];
  const focused = document.activeElement?.closest<HTMLElement>('[data-card]') ?? null;
  const { top } = scroller.getBoundingClientRect();
  const from = focused === null ? -1 : all.indexOf(focused);
  const next =
    from === -1
      ? all.find((slot) => slot.getBoundingClientRect().bottom > top + 40)
      : all[Math.min(all.length - 1, Math.max(0, from + by))];
  if (next === undefined) return;
  next.scrollIntoView({ block: 'nearest' });
  const host = next.querySelector<HTMLElement>('[data-chart-host]');
  (host ?? next).focus({ preventScroll: true });
}
