// How many pictures or sounds each series has at one step. Steps in the middle of a series may have more than its ends; that is known once
// one of them has come.
import { SvelteMap } from 'svelte/reactivity';
import { seriesFeedOf, type TagSeries, type SeriesFeed } from '../../state/feeds/tag-series.svelte';
import { onePerPage } from '../../state/one-per-page.svelte';

/** Nobody logs more at one step than this and wants to look at each; a lying file may claim it. */
const MOST_SAMPLES = 4096;

export class SampleCounts {
  readonly #media: SeriesFeed;
  readonly #learnt = new SvelteMap<string, number>();

  constructor(media: SeriesFeed) {
    this.#media = media;
  }

  /** Reactive. */
  of(series: TagSeries): number {
    return Math.min(MOST_SAMPLES, Math.max(series.samples, this.#learnt.get(this.#keyOf(series)) ?? 1));
  }

  /** One of them has come, and says how many there are at its step. */
  learn(series: TagSeries, samples: number): void {
    if (samples > this.of(series)) this.#learnt.set(this.#keyOf(series), samples);
  }

  /** After a new start of the server the numbers of runs mean other runs. */
  #keyOf({ kind, run, tag }: TagSeries): string {
    return `${this.#media.generation} ${kind} ${run} ${tag}`;
  }
}

export const sampleCountsOf = onePerPage((page) => new SampleCounts(seriesFeedOf(page)));
