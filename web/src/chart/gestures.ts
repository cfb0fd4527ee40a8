// Pointers become intentions. Mouse and pen: drag draws a zoom box, Shift/Alt or the middle button pans, the wheel zooms
// when Ctrl, Alt or Meta is held (alone it scrolls the page), a double click resets. Touch: one finger scrolls the page, a
// long press places the cursor and dragging then moves it, two fingers zoom. What the target can be taken hold of at (a
// marker) is dragged by any of them, and a press without a drag is a click. Knows pixels only; what a pixel means is
// the target's business. All places are CSS pixels from the host's top left corner.
import type { Brush, BrushAxes } from './overlay';
import type { PxBox } from './draw-context';

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Something that is being dragged. */
export interface Grip {
  move(place: Place): void;
  /** Let go, or taken away. */
  end(): void;
}

export interface GestureTarget {
  readonly isTouchPanning: boolean;
  /** Whether the margin to the right is an axis, too. */
  readonly hasRightAxis: boolean;
  /** The plot area; null before the chart has a size. */
  plotBox(): PxBox | null;
  /** The pointer is here, or (null) nowhere. */
  point(place: Place | null): void;
  /** The zoom box so far; null: none. */
  brush(brush: Brush | null): void;
  zoomTo(brush: Brush): void;
  /** Pans and pinches count from here. */
  beginMove(): void;
  panBy(dx: number, dy: number, axes: BrushAxes): void;
  pinch(from: readonly [number, number], to: readonly [number, number]): void;
  /** Shows `factor` times as much around the place. */
  zoomAt(place: Place, factor: number, axes: 'x' | 'y' | 'plot'): void;
  reset(): void;
  /** What a press here takes hold of; null: nothing, it may become a zoom. */
  grab(place: Place): Grip | null;
  /** Pressed and released without a drag. */
  click(place: Place): void;
}

/** Below this a press is a click. */
const DRAG_PX = 4;
/** A box thinner than this zooms one axis only. */
const THIN_BOX_PX = 16;
const LONG_PRESS_MS = 450;
/** A finger trembles. */
const TOUCH_SLOP_PX = 10;
/** Two fingers closer than this (in x) zoom by their distance in y as well: a ratio of tiny numbers jumps. */
const PINCH_LEAST_PX = 40;
const WHEEL_LINE_PX = 16;
const WHEEL_PAGE_PX = 400;
/** Zoom per pixel of wheel; one notch (100 px) shows a fifth less or more. */
const WHEEL_SPEED = 0.0022;

type State =
  | { readonly name: 'idle' }
  | { readonly name: 'pressed'; readonly id: number; readonly start: Place }
  | { readonly name: 'brushing'; readonly id: number; readonly start: Place }
  | { readonly name: 'panning'; readonly id: number; readonly start: Place; readonly axes: BrushAxes | null }
  | { readonly name: 'waiting'; readonly id: number; readonly start: Place; readonly timer: number }
  | { readonly name: 'cursor'; readonly id: number }
  | { readonly name: 'dragging'; readonly id: number; readonly grip: Grip }
  | {
      readonly name: 'pinching';
      readonly ids: readonly [number, number];
      readonly from: readonly [Place, Place];
    };

/** Of one pointer that is down. */
type HeldState = Exclude<State, { name: 'idle' | 'pinching' }>;

const IDLE: State = { name: 'idle' };

/** Which axes a zoom box from here to there is about, by where it began and by its shape. */
export function brushAxes(start: Place, end: Place, plot: PxBox, hasRightAxis = false): BrushAxes {
  if (start.x < plot.left || (hasRightAxis && start.x > plot.right)) return 'y';
  if (start.y > plot.bottom) return 'x';
  const width = Math.abs(end.x - start.x);
  const height = Math.abs(end.y - start.y);
  if (height < THIN_BOX_PX && width >= height) return 'x';
  return width < THIN_BOX_PX ? 'y' : 'xy';
}

/** Starts listening; the answer stops it. */
export function listenToGestures(host: HTMLElement, target: GestureTarget): () => void {
  const gestures = new Gestures(host, target);
  return () => gestures.stop();
}

class Gestures {
  readonly #host: HTMLElement;
  readonly #target: GestureTarget;
  readonly #stop = new AbortController();
  #state: State = IDLE;
  /** Fingers that are down, by pointer id. */
  readonly #fingers = new Map<number, Place>();

  constructor(host: HTMLElement, target: GestureTarget) {
    this.#host = host;
    this.#target = target;
    const { signal } = this.#stop;
    host.addEventListener('pointerdown', (event) => this.#onDown(event), { signal });
    host.addEventListener('pointermove', (event) => this.#onMove(event), { signal });
    host.addEventListener('pointerup', (event) => this.#onUp(event), { signal });
    host.addEventListener('pointercancel', (event) => this.#onCancel(event), { signal });
    host.addEventListener('pointerleave', (event) => this.#onLeave(event), { signal });
    host.addEventListener('dblclick', () => target.reset(), { signal });
    host.addEventListener('wheel', (event) => this.#onWheel(event), { signal, passive: false });
    // The middle button would start the browser's own scrolling.
    host.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), { signal });
    host.addEventListener('contextmenu', (event) => this.#onContextMenu(event), { signal });
    host.addEventListener('touchmove', (event) => this.#onTouchMove(event), { signal, passive: false });
    // A cursor that a finger has left behind goes away when another place is touched.
    const leaveCursor = (event: PointerEvent): void => {
      if (event.pointerType === 'touch' && !host.contains(event.target as Node | null)) target.point(null);
    };
    document.addEventListener('pointerdown', leaveCursor, { signal, passive: true });
    document.addEventListener('keydown', (event) => this.#onKey(event), { signal, capture: true });
  }

  stop(): void {
    this.#leaveState();
    this.#stop.abort();
  }

  #leaveState(): void {
    const state = this.#state;
    if (state.name === 'waiting') clearTimeout(state.timer);
    if (state.name === 'brushing') this.#target.brush(null);
    if (state.name === 'panning') this.#host.style.cursor = '';
    if (state.name === 'dragging') state.grip.end();
    this.#state = IDLE;
  }

  // ---- a pointer goes down ----

  #onDown(event: PointerEvent): void {
    const place = this.#placeOf(event);
    if (event.pointerType === 'touch') {
      this.#onFingerDown(event, place);
      return;
    }
    if (this.#state.name !== 'idle' || !this.#target.plotBox()) return;
    if (event.button === 1 || (event.button === 0 && (event.shiftKey || event.altKey))) {
      this.#startPan(event, place);
    } else if (event.button === 0) {
      if (!this.#grab(event, place)) this.#state = { name: 'pressed', id: event.pointerId, start: place };
      this.#capture(event);
    }
  }

  /** Whether the pointer took hold of something. */
  #grab(event: PointerEvent, place: Place): boolean {
    const grip = this.#target.grab(place);
    if (!grip) return false;
    this.#state = { name: 'dragging', id: event.pointerId, grip };
    this.#target.point(null);
    return true;
  }

  #startPan(event: PointerEvent, place: Place): void {
    this.#state = { name: 'panning', id: event.pointerId, start: place, axes: null };
    this.#capture(event);
    this.#target.point(null);
    this.#target.beginMove();
    this.#host.style.cursor = 'grabbing';
  }

  #onFingerDown(event: PointerEvent, place: Place): void {
    this.#fingers.set(event.pointerId, place);
    if (this.#fingers.size === 2) {
      this.#leaveState();
      const [a, b] = [...this.#fingers] as [[number, Place], [number, Place]];
      this.#state = { name: 'pinching', ids: [a[0], b[0]], from: [a[1], b[1]] };
      this.#target.point(null);
      this.#target.beginMove();
      return;
    }
    if (this.#fingers.size !== 1 || this.#grab(event, place)) return;
    if (!this.#target.isTouchPanning) {
      this.#state = { name: 'pressed', id: event.pointerId, start: place };
      return;
    }
    const timer = window.setTimeout(() => {
      this.#state = { name: 'cursor', id: event.pointerId };
      this.#target.point(place);
    }, LONG_PRESS_MS);
    this.#state = { name: 'waiting', id: event.pointerId, start: place, timer };
  }

  // ---- it moves ----

  #onMove(event: PointerEvent): void {
    const place = this.#placeOf(event);
    if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, place);
    const state = this.#state;
    if (state.name === 'idle') {
      if (event.pointerType !== 'touch') this.#target.point(place);
    } else if (state.name === 'pinching') {
      this.#movePinch(state.ids, state.from);
    } else if (state.id === event.pointerId) {
      this.#moveHeld(state, place);
    }
  }

  #moveHeld(state: HeldState, place: Place): void {
    switch (state.name) {
      case 'pressed':
        if (distance(place, state.start) < DRAG_PX) return;
        this.#state = { ...state, name: 'brushing' };
        this.#target.point(null);
        this.#moveBrush(state.start, place);
        return;
      case 'brushing':
        this.#moveBrush(state.start, place);
        return;
      case 'panning':
        this.#movePan(state, place);
        return;
      case 'waiting':
        if (distance(place, state.start) > TOUCH_SLOP_PX) this.#leaveState();
        return;
      case 'cursor':
        this.#target.point(place);
        return;
      case 'dragging':
        state.grip.move(place);
    }
  }

  #moveBrush(start: Place, place: Place): void {
    const plot = this.#target.plotBox();
    if (!plot) return;
    const axes = brushAxes(start, place, plot, this.#target.hasRightAxis);
    this.#target.brush({ axes, from: start, to: place });
  }

  #movePan(state: State & { name: 'panning' }, place: Place): void {
    const dx = place.x - state.start.x;
    const dy = place.y - state.start.y;
    let { axes } = state;
    if (axes === null) {
      if (Math.hypot(dx, dy) < DRAG_PX) return;
      axes = Math.abs(dy) > 2 * Math.abs(dx) ? 'xy' : 'x';
      this.#state = { ...state, axes };
    }
    this.#target.panBy(dx, dy, axes);
  }

  #movePinch(ids: readonly [number, number], from: readonly [Place, Place]): void {
    const a = this.#fingers.get(ids[0]);
    const b = this.#fingers.get(ids[1]);
    if (!a || !b) return;
    this.#target.pinch(pinchSpan(from[0], from[1]), pinchSpan(a, b));
  }

  // ---- it goes up, or away ----

  #onUp(event: PointerEvent): void {
    const place = this.#placeOf(event);
    this.#fingers.delete(event.pointerId);
    const before = this.#state;
    if (before.name === 'pinching') {
      if (before.ids.includes(event.pointerId)) this.#state = IDLE;
      return;
    }
    if (before.name === 'idle' || before.id !== event.pointerId) return;
    const plot = this.#target.plotBox();
    this.#leaveState();
    if (before.name === 'pressed' || before.name === 'waiting') {
      // A tap leaves the cursor where it was, as there is no pointer that could hover.
      if (event.pointerType === 'touch') this.#target.point(place);
      this.#target.click(place);
    } else if (before.name === 'brushing' && plot) {
      const axes = brushAxes(before.start, place, plot, this.#target.hasRightAxis);
      const isWide = Math.abs(place.x - before.start.x) >= DRAG_PX;
      const isHigh = Math.abs(place.y - before.start.y) >= DRAG_PX;
      if (axes === 'x' ? isWide : axes === 'y' ? isHigh : isWide && isHigh) {
        this.#target.zoomTo({ axes, from: before.start, to: place });
      }
    }
  }

  #onCancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    const state = this.#state;
    if (state.name === 'pinching' ? state.ids.includes(event.pointerId) : state.name !== 'idle')
      this.#leaveState();
  }

  #onLeave(event: PointerEvent): void {
    if (event.pointerType !== 'touch' && this.#state.name === 'idle') this.#target.point(null);
  }

  // ---- everything else ----

  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.altKey && !event.metaKey) return;
    const plot = this.#target.plotBox();
    if (!plot) return;
    event.preventDefault();
    const place = this.#placeOf(event);
    const unitPx = event.deltaMode === 1 ? WHEEL_LINE_PX : event.deltaMode === 2 ? WHEEL_PAGE_PX : 1;
    // Alt turns a wheel sideways on some systems.
    const deltaPx = (event.deltaY || event.deltaX) * unitPx;
    // Pinching on a touchpad arrives as a Ctrl wheel of small steps.
    const speed = event.ctrlKey && Math.abs(deltaPx) < 30 ? WHEEL_SPEED * 4 : WHEEL_SPEED;
    const factor = Math.exp(Math.max(-1, Math.min(1, deltaPx * speed)));
    const isBeside = place.x < plot.left || (this.#target.hasRightAxis && place.x > plot.right);
    this.#target.zoomAt(place, factor, isBeside ? 'y' : place.y > plot.bottom ? 'x' : 'plot');
  }

  #onKey(event: KeyboardEvent): void {
    const { name } = this.#state;
    if (event.key !== 'Escape' || (name !== 'brushing' && name !== 'pressed')) return;
    this.#leaveState();
    event.preventDefault();
    event.stopPropagation();
  }

  #onContextMenu(event: Event): void {
    const { name } = this.#state;
    if (name === 'waiting' || name === 'cursor') event.preventDefault();
  }

  /** Scrolling must not start once a finger holds the cursor or two of them zoom. */
  #onTouchMove(event: TouchEvent): void {
    const isOurs = this.#state.name !== 'idle' && this.#state.name !== 'waiting';
    if (isOurs && event.cancelable) event.preventDefault();
  }

  #capture(event: PointerEvent): void {
    try {
      this.#host.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already (or was made by a script): the drag just ends at the chart's edge.
    }
  }

  #placeOf(event: { clientX: number; clientY: number }): Place {
    const box = this.#host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/** The places in x between which a pinch stretches; fingers above each other count by their whole distance. */
function pinchSpan(a: Place, b: Place): readonly [number, number] {
  const [left, right] = a.x <= b.x ? [a.x, b.x] : [b.x, a.x];
  if (right - left >= PINCH_LEAST_PX) return [left, right];
  const middle = (left + right) / 2;
  const half = Math.max(PINCH_LEAST_PX, distance(a, b)) / 2;
  return [middle - half, middle + half];
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
