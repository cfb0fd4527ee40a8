// Which value of its series a tile shows: the one for the step that all are asked for, or one chosen on the tile itself, which
// counts until all are asked for another step.
import type { MediaSeries } from '../../state/media.svelte';
import { indexAtStep } from '../steps';

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
    const asked = this.#asked();
    const choice = this.#choice?.asked === asked ? this.#choice : null;
    return indexAtStep(this.#series().steps, choice === null ? asked : choice.step);
  }

  /** Not the step that all were asked for. */
  get isOther(): boolean {
    const asked = this.#asked();
    return asked !== null && this.#series().steps[this.index] !== asked;
  }

  choose(index: number): void {
    const { steps } = this.#series();
    this.#choice = {
      asked: this.#asked(),
      step: index >= steps.length - 1 ? null : (steps[index] ?? null),
    };
  }
}
