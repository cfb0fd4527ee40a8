// Browsers decode only so many films at once, and many of them make every page slow. Whoever wants to play asks for a slot; when all
// are taken, those who play because somebody points at them go before those who play by themselves, and the oldest goes.

interface Holder {
  readonly isAsked: boolean;
  readonly stop: () => void;
}

export class PlaySlots {
  readonly #most: number;
  /** Oldest first. */
  readonly #holders = new Set<Holder>();

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#holders.size;
  }

  /**
   * A slot, or null when there is none for this wish. `isAsked`: somebody wants to see this one now. `stop` is called when it
   * is taken away. The returned function gives it back.
   */
  take({ isAsked, stop }: Holder): (() => void) | null {
    if (this.#holders.size >= this.#most) {
      const waiting = [...this.#holders];
      const oldest = isAsked ? (waiting.find((one) => !one.isAsked) ?? waiting[0]) : undefined;
      if (oldest === undefined) return null;
      this.#holders.delete(oldest);
      oldest.stop();
    }
    const holder = { isAsked, stop };
    this.#holders.add(holder);
    return () => {
      this.#holders.delete(holder);
    };
  }
}

/** Of the page. */
export const playSlots = new PlaySlots(8);
