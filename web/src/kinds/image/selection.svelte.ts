// Which tiles are chosen. A tile is known by its place (run, tag, sample), so that it stays chosen while its step moves.
import { SvelteMap } from 'svelte/reactivity';
import { placeOf, type PictureItem } from './picture-item';

export type Place = Pick<PictureItem, 'run' | 'tag' | 'sample'>;

export class PictureSelection {
  /** In the order in which they were chosen: that is the order in which they are compared. */
  readonly #chosen = new SvelteMap<string, Place>();
  /** Where a range begins: the tile that was chosen or let go last. */
  #anchor: string | null = null;

  get size(): number {
    return this.#chosen.size;
  }

  get places(): Place[] {
    return [...this.#chosen.values()];
  }

  has(place: Place): boolean {
    return this.#chosen.has(placeOf(place));
  }

  set(place: Place, isChosen: boolean): void {
    const key = placeOf(place);
    if (!isChosen) this.#chosen.delete(key);
    else if (!this.#chosen.has(key))
      this.#chosen.set(key, { run: place.run, tag: place.tag, sample: place.sample });
    this.#anchor = key;
  }

  toggle(place: Place): void {
    this.set(place, !this.has(place));
  }

  /** All from the last one that was touched to this one, in the order of the grid; this one alone when that is elsewhere. */
  extendTo(place: Place, order: readonly Place[]): void {
    const keys = order.map(placeOf);
    const to = keys.indexOf(placeOf(place));
    const from = this.#anchor === null ? -1 : keys.indexOf(this.#anchor);
    const anchor = this.#anchor;
    const range = from === -1 ? [place] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
    for (const one of range) this.set(one, true);
    // The next range begins where this one did.
    if (from !== -1) this.#anchor = anchor;
  }

  setAll(places: readonly Place[], isChosen: boolean): void {
    for (const place of places) this.set(place, isChosen);
  }

  clear(): void {
    this.#chosen.clear();
    this.#anchor = null;
  }
}
