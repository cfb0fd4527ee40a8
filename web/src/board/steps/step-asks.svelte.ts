// How often somebody has asked a view for a step. Who asks for the step that the bar has already wants to see it everywhere, also on
// tiles that have a step of their own; the words of the view do not change by that.
import { untrack } from 'svelte';
import { onePer } from '../../state/one-per-page.svelte';

class StepAsks {
  #count = $state(0);

  get count(): number {
    return this.#count;
  }

  add(): void {
    untrack(() => (this.#count += 1));
  }
}

/** Of one view. */
export const asksOf = onePer((_view: object) => new StepAsks());
