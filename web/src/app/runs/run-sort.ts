// The order of rows. Names are compared as people count (run2 before run10), which costs too much to do for ten thousand
// runs on every live update: a NameRanks keeps each name's place and only sorts again when a new name appears.
//
// Runs without a value come last in both directions; runs that are equal stay in the order of their names.
import { compareNatural } from '../../base/natural-order';
import type { Run, RunPlace } from '../../state/types';

export class NameRanks {
  #sorted: string[] = [];
  #rank = new Map<string, number>();

  /** A function that gives each of these runs' names its place. */
  of(runs: readonly RunPlace[]): (run: RunPlace) => number {
    const added = runs.filter((run) => !this.#rank.has(run.name));
    if (added.length > 0) {
      this.#sorted = this.#sorted.concat(added.map((run) => run.name));
      this.#sorted.sort(compareNatural);
      this.#rank = new Map(this.#sorted.map((name, index) => [name, index]));
    }
    const rank = this.#rank;
    return (run) => rank.get(run.name) ?? 0;
  }
}

export interface RunOrder {
  readonly isDescending: boolean;
  rankOf(run: RunPlace): number;
}

export function sortByName(runs: readonly RunPlace[], order: RunOrder): readonly RunPlace[] {
  const sign = order.isDescending ? -1 : 1;
  return [...runs].sort((a, b) => sign * (order.rankOf(a) - order.rankOf(b)));
}

/** `valueOf` null: nothing there. Runs that are nearly in order, as after a live update, take little time. */
export function sortByValue(
  runs: readonly Run[],
  order: RunOrder & { valueOf(run: Run): number | string | null },
): Run[] {
  const sign = order.isDescending ? -1 : 1;
  const entries = runs.map((run) => ({ run, value: order.valueOf(run), rank: order.rankOf(run) }));
  entries.sort((a, b) => compareValues(a.value, b.value, sign) || a.rank - b.rank);
  return entries.map((entry) => entry.run);
}

function compareValues(a: number | string | null, b: number | string | null, sign: number): number {
  const missing = missingness(a) - missingness(b);
  if (missing !== 0 || a === null || b === null) return missing;
  if (typeof a === 'number' && typeof b === 'number')
    return a === b || Number.isNaN(a) ? 0 : sign * (a < b ? -1 : 1);
  return sign * compareNatural(String(a), String(b));
}

/** NaN is a value, but neither small nor great: behind the numbers, before what is missing. */
function missingness(value: number | string | null): number {
  if (value === null) return 2;
  return typeof value === 'number' && Number.isNaN(value) ? 1 : 0;
}

/** An order that was on screen when the pointer came to rest on it. */
export interface HeldOrder {
  readonly names: readonly string[];
  /** What the user asked for then; another wish ends the holding. */
  readonly wish: string;
}

/**
 * The runs in the order that is held, without those that came since, which are counted. A row must not move away from under
 * the pointer just because a value changed or a run began.
 */
export function holdOrder(
  sorted: readonly RunPlace[],
  held: HeldOrder | null,
  wish: string,
): { runs: readonly RunPlace[]; newCount: number } {
  if (held === null || held.wish !== wish || held.names.length === 0) return { runs: sorted, newCount: 0 };
  const byName = new Map(sorted.map((run) => [run.name, run]));
  const runs = held.names.flatMap((name) => byName.get(name) ?? []);
  return { runs, newCount: sorted.length - runs.length };
}
