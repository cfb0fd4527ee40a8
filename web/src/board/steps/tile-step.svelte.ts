// Which value of its series a tile shows: the one for the step that all are asked for, or one chosen on the tile itself, which
// counts until all are asked for one. (The places of a gallery have the same in gallery.svelte.ts.)
import { seriesFeedOf, type TagSeries, type SeriesFeed } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { askedStep, askOf } from './asked-step';
import { indexOfOwn, ownStepAt, type OwnStep } from './own-step';
import { indexAtStep } from './steps';

export class TileStep {
  readonly #page: Page;
  readonly #media: SeriesFeed;
  readonly #series: () => TagSeries;
  readonly #asked = $derived.by(() => askedStep(this.#page.view));
  /** What a choice is good for: not for what is asked of the bar next, nor for other values behind the same numbers. */
  readonly #occasion = $derived.by(() => `${askOf(this.#page.view)} ${this.#media.generation}`);
  #choice = $state.raw<{ readonly occasion: string; readonly own: OwnStep } | null>(null);

  /** To be made while a component is. */
  constructor(page: Page, series: () => TagSeries) {
    this.#page = page;
    this.#media = seriesFeedOf(page);
    this.#series = series;
    // Forgotten, not only passed over: it must not come back when the bar does.
    $effect(() => {
      if (this.#choice !== null && this.#choice.occasion !== this.#occasion) this.#choice = null;
    });
  }

  get #own(): OwnStep | null {
    return this.#choice?.occasion === this.#occasion ? this.#choice.own : null;
  }

  /** −1: the series is empty. */
  get index(): number {
    const { steps } = this.#series();
    return this.#own === null ? indexAtStep(steps, this.#asked) : indexOfOwn(steps, this.#own);
  }

  /** It was chosen on the tile itself. */
  get isOwn(): boolean {
    return this.#own !== null;
  }

  /** The series has no value at the step that all were asked for; this one stands for it. */
  get isOther(): boolean {
    return !this.isOwn && this.#asked !== null && this.#series().steps[this.index] !== this.#asked;
  }

  choose(index: number): void {
    this.#choice = { occasion: this.#occasion, own: ownStepAt(this.#series().steps, index) };
  }
}
