// What the pointer is at, told to all plots of histograms of a page: they show their own numbers of the same step and value.
import { onePerPage } from '../../state/one-per-page.svelte';

export interface HistogramPlace {
  readonly step: number;
  /** null: no value is pointed at. */
  readonly value: number | null;
  /** Which of the nine quantiles; null: none. */
  readonly quantile: number | null;
}

class HistogramHover {
  at = $state.raw<HistogramPlace | null>(null);
  /** Whose pointer it is: others that are left say nothing. */
  #source: object | null = null;

  move(source: object, at: HistogramPlace | null): void {
    if (at === null && this.#source !== source) return;
    this.#source = at === null ? null : source;
    const { at: before } = this;
    if (before?.step !== at?.step || before?.value !== at?.value || before?.quantile !== at?.quantile)
      this.at = at;
  }
}

export const hoverOf = onePerPage(() => new HistogramHover());
