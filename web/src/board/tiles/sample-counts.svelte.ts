// How many pictures or sounds each series has at one step. Steps in the middle of a series may have more than its ends; that is known once
// one of them has come.
import { SvelteMap } from 'svelte/reactivity';
import { mediaOf, type MediaSeries, type MediaStore } from '../../state/media.svelte';
import { onePerPage } from '../../state/one-per-page.svelte';

/** Nobody logs more at one step than this and wants to look at each; a lying file may claim it. */
const MOST_SAMPLES = 4096;

export class SampleCounts {
  readonly #media: MediaStore;
  readonly #learnt = new SvelteMap<string, number>();

  constructor(media: MediaStore) {
    this.#media = media;
  }

  /** Reactive. */
  of(series: MediaSeries): number {
    return Math.min(MOST_SAMPLES, Math.max(series.samples, this.#learnt.get(this.#keyOf(series)) ?? 1));
  }

  /** One of them has come, and says how many there are at its step. */
  learn(series: MediaSeries, samples: number): void {
    if (samples > this.of(series)) this.#learnt.set(this.#keyOf(series), samples);
  }

  /** After a new start of the server the numbers of runs mean other runs. */
  #keyOf({ kind, run, tag }: MediaSeries): string {
    return `${this.#media.generation} ${kind} ${run} ${tag}`;
  }
}

export const sampleCountsOf = onePerPage((page) => new SampleCounts(mediaOf(page)));
