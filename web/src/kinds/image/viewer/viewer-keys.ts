// The viewer's keys. Arrows go through steps and runs, as "," and "." go through steps everywhere; with Shift they pan; while
// the pixel cursor is on they move it.
import type { KeyLine } from '../../../board/full-view/full-view-keys';

export type ViewerAction =
  | { readonly type: 'zoom'; readonly direction: 1 | -1 }
  | { readonly type: 'fit' | 'actual' | 'copy-values' | 'hold' | 'cursor' | 'leave-cursor' }
  | { readonly type: 'mode' }
  | { readonly type: 'pan' | 'move-cursor'; readonly dx: number; readonly dy: number }
  | { readonly type: 'step' | 'place'; readonly by: 1 | -1 };

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const ARROWS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Of a pane, with one press. */
const PAN_PX = 60;
const CURSOR_LEAP = 10;

const PLAIN: Readonly<Record<string, ViewerAction>> = {
  '+': { type: 'zoom', direction: 1 },
  '=': { type: 'zoom', direction: 1 },
  '-': { type: 'zoom', direction: -1 },
  '−': { type: 'zoom', direction: -1 },
  '0': { type: 'fit' },
  '1': { type: 'actual' },
  ',': { type: 'step', by: -1 },
  '.': { type: 'step', by: 1 },
  ' ': { type: 'hold' },
  c: { type: 'cursor' },
  m: { type: 'mode' },
};

/** For the help sheet. */
export const VIEWER_KEY_LINES: readonly KeyLine[] = [
  ['Previous or next step', 'Left', 'Right', ',', '.'],
  ['Previous or next run or sample', 'Up', 'Down'],
  ['Move the picture', 'Shift+Left', 'Shift+Right', 'Shift+Up', 'Shift+Down'],
  ['Zoom in or out', '+', '-'],
  ['Fit', '0'],
  ['Actual size', '1'],
  ['Play or pause the steps, or the blinking', 'Space'],
  ['Pixel cursor, which the arrows move (Shift: ten)', 'c'],
  ['Copy the values at the cursor', 'Ctrl+C'],
  ['Of two: side by side, swipe, blink, difference', 'm'],
];

/** null: the key means nothing here. */
export function actionFor(event: Pressed, isCursorByKeys: boolean): ViewerAction | null {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) return event.key === 'c' ? { type: 'copy-values' } : null;
  const arrow = ARROWS[event.key];
  if (arrow !== undefined) {
    const [dx, dy] = arrow;
    if (isCursorByKeys) {
      const leap = event.shiftKey ? CURSOR_LEAP : 1;
      return { type: 'move-cursor', dx: leap * dx, dy: leap * dy };
    }
    // What is beyond the edge comes into sight: the picture goes the other way.
    if (event.shiftKey) return { type: 'pan', dx: -PAN_PX * dx || 0, dy: -PAN_PX * dy || 0 };
    if (dx !== 0) return { type: 'step', by: dx as 1 | -1 };
    return { type: 'place', by: dy as 1 | -1 };
  }
  if (event.key === 'Escape' && isCursorByKeys) return { type: 'leave-cursor' };
  return PLAIN[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
}

/** Whether the key belongs to what has the focus: a box that is typed into, a range, a menu. */
export function isTakenBy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input, select, textarea, [role="menu"], [popover]') !== null) return true;
  return (key === ' ' || key === 'Enter') && target.closest('button, a') !== null;
}
