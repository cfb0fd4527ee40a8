// The visible runs as a gallery has them: by name, as the run table has them at first. Charts draw them in the order of their
// start, which nobody can find a tile by.
import { untrack } from 'svelte';
import { compareNatural } from '../../base/natural-order';
import type { Page } from '../../state/page.svelte';

type WithRuns = { readonly runs: Pick<Page['runs'], 'visibleIds' | 'shown'> };

/** Sorted once for everyone: the array is the same while runs only grow. */
const sorted = new WeakMap<readonly number[], readonly number[]>();

export function visibleRuns({ runs }: WithRuns): readonly number[] {
  const ids = runs.visibleIds;
  let order = sorted.get(ids);
  if (order === undefined) {
    // Untracked: other runs that match are other visible ones, or none of our business.
    const names = new Map(untrack(() => runs.shown).map(({ id, name }) => [id, name]));
    const nameOf = (id: number): string => names.get(id) ?? '';
    order = [...ids].sort((one, other) => compareNatural(nameOf(one), nameOf(other)));
    sorted.set(ids, order);
  }
  return order;
}
