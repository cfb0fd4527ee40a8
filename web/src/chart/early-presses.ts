// What is done to a chart before the code that follows pointers and keys is here: kept, and played to that code when it comes.

const KINDS = [
  ...['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'pointerleave'],
  ...['dblclick', 'keydown'],
];
const MOST_EVENTS = 32;
/** Later than this nobody expects anything of them. */
const KEPT_MS = 10_000;

export class EarlyPresses {
  readonly #host: HTMLElement;
  readonly #stop = new AbortController();
  #events: Event[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
    for (const kind of KINDS) host.addEventListener(kind, this.#keep, { signal: this.#stop.signal });
  }

  /** Once, when others listen. */
  play(): void {
    this.end();
    for (const event of this.#events.splice(0)) {
      const isLate = performance.now() - event.timeStamp > KEPT_MS;
      const isLeft = event.type === 'keydown' && document.activeElement !== this.#host;
      if (isLate || isLeft) continue;
      const Copy = event.constructor as new (type: string, init: object) => Event;
      // The rest of the page has heard it when it happened.
      this.#host.addEventListener(event.type, (copy) => copy.stopPropagation(), { once: true });
      this.#host.dispatchEvent(new Copy(event.type, event));
    }
  }

  end(): void {
    this.#stop.abort();
  }

  readonly #keep = (event: Event): void => {
    // Otherwise a drag that leaves the chart would never end.
    if (event.type === 'pointerdown' && event.isTrusted) {
      this.#host.setPointerCapture((event as PointerEvent).pointerId);
    }
    // Of a movement the last place is enough.
    if (event.type === 'pointermove' && this.#events.at(-1)?.type === event.type) this.#events.pop();
    this.#events = [...this.#events, event].slice(-MOST_EVENTS);
  };
}
