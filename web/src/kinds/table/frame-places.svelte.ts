// How many frames with figures may be alive at once: each holds a copy of Plotly. Who comes last gets a place; who has had one the
// longest gives it up, and may ask again.
import { SvelteSet } from 'svelte/reactivity';

const MOST = 6;

export class FramePlaces {
  readonly #most: number;
  /** The longest first. */
  readonly #holders = new SvelteSet<object>();

  constructor(most = MOST) {
    this.#most = most;
  }

  has(who: object): boolean {
    return this.#holders.has(who);
  }

  take(who: object): void {
    this.#holders.delete(who);
    for (const longest of this.#holders) {
      if (this.#holders.size < this.#most) break;
      this.#holders.delete(longest);
    }
    this.#holders.add(who);
  }

  give(who: object): void {
    this.#holders.delete(who);
  }
}

/** Of the whole page. */
export const framePlaces = new FramePlaces();
