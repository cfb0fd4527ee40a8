// The head of a card as what a card is dragged by. What a drag does is card-drag.ts.

/** An attachment. A mouse drags at once, a finger after a moment's hold. */
export function dragHandle(head: HTMLElement): () => void {
  const press = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target as Element).closest('button, a, input') !== null) return;
    const released = new AbortController();
    const release = (): void => released.abort();
    window.addEventListener('pointerup', release, { once: true });
    window.addEventListener('pointercancel', release, { once: true });
    void import('./card-drag').then(({ press: begin }) => {
      if (!released.signal.aborted) begin(event, head);
    });
  };
  // A finger that holds a card moves the card, not the page. Only who listened before the touch may say so.
  const hold = (event: TouchEvent): void => {
    if (head.dataset['dragged'] !== undefined && event.cancelable) event.preventDefault();
  };
  head.style.cursor = 'grab';
  head.addEventListener('pointerdown', press);
  head.addEventListener('touchmove', hold, { passive: false });
  return () => {
    head.removeEventListener('pointerdown', press);
    head.removeEventListener('touchmove', hold);
  };
}
