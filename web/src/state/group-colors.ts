// Which colours groups and the runs beside them are drawn with: from one allocation, so that no two of them look the same as
// long as the palette goes. Groups are always solid; a run that has to share a colour is dashed.
//
// Whoever is drawn keeps what it wears. Of those that come, a group wants the colour that it had before (this browser
// remembers) or that its key gives, a run the one that it has without groups; they take the next one that fewer wear.
import { DASHES, PALETTE_SIZE, preferredColor } from './run-colors';

/** A group by its key, a run by its number. */
export type Wearer = string | number;

export class GroupColors {
  readonly #remembered: Map<string, number>;
  /** Of those that were drawn last, in slots as in run-colors.ts. */
  #worn: ReadonlyMap<Wearer, number> = new Map();

  /** `remembered`: slots of groups from an earlier visit. */
  constructor(remembered: Iterable<readonly [string, number]>) {
    this.#remembered = new Map(
      [...remembered].filter(([, slot]) => slot >= 0).map(([key, slot]) => [key, slot % PALETTE_SIZE]),
    );
  }

  /** The same map while nothing changes. `runs`: number and usual slot of each. */
  serve(keys: readonly string[], runs: readonly (readonly [number, number])[]): ReadonlyMap<Wearer, number> {
    const before = this.#worn;
    const slots = new Map<Wearer, number>();
    const wearers = new Array<number>(PALETTE_SIZE).fill(0);
    const wear = (who: Wearer, slot: number): void => {
      slots.set(who, slot);
      wearers[slot % PALETTE_SIZE]!++;
    };
    const wanted: (readonly [Wearer, number])[] = [
      ...keys.map((key) => [key, this.#remembered.get(key) ?? preferredColor(key)] as const),
      ...runs,
    ];
    for (const [who] of wanted) {
      const slot = before.get(who);
      if (slot !== undefined) wear(who, slot);
    }
    for (const [who, slot] of wanted) {
      if (slots.has(who)) continue;
      const fewest = Math.min(...wearers);
      let color = slot % PALETTE_SIZE;
      while (wearers[color] !== fewest) color = (color + 1) % PALETTE_SIZE;
      const isUsual = fewest === 0 && color === slot % PALETTE_SIZE;
      const dash = typeof who === 'string' ? 0 : fewest % DASHES.length;
      wear(who, isUsual ? slot : color + PALETTE_SIZE * dash);
    }
    for (const key of keys) {
      // The last used last: those are remembered longest.
      this.#remembered.delete(key);
      this.#remembered.set(key, slots.get(key)!);
    }
    const isSame = slots.size === before.size && [...slots].every(([who, slot]) => before.get(who) === slot);
    return isSame ? before : (this.#worn = slots);
  }

  /** Of groups, to be remembered. */
  get entries(): [string, number][] {
    return [...this.#remembered];
  }
}
