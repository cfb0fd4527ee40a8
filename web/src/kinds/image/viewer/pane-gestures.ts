// Pointer, wheel and fingers on a pane: a drag pans, two fingers pan and zoom, the wheel zooms around the pointer, a double
// click goes between all of the picture and actual size. Places are device pixels of the pane.
import type { Point } from './viewport';

export interface PaneActions {
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  /** A double click. */
  toggle(at: Point): void;
  /** The pointer is over this place; null: it has left. */
  point(at: Point | null): void;
}

/** A notch of a mouse wheel is 100 or 120 pixels: about a fifth larger or smaller. */
const ZOOM_PER_WHEEL_PX = 0.0018;
const WHEEL_LINE_PX = 33;
/** A pinch on a track pad comes as small wheel movements with Ctrl. */
const ZOOM_PER_PINCH_PX = 0.01;

export function paneGestures(actions: PaneActions): (element: HTMLElement) => () => void {
  return (element) => {
    const pointers = new Map<number, Point>();

    const placeOf = (event: MouseEvent): Point => {
      const box = element.getBoundingClientRect();
      const ratio = window.devicePixelRatio || 1;
      return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
    };

    const down = (event: PointerEvent): void => {
      if (event.pointerType === 'mouse' && event.button > 1) return;
      pointers.set(event.pointerId, placeOf(event));
      element.setPointerCapture(event.pointerId);
      element.focus({ preventScroll: true });
      if (event.pointerType !== 'mouse') actions.point(placeOf(event));
    };

    const move = (event: PointerEvent): void => {
      const at = placeOf(event);
      const before = pointers.get(event.pointerId);
      if (before === undefined) {
        actions.point(at);
        return;
      }
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, at);
      if (other === undefined) {
        actions.pan(at.x - before.x, at.y - before.y);
        if (event.pointerType === 'mouse') actions.point(at);
        return;
      }
      // The middle moves half as far as one finger does.
      actions.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
      const factor = distance(at, other) / Math.max(1, distance(before, other));
      actions.zoom(factor, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
    };

    const up = (event: PointerEvent): void => {
      pointers.delete(event.pointerId);
    };

    const leave = (event: PointerEvent): void => {
      // What a finger has touched stays pointed at: there is no other way to read its value.
      if (event.pointerType === 'mouse' && !pointers.has(event.pointerId)) actions.point(null);
    };

    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * WHEEL_LINE_PX : event.deltaY;
      const rate = event.ctrlKey ? ZOOM_PER_PINCH_PX : ZOOM_PER_WHEEL_PX;
      actions.zoom(Math.exp(-px * rate), placeOf(event));
    };

    const doubleClick = (event: MouseEvent): void => {
      actions.toggle(placeOf(event));
    };

    const ends = new AbortController();
    const { signal } = ends;
    element.addEventListener('pointerdown', down, { signal });
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', up, { signal });
    element.addEventListener('pointercancel', up, { signal });
    element.addEventListener('pointerleave', leave, { signal });
    element.addEventListener('dblclick', doubleClick, { signal });
    element.addEventListener('wheel', wheel, { passive: false, signal });
    return () => ends.abort();
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
