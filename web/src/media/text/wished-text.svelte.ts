// Which text somebody wants to see: a place that was found. The card of its tag makes room for its run, and the run's panel goes to it
// when it is there, however long its steps take to come.
import { onePerPage } from '../../state/one-per-page.svelte';

export interface TextWish {
  readonly tag: string;
  readonly run: number;
  /** Of several texts of one step the index says which. */
  readonly step: number;
  readonly index: number;
}

class TextWishes {
  #wish = $state.raw<TextWish | null>(null);

  get wish(): TextWish | null {
    return this.#wish;
  }

  make(wish: TextWish): void {
    this.#wish = wish;
  }

  end(): void {
    this.#wish = null;
  }
}

export const textWishesOf = onePerPage(() => new TextWishes());
