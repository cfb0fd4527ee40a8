// Decides which cards are alive. A page may have a thousand cards; only those near the viewport fetch and draw. A card
// that scrolls away keeps its canvases for a while, since people scroll back, but only a bounded number do:
//
//     far ──▶ near ──▶ parked ──▶ far        parked: drawn, but asks for nothing; the longest parked goes first
//               ▲────────┘
//
// Cards become near a few milliseconds' worth per frame, so that a long jump does not build twenty charts in one.

export type Presence = 'far' | 'near' | 'parked';

interface Watched {
  readonly element: Element;
  readonly onPresence: (presence: Presence) => void;
  presence: Presence;
  /** What the observer saw last; the queue brings `presence` in line with it. */
  isIntersecting: boolean;
}

interface Surroundings {
  readonly observe: (
    onSeen: (entries: readonly SeenEntry[]) => void,
    options: { readonly root: Element | null; readonly rootMargin: string },
  ) => Observer;
  readonly requestFrame: (callback: () => void) => number;
  readonly cancelFrame: (handle: number) => void;
  readonly nowMs: () => number;
}

interface SeenEntry {
  readonly target: Element;
  readonly isIntersecting: boolean;
}

interface Observer {
  observe(element: Element): void;
  unobserve(element: Element): void;
  disconnect(): void;
}

const BROWSER: Surroundings = {
  observe: (onSeen, options) => new IntersectionObserver(onSeen, options),
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
  nowMs: () => performance.now(),
};

/** Half a frame at 60 Hz: the other half is for drawing. */
const FRAME_BUDGET_MS = 8;

export class NearViewport {
  readonly #watched = new Map<Element, Watched>();
  readonly #waiting = new Set<Watched>();
  /** In the order in which they were parked. */
  readonly #parked = new Set<Watched>();
  readonly #surroundings: Surroundings;
  readonly #rootOf: (element: Element) => Element | null;
  readonly #marginPx: number;
  #observer: Observer | null = null;
  readonly #maxParked: number;
  #frame: number | null = null;

  /** `rootOf` finds what a card scrolls in: a margin around the window would be cut off at its edge. */
  constructor(
    rootOf: (element: Element) => Element | null,
    { marginPx = 300, maxParked = 24 } = {},
    surroundings: Surroundings = BROWSER,
  ) {
    this.#rootOf = rootOf;
    this.#marginPx = marginPx;
    this.#maxParked = maxParked;
    this.#surroundings = surroundings;
  }

  /** `presence`: what the caller takes for granted, and hears of only if it is wrong. */
  watch(
    element: Element,
    onPresence: (presence: Presence) => void,
    presence: 'far' | 'near' = 'far',
  ): () => void {
    const watched: Watched = { element, onPresence, presence, isIntersecting: false };
    this.#watched.set(element, watched);
    this.#observer ??= this.#surroundings.observe((entries) => this.#onSeen(entries), {
      root: this.#rootOf(element),
      rootMargin: `${this.#marginPx}px 0px`,
    });
    this.#observer.observe(element);
    return () => {
      this.#observer?.unobserve(element);
      this.#watched.delete(element);
      this.#waiting.delete(watched);
      this.#parked.delete(watched);
    };
  }

  destroy(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    if (this.#frame !== null) this.#surroundings.cancelFrame(this.#frame);
    this.#frame = null;
    this.#watched.clear();
    this.#waiting.clear();
    this.#parked.clear();
  }

  #onSeen(entries: readonly SeenEntry[]): void {
    for (const entry of entries) {
      const watched = this.#watched.get(entry.target);
      if (watched === undefined) continue;
      watched.isIntersecting = entry.isIntersecting;
      this.#waiting.add(watched);
    }
    this.#work();
  }

  /** At least one card per frame, whatever it costs; the rest as long as the budget lasts. */
  #work(): void {
    if (this.#frame !== null) return;
    const start = this.#surroundings.nowMs();
    for (const watched of this.#waiting) {
      this.#waiting.delete(watched);
      this.#settle(watched);
      if (this.#surroundings.nowMs() - start > FRAME_BUDGET_MS) break;
    }
    if (this.#waiting.size > 0) {
      this.#frame = this.#surroundings.requestFrame(() => {
        this.#frame = null;
        this.#work();
      });
    }
  }

  #settle(watched: Watched): void {
    if (watched.isIntersecting) {
      this.#parked.delete(watched);
      this.#tell(watched, 'near');
    } else if (watched.presence === 'near') {
      this.#parked.add(watched);
      this.#tell(watched, 'parked');
      for (const oldest of this.#parked) {
        if (this.#parked.size <= this.#maxParked) break;
        this.#parked.delete(oldest);
        this.#tell(oldest, 'far');
      }
    }
  }

  #tell(watched: Watched, presence: Presence): void {
    if (watched.presence === presence) return;
    watched.presence = presence;
    watched.onPresence(presence);
  }
}
