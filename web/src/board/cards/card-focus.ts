// Brings the keyboard to cards.
import type { CardId } from '../../state/types';

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
  focusSlot(next, 0);
}

export function slotOf(id: CardId, within = ''): HTMLElement | null {
  return document.querySelector(`${within} [data-card="${CSS.escape(id)}"]`);
}

/** Brings a card into sight and the keyboard to it: to the chart in it, as soon as that is drawn and takes the focus. */
export function focusSlot(slot: HTMLElement | null, frames = 30): void {
  if (!slot?.isConnected) return;
  const host = slot.querySelector<HTMLElement>('[data-chart-host]');
  slot.scrollIntoView({ block: 'nearest' });
  (host ?? slot).focus({ preventScroll: true });
  if (document.activeElement === host || frames === 0) return;
  requestAnimationFrame(() => {
    if (document.activeElement === slot) focusSlot(slot, frames - 1);
  });
}
