// Which colour and dash pattern a run is drawn with.
//
// The hash of the run's name says which colour it would like; that is the same on every machine. A run that comes while
// another wears that colour takes the next free one. When all colours are worn, the same again with the first dash
// pattern, and so on: 8 colours × 4 patterns, then the least worn ones are shared. Whoever has a colour keeps it, for as
// long as this browser remembers: runs that come, go or are filtered out recolour nobody.
// All runs of the log are served, shown or not, in order of start: a log only grows at that end. So colours depend on
// the log alone, and a link that hides or filters shows everyone the same ones.
//
// A slot is colour + PALETTE_SIZE × dash.
import type { BrowserStorage } from './browser-storage';

export const PALETTE_SIZE = 8;

/** Canvas dash patterns in CSS pixels. */
export const DASHES: readonly (readonly number[] | null)[] = [null, [6, 3], [2, 3], [10, 3, 2, 3]];
const SLOT_COUNT = PALETTE_SIZE * DASHES.length;

/** FNV-1a over UTF-16 units, then mixed so that the low bits depend on every letter. */
function hash(name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export function preferredColor(name: string): number {
  return hash(name) % PALETTE_SIZE;
}

export class ColorBook {
  #slots: Map<string, number>;

  /** `remembered`: slots from an earlier visit. */
  constructor(remembered: Iterable<readonly [string, number]> = []) {
    this.#slots = new Map([...remembered].filter(([, slot]) => slot >= 0 && slot < SLOT_COUNT));
  }

  slot(name: string): number {
    return this.#slots.get(name) ?? preferredColor(name);
  }

  /** Gives a slot to every one of these runs (names in order of start) that has none. */
  serve(names: readonly string[]): void {
    const wearers = new Array<number>(SLOT_COUNT).fill(0);
    const unserved: string[] = [];
    for (const name of names) {
      const slot = this.#slots.get(name);
      if (slot === undefined) unserved.push(name);
      else wearers[slot]!++;
    }
    for (const name of unserved) {
      const slot = leastWorn(wearers, preferredColor(name));
      this.#slots.set(name, slot);
      wearers[slot]!++;
    }
  }

  /** Forgets what these runs wear and serves them anew: as different from each other as possible. */
  spread(visible: readonly string[]): void {
    for (const name of visible) this.#slots.delete(name);
    this.serve(visible);
  }

  /** To be remembered, the last served last. */
  get entries(): [string, number][] {
    return [...this.#slots];
  }
}

/** Fewest wearers; of those, fewest dashes; of those, the liked colour or the next after it. */
function leastWorn(wearers: readonly number[], preferred: number): number {
  const fewest = Math.min(...wearers);
  for (let dash = 0; dash < DASHES.length; dash++) {
    for (let i = 0; i < PALETTE_SIZE; i++) {
      const slot = ((preferred + i) % PALETTE_SIZE) + PALETTE_SIZE * dash;
      if (wearers[slot] === fewest) return slot;
    }
  }
  throw new Error('a list has no least element');
}

/** Slots of an earlier visit, by name. */
export function rememberedSlots(storage: BrowserStorage, key: string): [string, number][] {
  const saved = storage.read(key);
  if (!Array.isArray(saved)) return [];
  return saved.filter(
    (entry): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && Number.isInteger(entry[1]),
  );
}
