// Hover anywhere, see everywhere: the x under the pointer of one card is told to all others, in data space, at most
// once a frame. Plain callbacks and no framework state, because it fires on every move of the mouse.

type Listener = (x: number | null, source: object | null) => void;

export interface FrameClock {
  request(callback: () => void): number;
  cancel(handle: number): void;
}

const ANIMATION_FRAMES: FrameClock = {
  request: (callback) => requestAnimationFrame(callback),
  cancel: (handle) => cancelAnimationFrame(handle),
};

export class CursorBus {
  #listeners = new Set<Listener>();
  #x: number | null = null;
  #source: object | null = null;
  #frame: number | null = null;
  readonly #clock: FrameClock;

  constructor(clock: FrameClock = ANIMATION_FRAMES) {
    this.#clock = clock;
  }

  /** `source` is whoever says it: it hears it too, and can tell its own voice. */
  publish(x: number | null, source: object): void {
    // A card that the pointer left must not clear the cursor that the next card has already set.
    if (x === null && this.#source !== null && this.#source !== source) return;
    if (x === this.#x && source === this.#source) return;
    this.#x = x;
    this.#source = source;
    this.#frame ??= this.#clock.request(() => {
      this.#frame = null;
      for (const listener of [...this.#listeners]) listener(this.#x, this.#source);
    });
  }

  /** Calls at once when there is a cursor, so that a card that scrolls into view shows it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#x !== null) listener(this.#x, this.#source);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0 && this.#frame !== null) {
        this.#clock.cancel(this.#frame);
        this.#frame = null;
      }
    };
  }
}
