// Browsers decode only so many films at once, and many of them make every page slow. Whoever wants to play asks for a slot and
// keeps asking until it is over: those that somebody points at go first, the latest before all, then those that play by
// themselves, in the order in which they came. Whoever goes makes room for the next.

interface Asker {
  /** Somebody wants to see this one now. */
  readonly isAsked: boolean;
  /** It has a slot from now on, or none any more. */
  readonly onslot: (hasSlot: boolean) => void;
}

export class PlaySlots {
  readonly #most: number;
  /** In the order in which they came. */
  readonly #askers = new Set<Asker>();
  #holders = new Set<Asker>();

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#holders.size;
  }

  /** Until the returned function is called. `onslot` may be called at once. */
  ask(wish: Asker): () => void {
    const asker = { ...wish };
    this.#askers.add(asker);
    this.#share();
    return () => {
      this.#askers.delete(asker);
      this.#holders.delete(asker);
      this.#share();
    };
  }

  #share(): void {
    const all = [...this.#askers];
    const first = all.filter(({ isAsked }) => isAsked).reverse();
    const order = [...first, ...all.filter(({ isAsked }) => !isAsked)];
    const before = this.#holders;
    this.#holders = new Set(order.slice(0, this.#most));
    for (const asker of before) if (!this.#holders.has(asker)) asker.onslot(false);
    for (const asker of this.#holders) if (!before.has(asker)) asker.onslot(true);
  }
}

/** Of the page. */
export const playSlots = new PlaySlots(8);
