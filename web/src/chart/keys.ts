// Keys of a focused chart. Arrows walk over points and lines, plus and minus zoom, Home and End go to the edges of the view,
// Enter chooses the point. Brackets move the step selector, where there is one: [ and ] its first marker, { and } its second.
// Only keys without Ctrl, Alt or Meta are taken (but with AltGr, by which half of the world types brackets), and Escape only
// when there is a cursor to dismiss: all others are the page's.

export interface KeyTarget {
  moveCursor(by: number): void;
  moveToEnd(end: 'first' | 'last'): void;
  changeLine(by: 1 | -1): void;
  /** Shows `factor` times as much. */
  zoom(factor: number): void;
  /** Whether there was something to dismiss. */
  dismiss(): boolean;
  /** Whether there is a marker to move. */
  moveMarker(end: 'from' | 'to', by: number): boolean;
  /** Whether there is a point to choose. */
  choose(): boolean;
}

/** Points per key press with Shift. */
const LEAP = 10;

/** Starts listening; the answer stops it. */
export function listenToKeys(host: HTMLElement, target: KeyTarget): () => void {
  const stop = new AbortController();
  const onKey = (event: KeyboardEvent): void => {
    const hasModifier =
      (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    if (hasModifier || event.target !== host) return;
    if (!act(event.key, event.shiftKey ? LEAP : 1, target)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  host.addEventListener('keydown', onKey, { signal: stop.signal });
  host.addEventListener('blur', () => target.dismiss(), { signal: stop.signal });
  return () => stop.abort();
}

/** Whether the key means something here. */
function act(key: string, leap: number, target: KeyTarget): boolean {
  switch (key) {
    case 'ArrowLeft':
      target.moveCursor(-leap);
      return true;
    case 'ArrowRight':
      target.moveCursor(leap);
      return true;
    case 'ArrowUp':
      target.changeLine(1);
      return true;
    case 'ArrowDown':
      target.changeLine(-1);
      return true;
    case 'Home':
      target.moveToEnd('first');
      return true;
    case 'End':
      target.moveToEnd('last');
      return true;
    case '+':
    case '=':
      target.zoom(0.5);
      return true;
    case '-':
    case '_':
      target.zoom(2);
      return true;
    case '[':
      return target.moveMarker('from', -1);
    case ']':
      return target.moveMarker('from', 1);
    case '{':
      return target.moveMarker('to', -1);
    case '}':
      return target.moveMarker('to', 1);
    case 'Enter':
      return target.choose();
    case 'Escape':
      return target.dismiss();
    default:
      return false;
  }
}
