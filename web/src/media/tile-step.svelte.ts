// Which value of its series a tile shows: the one for the step that all are asked for, or one chosen on the tile itself, which
// counts until all are asked for another step.
import type { MediaSeries } from '../state/media.svelte';
import { indexAtStep } from './steps';

interface Choice {
  /** The step that was asked for when it was made. */
  readonly asked: number | null;
  /** null: the last one, whatever that will be. */
  readonly step: number | null;
}

export class TileStep {
  readonly #series: () => MediaSeries;
  readonly #asked: () => number | null;
  #choice = $state.raw<Choice | null>(null);

  constructor(series: () => MediaSeries, asked: () => number | null) {
    this.#series = series;
    this.#asked = asked;
  }

  /** −1: the series is empty. */
  get index(): number {
    const step = this.isOwn ? this.#choice!.step : this.#asked();
    return indexAtStep(this.#series().steps, step);
  }

  /** It was chosen on the tile itself. */
  get isOwn(): boolean {
    return this.#choice !== null && this.#choice.asked === this.#asked();
  }

  /** The series has no value at the step that all were asked for; this one stands for it. */
  get isOther(): boolean {
    const asked = this.#asked();
    return !this.isOwn && asked !== null && this.#series().steps[this.index] !== asked;
  }

  choose(index: number): void {
    const { steps } = this.#series();
    this.#choice = {
      asked: this.#asked(),
      step: index >= steps.length - 1 ? null : (steps[index] ?? null),
    };
  }
}
