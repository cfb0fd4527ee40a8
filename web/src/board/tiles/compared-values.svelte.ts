// What comparisons of pictures, films, sounds and texts ask for: the series of the values that are compared, and those of the same
// tags in all visible runs, which may take their place.
import { untrack } from 'svelte';
import { seriesFeedOf, type SeriesKind, type SeriesWant } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { visibleRuns } from './run-order';
import type { SlotValue } from './slot-value';

/** Visible runs with the tag, by name. */
export function runsWithTag(page: Page, kind: SeriesKind, tag: string): number[] {
  const known = page.tags.find(kind, tag);
  return visibleRuns(page).filter((run) => known?.hasRun(run) ?? false);
}

/** To be called while a component is made: wanted for as long as it is there. */
export function wantValues(page: Page, kind: SeriesKind, values: () => readonly (SlotValue | null)[]): void {
  const media = seriesFeedOf(page);
  // As text, so that going through the steps is not a new wish.
  const wants = $derived.by(() => {
    const runsOf = new Map<string, Set<number>>();
    for (const value of values()) {
      if (value === null) continue;
      const { tag } = value.slot;
      const runs = runsOf.get(tag) ?? new Set(runsWithTag(page, kind, tag));
      if (value.run !== undefined) runs.add(value.run);
      runsOf.set(tag, runs);
    }
    return JSON.stringify([...runsOf].map(([tag, runs]) => ({ kind, tag, runs: [...runs] })));
  });
  $effect(() => {
    const asked = JSON.parse(wants) as SeriesWant[];
    const endings = untrack(() => asked.map((want) => media.want(want)));
    return () => {
      for (const end of endings) end();
    };
  });
}
