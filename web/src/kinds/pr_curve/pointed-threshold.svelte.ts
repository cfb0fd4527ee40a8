// The threshold that the pointer is at, told to all plots of a page: each shows what was counted there.
import { onePerPage } from '../../state/one-per-page.svelte';

class PointedThreshold {
  at = $state.raw<number | null>(null);
  /** Whose pointer it is: others that are left say nothing. */
  #source: object | null = null;

  move(source: object, threshold: number | null): void {
    if (threshold === null && this.#source !== source) return;
    this.#source = threshold === null ? null : source;
    this.at = threshold;
  }

  /** Until the pointer moves: another threshold was chosen elsewhere. */
  end(): void {
    this.at = null;
  }
}

export const pointedOf = onePerPage(() => new PointedThreshold());
