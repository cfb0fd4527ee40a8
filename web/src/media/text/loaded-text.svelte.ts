// The text that a component shows: fetched when another one is wished for; the one before stays until it is there.
import { problemOf, type LoadProblem } from '../../state/media-answers';
import type { Page } from '../../state/page.svelte';
import type { TextAnswer } from '../../wire/client';
import { loadText } from './text-items';

export class LoadedText {
  #answer = $state.raw<TextAnswer | null>(null);
  #problem = $state.raw<LoadProblem | null>(null);
  #isLoading = $state(true);
  /** Another try is another question. */
  #tries = $state(0);

  /** To be made while a component is. `path` is one of textPath, or null for none. */
  constructor(page: Pick<Page, 'client' | 'runs'>, path: () => string | null) {
    const wanted = $derived(path());
    $effect(() => {
      if (wanted === null || this.#tries < 0) return;
      const abort = new AbortController();
      this.#isLoading = true;
      loadText(page, wanted, abort.signal).then(
        (answer) => {
          if (abort.signal.aborted) return;
          this.#answer = answer;
          this.#problem = null;
          this.#isLoading = false;
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          this.#answer = null;
          this.#problem = problemOf(error);
          this.#isLoading = false;
        },
      );
      return () => abort.abort();
    });
  }

  get answer(): TextAnswer | null {
    return this.#answer;
  }

  get problem(): LoadProblem | null {
    return this.#problem;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  retry(): void {
    this.#tries += 1;
  }
}
