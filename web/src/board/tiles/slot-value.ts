// What the page knows about a value that a link names. Reactive: it is asked again when runs or steps come.
import type { SeriesKind, TagSeries, SeriesFeed } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { addressIn, type ItemAddress } from './addresses';
import type { Slot } from './slots';
import { indexAtStep } from '../steps/steps';

export interface SlotValue {
  readonly slot: Slot;
  /** undefined: there is no such run (any more). */
  readonly run: number | undefined;
  /** undefined: not known yet. null: the run has no such values. */
  readonly series: TagSeries | null | undefined;
  readonly index: number;
  /** The value at the step, or the last one before it; null: there is none, or it is not known yet. */
  readonly item: (ItemAddress & { readonly sample: number }) | null;
}

type WithRuns = { readonly runs: Pick<Page['runs'], 'idOf' | 'isLoaded'> };

export function slotValue(
  { runs }: WithRuns,
  media: Pick<SeriesFeed, 'series'>,
  kind: SeriesKind,
  slot: Slot,
): SlotValue {
  const run = runs.idOf(slot.run);
  const series = run === undefined ? null : media.series(kind, slot.tag, run);
  const index = series ? indexAtStep(series.steps, slot.step) : -1;
  const item = series && index >= 0 ? { ...addressIn(series, index), sample: slot.sample } : null;
  return { slot, run, series, index, item };
}

/** Why there is nothing to show, for people; '': there is, or it is on its way. `words` are what is missing: "pictures". */
export function whyMissing({ runs }: WithRuns, { slot, run, series }: SlotValue, words: string): string {
  if (run === undefined) return runs.isLoaded ? `There is no run called “${slot.run}”` : '';
  const isEmpty = series === null || series?.steps.length === 0;
  return isEmpty ? `“${slot.run}” has no ${words} called “${slot.tag}”` : '';
}

/** A number means another run after a new start of the server, a name does not. */
export function slotOf(
  { runs }: { readonly runs: Pick<Page['runs'], 'byId'> },
  { run, tag, sample, step }: Pick<ItemAddress, 'run' | 'tag' | 'step'> & { readonly sample: number },
): Slot | null {
  const name = runs.byId.get(run)?.name;
  return name === undefined ? null : { run: name, tag, sample, step };
}
