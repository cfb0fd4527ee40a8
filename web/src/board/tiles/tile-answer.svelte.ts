// One answer of the server for a tile. While the next one is on its way the last one stays: going from step to step does not
// flicker.
import { untrack } from 'svelte';
import { answersOf, problemOf, type LoadedAnswer, type LoadProblem } from '../../state/feeds/answer-cache';
import { seriesFeedOf } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { retryWhenBack } from './retry-when-back.svelte';

export class TileAnswer<T> {
  value = $state.raw<T | null>(null);
  problem = $state.raw<LoadProblem | null>(null);
  isLoading = $state(false);
  #tries = $state(0);

  /** To be made while a component is. `path` is below api/v1/; null: nothing is wanted now. */
  constructor(
    page: Page,
    path: () => string | null,
    read: (answer: LoadedAnswer, signal: AbortSignal) => Promise<T>,
  ) {
    const media = seriesFeedOf(page);
    const wanted = $derived(path());
    $effect(() => {
      // The same path may lead to another value: a restarted job has replaced it. And another try is another question. Both are
      // read here: from a derived that is made in this constructor Svelte does not hear of them.
      const question = [this.#tries, media.generation];
      const isWanted = wanted !== null && question.length > 0;
      untrack(() => (this.isLoading = isWanted));
      if (!isWanted) return;
      const abort = new AbortController();
      void this.#load(page, wanted, read, abort.signal);
      return () => {
        abort.abort();
      };
    });
    retryWhenBack(
      page,
      () => this.problem,
      () => this.retry(),
    );
  }

  retry(): void {
    this.problem = null;
    this.#tries += 1;
  }

  async #load(
    page: Page,
    path: string,
    read: (answer: LoadedAnswer, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const value = await read(await answersOf(page.client).load(path, signal), signal);
      if (signal.aborted) return;
      this.value = value;
      this.problem = null;
    } catch (error) {
      const problem = problemOf(error);
      if (signal.aborted || problem === null) return;
      this.problem = problem;
    }
    this.isLoading = false;
  }
}

/** An answer that is JSON. */
export async function jsonOf<T>({ blob }: LoadedAnswer): Promise<T> {
  return JSON.parse(await blob.text()) as T;
}
