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

/** What a key does; false: nothing here, it is the page's. */
const ACTIONS: Readonly<Record<string, (target: KeyTarget, leap: number) => unknown>> = {
  ArrowLeft: (target, leap) => target.moveCursor(-leap),
  ArrowRight: (target, leap) => target.moveCursor(leap),
  ArrowUp: (target) => target.changeLine(1),
  ArrowDown: (target) => target.changeLine(-1),
  Home: (target) => target.moveToEnd('first'),
  End: (target) => target.moveToEnd('last'),
  '+': (target) => target.zoom(0.5),
  '=': (target) => target.zoom(0.5),
  '-': (target) => target.zoom(2),
  _: (target) => target.zoom(2),
  '[': (target) => target.moveMarker('from', -1),
  ']': (target) => target.moveMarker('from', 1),
  '{': (target) => target.moveMarker('to', -1),
  '}': (target) => target.moveMarker('to', 1),
  Enter: (target) => target.choose(),
  Escape: (target) => target.dismiss(),
};

/** Starts listening; the answer stops it. */
export function listenToKeys(host: HTMLElement, target: KeyTarget): () => void {
  const stop = new AbortController();
  const onKey = (event: KeyboardEvent): void => {
    const hasModifier =
      (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    if (hasModifier || event.target !== host) return;
    const act = ACTIONS[event.key];
    if (act === undefined || act(target, event.shiftKey ? LEAP : 1) === false) return;
    event.preventDefault();
    event.stopPropagation();
  };
  host.addEventListener('keydown', onKey, { signal: stop.signal });
  host.addEventListener('blur', () => target.dismiss(), { signal: stop.signal });
  return () => stop.abort();
}
