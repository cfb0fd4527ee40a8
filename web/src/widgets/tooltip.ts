// Tooltips as attachments: `<button {@attach tooltip(() => text)}>`, or `tooltipWithin` on a list for all its rows together.
// There is a single bubble for the whole page, made on first use, so an element costs a few listeners only; rows that come
// and go while a table scrolls cost none. It appears after a short rest of the pointer, at once on keyboard focus, and goes
// with Esc (WCAG 1.4.13).
import { mount, unmount } from 'svelte';
import TooltipBubble from './TooltipBubble.svelte';
import { bubble } from './tooltip-state.svelte';

export interface TooltipOptions {
  /** The text is already the element's accessible name: do not speak it twice. */
  readonly isName?: boolean;
  /** Only when the element's own text is cut off. */
  readonly isOnlyWhenCut?: boolean;
}

/** How long the pointer rests before it shows. Long enough not to flicker while the pointer passes by. */
const DELAY_MS = 350;
const BUBBLE_ID = 'tooltip-bubble';

let host: ReturnType<typeof mount> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(element: HTMLElement, text: string, isName: boolean): void {
  if (text === '' || !element.isConnected) return;
  host ??= mount(TooltipBubble, { target: document.body, props: { id: BUBBLE_ID } });
  bubble.show(element, text);
  if (!isName) element.setAttribute('aria-describedby', BUBBLE_ID);
}

function hide(element: HTMLElement): void {
  clearTimeout(timer);
  // An element that goes loses focus and pointer while the page is being changed, when no state may change.
  queueMicrotask(() => {
    if (bubble.anchor === element) bubble.hide();
  });
  if (element.getAttribute('aria-describedby') === BUBBLE_ID) element.removeAttribute('aria-describedby');
}

function showSoon(present: () => void): void {
  clearTimeout(timer);
  timer = setTimeout(present, DELAY_MS);
}

export function tooltip(
  text: () => string,
  options: TooltipOptions = {},
): (element: HTMLElement) => () => void {
  return (element) => {
    const present = (): void => {
      if (options.isOnlyWhenCut === true && element.scrollWidth <= element.clientWidth) return;
      show(element, text(), options.isName === true);
    };
    const enter = (event: PointerEvent): void => {
      if (event.pointerType !== 'touch') showSoon(present);
    };
    const leave = (): void => hide(element);
    const focus = (): void => {
      if (element.matches(':focus-visible')) present();
    };
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener('pointerenter', enter, { signal });
    element.addEventListener('pointerleave', leave, { signal });
    element.addEventListener('pointerdown', leave, { signal });
    element.addEventListener('focus', focus, { signal });
    element.addEventListener('blur', leave, { signal });
    return () => {
      leave();
      stop.abort();
    };
  };
}

/** For the pointer, on every descendant that matches the selector, now or later. An empty text shows nothing. */
export function tooltipWithin(
  selector: string,
  textOf: (element: HTMLElement) => string,
): (container: HTMLElement) => () => void {
  return (container) => {
    let current: HTMLElement | null = null;
    const leave = (): void => {
      if (current !== null) hide(current);
      current = null;
    };
    const over = (event: PointerEvent): void => {
      const element = (event.target as Element).closest<HTMLElement>(selector);
      if (element === current || event.pointerType === 'touch') return;
      leave();
      current = element;
      if (element !== null) showSoon(() => show(element, textOf(element), true));
    };
    const stop = new AbortController();
    const { signal } = stop;
    container.addEventListener('pointerover', over, { signal });
    container.addEventListener('pointerleave', leave, { signal });
    container.addEventListener('pointerdown', leave, { signal });
    return () => {
      leave();
      stop.abort();
    };
  };
}

/** Takes the bubble away for good; for tests. */
export async function removeTooltips(): Promise<void> {
  clearTimeout(timer);
  bubble.hide();
  if (host !== null) await unmount(host);
  host = null;
}
