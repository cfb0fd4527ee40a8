// When a film in the grid plays: while it is in sight, if it is small or somebody asks for it, and few at a time.
import type { PictureFacts } from '../../../wire/client';

/** Larger ones are not fetched for a tile unless somebody asks for them. */
const MOST_BYTES_BY_ITSELF = 2_000_000;
/** Decoded by the browser as a whole, whatever the tile shows of it. */
const MOST_PIXELS_BY_ITSELF = 4_000_000;

export interface TileState {
  readonly isInSight: boolean;
  /** Pointed at, focused, or pressed on a screen that is touched. */
  readonly isAsked: boolean;
  /** The setting, and the system does not ask for less motion. */
  readonly mayPlayByItself: boolean;
}

export function shouldPlay(facts: PictureFacts, { isInSight, isAsked, mayPlayByItself }: TileState): boolean {
  if (!isInSight) return false;
  return isAsked || (mayPlayByItself && isSmall(facts));
}

function isSmall({ size_bytes, width, height }: PictureFacts): boolean {
  return size_bytes <= MOST_BYTES_BY_ITSELF && width * height <= MOST_PIXELS_BY_ITSELF;
}

interface Asker {
  /** Somebody wants to see this one now. */
  readonly isAsked: boolean;
  /** It has a slot from now on, or none any more. */
  readonly onslot: (hasSlot: boolean) => void;
}

/**
 * Browsers decode only so many films at once, and many of them make every page slow. Whoever wants to play asks for a slot and
 * keeps asking until it is over: those that somebody points at go first, the latest before all, then those that play by
 * themselves, in the order in which they came. Whoever goes makes room for the next.
 */
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
