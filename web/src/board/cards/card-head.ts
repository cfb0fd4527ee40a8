// The head of a card as what a card is dragged by.
import { press } from './card-drag';

/** An attachment. A mouse drags at once, a finger after a moment's hold. */
export function dragHandle(head: HTMLElement): () => void {
  const begin = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target as Element).closest('button, a, input') !== null) return;
    press(event, head);
  };
  // A finger that holds a card moves the card, not the page. Only who listened before the touch may say so.
  const hold = (event: TouchEvent): void => {
    if (head.dataset['dragged'] !== undefined && event.cancelable) event.preventDefault();
  };
  head.style.cursor = 'grab';
  head.addEventListener('pointerdown', begin);
  head.addEventListener('touchmove', hold, { passive: false });
  return () => {
    head.removeEventListener('pointerdown', begin);
    head.removeEventListener('touchmove', hold);
  };
}
