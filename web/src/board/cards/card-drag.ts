// Dragging a card by its head: what is dragged, where it may be dropped, and what is seen meanwhile.
//
//   press ──(mouse: 5 px, finger: 400 ms without moving)──▶ drag ──▶ drop, or Esc
//
// What a drop would do is said by two functions: one for drops onto a card (combining two charts), asked first, and one for
// drops between cards (reordering, arranger.svelte.ts). While a card is dragged, a small label follows the pointer and says what letting go would do, the place is marked, and near its edges
// what scrolls is scrolled.
import type { CardId } from '../../state/types';

export interface Dragged {
  readonly id: CardId;
  readonly title: string;
  /** The card's slot, which stays where it is until something is dropped. */
  readonly slot: HTMLElement;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What letting go here would do. */
export interface Drop {
  /** For people: "Move to Losses". */
  readonly words: string;
  /** Where to show it, in the viewport. As narrow as a line: a line. null: nowhere. */
  readonly mark: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  } | null;
  drop(): void;
}

/** `over`: the innermost element at the point. null: nothing is done there. */
export type DropFinder = (dragged: Dragged, over: Element, point: Point) => Drop | null;

const MOUSE_SLACK_PX = 5;
/** A finger that moves this far in the meantime scrolls. */
const TOUCH_SLACK_PX = 10;
const HOLD_MS = 400;
const SCROLL_EDGE_PX = 56;
const MOST_SCROLL_PX = 18;

const finders: { onto: DropFinder | null; between: DropFinder | null } = { onto: null, between: null };
const listeners = new Set<(dragged: Dragged | null) => void>();

/** Returns how to take it back. */
export function setDropFinder(place: keyof typeof finders, finder: DropFinder): () => void {
  finders[place] = finder;
  return () => {
    if (finders[place] === finder) finders[place] = null;
  };
}

/** Hears of the card that is dragged, and null when it is not any more. */
export function watchDrags(listener: (dragged: Dragged | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the point is in the middle half of the element's width: for what is dropped onto a card, not between two. */
export function isInMiddle(element: Element, { x }: Point): boolean {
  const { left, width } = element.getBoundingClientRect();
  return Math.abs(x - left - width / 2) < width / 4;
}

/** An attachment: the head of a card is what it is dragged by. A mouse drags at once, a finger after a moment's hold. */
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

/** A pointer went down on a card's head. */
function press(down: PointerEvent, head: HTMLElement): void {
  const slot = head.closest<HTMLElement>('[data-card]');
  if (slot === null) return;
  const isTouch = down.pointerType === 'touch';
  const ended = new AbortController();
  const options = { signal: ended.signal, capture: true };
  let drag: Drag | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const begin = (at: Point): void => {
    const title = head.querySelector('h3')?.textContent.trim() ?? '';
    head.dataset['dragged'] = '';
    drag = new Drag({ id: slot.dataset['card'] ?? '', title, slot });
    drag.move(at);
  };
  const end = (isDropped: boolean): void => {
    clearTimeout(timer);
    ended.abort();
    delete head.dataset['dragged'];
    drag?.end(isDropped);
  };
  const move = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    const point = { x: event.clientX, y: event.clientY };
    if (drag !== null) {
      event.preventDefault();
      drag.move(point);
      return;
    }
    const distance = Math.hypot(point.x - down.clientX, point.y - down.clientY);
    // Released where nobody heard of it.
    if (!isTouch && event.buttons === 0) end(false);
    else if (isTouch && distance > TOUCH_SLACK_PX) end(false);
    else if (!isTouch && distance > MOUSE_SLACK_PX) begin(point);
  };
  window.addEventListener('pointermove', move, options);
  window.addEventListener('pointerup', (event) => event.pointerId === down.pointerId && end(true), options);
  window.addEventListener(
    'pointercancel',
    (event) => event.pointerId === down.pointerId && end(false),
    options,
  );
  // Of the window itself: a button that loses the focus to the pressed card says the same, on its way down.
  window.addEventListener('blur', (event) => event.target === window && end(false), options);
  window.addEventListener('contextmenu', (event) => drag !== null && event.preventDefault(), options);
  window.addEventListener(
    'keydown',
    (event) => {
      if (drag === null || event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    },
    options,
  );
  if (isTouch) timer = setTimeout(() => begin({ x: down.clientX, y: down.clientY }), HOLD_MS);
}

/** From the moment on when it is one. */
class Drag {
  readonly #dragged: Dragged;
  readonly #label = document.createElement('div');
  readonly #what = document.createElement('div');
  readonly #mark = document.createElement('div');
  readonly #scroller: HTMLElement | null;
  #point: Point = { x: 0, y: 0 };
  #drop: Drop | null = null;
  #frame = 0;
  /** A card that is taken at the edge does not scroll away from under the pointer. */
  #canScroll = false;

  constructor(dragged: Dragged) {
    this.#dragged = dragged;
    this.#scroller = dragged.slot.closest<HTMLElement>('[data-scroller]');
    Object.assign(this.#mark.style, {
      position: 'fixed',
      zIndex: '90',
      border: '2px solid var(--accent)',
      borderRadius: 'var(--radius-m)',
      pointerEvents: 'none',
    });
    Object.assign(this.#label.style, {
      position: 'fixed',
      zIndex: '91',
      maxWidth: '280px',
      padding: '4px 10px',
      border: '1px solid var(--line-strong)',
      borderRadius: 'var(--radius-s)',
      background: 'var(--bg-raised)',
      boxShadow: 'var(--shadow)',
      color: 'var(--text)',
      fontSize: 'var(--size-s)',
      pointerEvents: 'none',
    });
    const title = document.createElement('div');
    title.textContent = dragged.title;
    title.style.fontWeight = '600';
    this.#what.style.color = 'var(--text-muted)';
    this.#label.append(title, this.#what);
    this.#label.setAttribute('role', 'status');
    document.body.append(this.#mark, this.#label);
    document.body.style.userSelect = 'none';
    document.body.style.cursor = 'grabbing';
    getSelection()?.removeAllRanges();
    dragged.slot.style.opacity = '0.4';
    for (const listener of listeners) listener(dragged);
    this.#frame = requestAnimationFrame(this.#scroll);
  }

  move(point: Point): void {
    this.#point = point;
    this.#look();
  }

  end(isDropped: boolean): void {
    cancelAnimationFrame(this.#frame);
    this.#label.remove();
    this.#mark.remove();
    document.body.style.userSelect = '';
    document.body.style.cursor = '';
    this.#dragged.slot.style.opacity = '';
    for (const listener of listeners) listener(null);
    if (isDropped) this.#drop?.drop();
  }

  #look(): void {
    const { x, y } = this.#point;
    const over = document.elementFromPoint(x, y);
    this.#drop = null;
    if (over !== null) {
      for (const finder of [finders.onto, finders.between]) {
        this.#drop ??= finder?.(this.#dragged, over, this.#point) ?? null;
      }
    }
    const words = this.#drop?.words ?? 'Drop it on a section';
    if (this.#what.textContent !== words) this.#what.textContent = words;
    // Beside the pointer, and never off the screen.
    this.#label.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - this.#label.offsetWidth - 4))}px`;
    this.#label.style.top = `${Math.max(4, Math.min(y + 14, window.innerHeight - this.#label.offsetHeight - 4))}px`;
    const mark = this.#drop?.mark ?? null;
    this.#mark.hidden = mark === null;
    if (mark === null) return;
    Object.assign(this.#mark.style, {
      left: `${mark.left}px`,
      top: `${mark.top}px`,
      width: `${mark.width}px`,
      height: `${mark.height}px`,
    });
  }

  readonly #scroll = (): void => {
    this.#frame = requestAnimationFrame(this.#scroll);
    if (this.#scroller === null) return;
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const by = scrollSpeed(this.#point.y, top, bottom);
    if (by === 0) this.#canScroll = true;
    if (by === 0 || !this.#canScroll) return;
    this.#scroller.scrollTop += by;
    this.#look();
  };
}

/** Pixels per frame; faster the nearer the edge. */
export function scrollSpeed(y: number, top: number, bottom: number): number {
  const near = (distance: number): number =>
    Math.min(1, Math.max(0, (SCROLL_EDGE_PX - distance) / SCROLL_EDGE_PX)) * MOST_SCROLL_PX;
  return near(bottom - y) - near(y - top);
}
