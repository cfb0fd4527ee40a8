// The threshold that the pointer is at, told to all plots of a page: each shows what was counted there.
import { onePerPage } from '../../state/one-per-page.svelte';

export class PointedThreshold {
  at = $state.raw<number | null>(null);
  /** Whose pointer it is: others that are left say nothing. */
  #source: object | null = null;

  /** What one plot says with, for as long as it is there. To be made while a component is. */
  voice(): (threshold: number | null) => void {
    const source = {};
    $effect(() => () => this.#move(source, null));
    return (threshold) => this.#move(source, threshold);
  }

  /** Until the pointer moves: another threshold was chosen elsewhere. */
  end(): void {
    this.at = null;
  }

  #move(source: object, threshold: number | null): void {
    if (threshold === null && this.#source !== source) return;
    this.#source = threshold === null ? null : source;
    this.at = threshold;
  }
}

export const pointedOf = onePerPage(() => new PointedThreshold());
