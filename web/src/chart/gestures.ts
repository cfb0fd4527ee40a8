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
  let state: State = IDLE;
  /** Fingers that are down, by pointer id. */
  const fingers = new Map<number, Place>();
  const stop = new AbortController();
  const { signal } = stop;

  const placeOf = (event: { clientX: number; clientY: number }): Place => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  function leaveState(): void {
    if (state.name === 'waiting') clearTimeout(state.timer);
    if (state.name === 'brushing') target.brush(null);
    if (state.name === 'panning') host.style.cursor = '';
    if (state.name === 'dragging') state.grip.end();
    state = IDLE;
  }

  function onDown(event: PointerEvent): void {
    const place = placeOf(event);
    if (event.pointerType === 'touch') {
      onFingerDown(event, place);
      return;
    }
    if (state.name !== 'idle' || !target.plotBox()) return;
    if (event.button === 1 || (event.button === 0 && (event.shiftKey || event.altKey))) {
      startPan(event, place);
    } else if (event.button === 0) {
      if (!grab(event, place)) state = { name: 'pressed', id: event.pointerId, start: place };
      capture(event);
    }
  }

  /** Whether the pointer took hold of something. */
  function grab(event: PointerEvent, place: Place): boolean {
    const grip = target.grab(place);
    if (!grip) return false;
    state = { name: 'dragging', id: event.pointerId, grip };
    target.point(null);
    return true;
  }

  function startPan(event: PointerEvent, place: Place): void {
    state = { name: 'panning', id: event.pointerId, start: place, axes: null };
    capture(event);
    target.point(null);
    target.beginMove();
    host.style.cursor = 'grabbing';
  }

  function onFingerDown(event: PointerEvent, place: Place): void {
    fingers.set(event.pointerId, place);
    if (fingers.size === 2) {
      leaveState();
      const [a, b] = [...fingers] as [[number, Place], [number, Place]];
      state = { name: 'pinching', ids: [a[0], b[0]], from: [a[1], b[1]] };
      target.point(null);
      target.beginMove();
      return;
    }
    if (fingers.size !== 1 || grab(event, place)) return;
    if (!target.isTouchPanning) {
      state = { name: 'pressed', id: event.pointerId, start: place };
      return;
    }
    const timer = window.setTimeout(() => {
      state = { name: 'cursor', id: event.pointerId };
      target.point(place);
    }, LONG_PRESS_MS);
    state = { name: 'waiting', id: event.pointerId, start: place, timer };
  }

  function onMove(event: PointerEvent): void {
    const place = placeOf(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, place);
    switch (state.name) {
      case 'idle':
        if (event.pointerType !== 'touch') target.point(place);
        return;
      case 'pressed':
        if (state.id !== event.pointerId || distance(place, state.start) < DRAG_PX) return;
        state = { ...state, name: 'brushing' };
        target.point(null);
        moveBrush(state.start, place);
        return;
      case 'brushing':
        if (state.id === event.pointerId) moveBrush(state.start, place);
        return;
      case 'panning':
        if (state.id === event.pointerId) movePan(place);
        return;
      case 'waiting':
        if (state.id === event.pointerId && distance(place, state.start) > TOUCH_SLOP_PX) leaveState();
        return;
      case 'cursor':
        if (state.id === event.pointerId) target.point(place);
        return;
      case 'dragging':
        if (state.id === event.pointerId) state.grip.move(place);
        return;
      case 'pinching':
        movePinch(state.ids, state.from);
    }
  }

  function moveBrush(start: Place, place: Place): void {
    const plot = target.plotBox();
    if (plot)
      target.brush({ axes: brushAxes(start, place, plot, target.hasRightAxis), from: start, to: place });
  }

  function movePan(place: Place): void {
    if (state.name !== 'panning') return;
    const dx = place.x - state.start.x;
    const dy = place.y - state.start.y;
    let { axes } = state;
    if (axes === null) {
      if (Math.hypot(dx, dy) < DRAG_PX) return;
      axes = Math.abs(dy) > 2 * Math.abs(dx) ? 'xy' : 'x';
      state = { ...state, axes };
    }
    target.panBy(dx, dy, axes);
  }

  function movePinch(ids: readonly [number, number], from: readonly [Place, Place]): void {
    const a = fingers.get(ids[0]);
    const b = fingers.get(ids[1]);
    if (!a || !b) return;
    target.pinch(pinchSpan(from[0], from[1]), pinchSpan(a, b));
  }

  function onUp(event: PointerEvent): void {
    const place = placeOf(event);
    fingers.delete(event.pointerId);
    const before = state;
    if (before.name === 'pinching') {
      if (before.ids.includes(event.pointerId)) state = IDLE;
      return;
    }
    if (before.name === 'idle' || before.id !== event.pointerId) return;
    const plot = target.plotBox();
    leaveState();
    if (before.name === 'pressed' || before.name === 'waiting') {
      // A tap leaves the cursor where it was, as there is no pointer that could hover.
      if (event.pointerType === 'touch') target.point(place);
      target.click(place);
    } else if (before.name === 'brushing' && plot) {
      const axes = brushAxes(before.start, place, plot, target.hasRightAxis);
      const isWide = Math.abs(place.x - before.start.x) >= DRAG_PX;
      const isHigh = Math.abs(place.y - before.start.y) >= DRAG_PX;
      if (axes === 'x' ? isWide : axes === 'y' ? isHigh : isWide && isHigh) {
        target.zoomTo({ axes, from: before.start, to: place });
      }
    }
  }

  function onCancel(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    if (state.name === 'pinching' ? state.ids.includes(event.pointerId) : state.name !== 'idle') leaveState();
  }

  function onLeave(event: PointerEvent): void {
    if (event.pointerType !== 'touch' && state.name === 'idle') target.point(null);
  }

  function onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.altKey && !event.metaKey) return;
    const plot = target.plotBox();
    if (!plot) return;
    event.preventDefault();
    const place = placeOf(event);
    const unitPx = event.deltaMode === 1 ? WHEEL_LINE_PX : event.deltaMode === 2 ? WHEEL_PAGE_PX : 1;
    // Alt turns a wheel sideways on some systems.
    const deltaPx = (event.deltaY || event.deltaX) * unitPx;
    // Pinching on a touchpad arrives as a Ctrl wheel of small steps.
    const speed = event.ctrlKey && Math.abs(deltaPx) < 30 ? WHEEL_SPEED * 4 : WHEEL_SPEED;
    const factor = Math.exp(Math.max(-1, Math.min(1, deltaPx * speed)));
    const isBeside = place.x < plot.left || (target.hasRightAxis && place.x > plot.right);
    target.zoomAt(place, factor, isBeside ? 'y' : place.y > plot.bottom ? 'x' : 'plot');
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || (state.name !== 'brushing' && state.name !== 'pressed')) return;
    leaveState();
    event.preventDefault();
    event.stopPropagation();
  }

  function capture(event: PointerEvent): void {
    try {
      host.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already (or was made by a script): the drag just ends at the chart's edge.
    }
  }

  host.addEventListener('pointerdown', onDown, { signal });
  host.addEventListener('pointermove', onMove, { signal });
  host.addEventListener('pointerup', onUp, { signal });
  host.addEventListener('pointercancel', onCancel, { signal });
  host.addEventListener('pointerleave', onLeave, { signal });
  host.addEventListener('dblclick', () => target.reset(), { signal });
  host.addEventListener('wheel', onWheel, { signal, passive: false });
  // The middle button would start the browser's own scrolling.
  host.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), { signal });
  host.addEventListener(
    'contextmenu',
    (event) => (state.name === 'waiting' || state.name === 'cursor') && event.preventDefault(),
    { signal },
  );
  // Scrolling must not start once a finger holds the cursor or two of them zoom.
  host.addEventListener(
    'touchmove',
    (event) => {
      const isOurs = state.name !== 'idle' && state.name !== 'waiting';
      if (isOurs && event.cancelable) event.preventDefault();
    },
    { signal, passive: false },
  );
  // A cursor that a finger has left behind goes away when another place is touched.
  document.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType === 'touch' && !host.contains(event.target as Node | null)) target.point(null);
    },
    { signal, passive: true },
  );
  document.addEventListener('keydown', onKey, { signal, capture: true });

  return () => {
    leaveState();
    stop.abort();
  };
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
