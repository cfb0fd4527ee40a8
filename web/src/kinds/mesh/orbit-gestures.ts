// Pointer, wheel, fingers and keys become turns, shifts and zooms. A drag turns; with Shift, or another button than the first, it
// shifts. The wheel zooms what has been pressed, or with Ctrl, Alt or Meta: else it scrolls the page. One finger turns when it begins
// sideways (up and down scrolls the page), two shift and zoom.

export interface OrbitActions {
  /** By so many heights of the picture. */
  turn(right: number, down: number): void;
  shift(right: number, up: number): void;
  zoom(factor: number): void;
  reset(): void;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly isShift: boolean;
}

/** A notch of a mouse wheel is 100 or 120 pixels: about a fifth larger or smaller. */
const ZOOM_PER_WHEEL_PX = 0.0018;
const WHEEL_LINE_PX = 33;
/** A pinch on a track pad comes as small wheel movements with Ctrl. */
const ZOOM_PER_PINCH_PX = 0.01;
const PINCH_PX = 30;
const KEY_SHARE = 0.08;
const KEY_ZOOM = 1.25;

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function orbitGestures(actions: OrbitActions): (element: HTMLElement) => () => void {
  return (element) => {
    const pointers = new Map<number, Place>();

    const placeOf = (event: PointerEvent, before?: Place): Place => ({
      x: event.clientX,
      y: event.clientY,
      isShift: before?.isShift ?? (event.shiftKey || event.button > 0),
    });

    const down = (event: PointerEvent): void => {
      pointers.set(event.pointerId, placeOf(event));
      element.setPointerCapture(event.pointerId);
      element.focus({ preventScroll: true });
      // The middle button would start the browser's own scrolling.
      if (event.button === 1) event.preventDefault();
    };

    const move = (event: PointerEvent): void => {
      const before = pointers.get(event.pointerId);
      if (before === undefined) return;
      const at = placeOf(event, before);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, at);
      const height = Math.max(1, element.clientHeight);
      const [right, downward] = [(at.x - before.x) / height, (at.y - before.y) / height];
      if (other !== undefined) {
        // The middle moves half as far as one finger does.
        actions.shift(right / 2, -downward / 2);
        actions.zoom(distance(at, other) / Math.max(1, distance(before, other)));
      } else if (at.isShift) actions.shift(right, -downward);
      else actions.turn(right, downward);
    };

    const up = (event: PointerEvent): void => {
      pointers.delete(event.pointerId);
    };

    const wheel = (event: WheelEvent): void => {
      const isMeant = event.ctrlKey || event.altKey || event.metaKey || document.activeElement === element;
      if (!isMeant) return;
      event.preventDefault();
      actions.zoom(zoomBy(event));
    };

    const key = (event: KeyboardEvent): void => {
      const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
      if (hasModifier || event.target !== element || !act(event, actions)) return;
      event.preventDefault();
      event.stopPropagation();
    };

    const ends = new AbortController();
    const { signal } = ends;
    element.addEventListener('pointerdown', down, { signal });
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', up, { signal });
    element.addEventListener('pointercancel', up, { signal });
    element.addEventListener('dblclick', () => actions.reset(), { signal });
    element.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
    element.addEventListener('wheel', wheel, { passive: false, signal });
    element.addEventListener('keydown', key, { signal });
    return () => ends.abort();
  };
}

function zoomBy(event: WheelEvent): number {
  const delta = event.deltaY || event.deltaX;
  const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * WHEEL_LINE_PX : delta;
  const isPinch = event.ctrlKey && Math.abs(px) < PINCH_PX;
  return Math.exp(-px * (isPinch ? ZOOM_PER_PINCH_PX : ZOOM_PER_WHEEL_PX));
}

/** Whether the key does something here. */
function act({ key, shiftKey }: KeyboardEvent, actions: OrbitActions): boolean {
  const arrow = ARROWS[key];
  if (arrow !== undefined) {
    const [right, downward] = [arrow[0] * KEY_SHARE, arrow[1] * KEY_SHARE];
    if (shiftKey) actions.shift(right, -downward);
    else actions.turn(right, downward);
  } else if (key === '+' || key === '=') actions.zoom(KEY_ZOOM);
  else if (key === '-' || key === '_') actions.zoom(1 / KEY_ZOOM);
  else if (key === '0' || key === 'Home') actions.reset();
  else return false;
  return true;
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
