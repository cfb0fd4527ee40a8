// How often somebody has asked a view for a step. Who asks for the step that the bar has already wants to see it everywhere, also on
// tiles that have a step of their own; the words of the view do not change by that.
import { untrack } from 'svelte';

class StepAsks {
  #count = $state(0);

  get count(): number {
    return this.#count;
  }

  add(): void {
    untrack(() => (this.#count += 1));
  }
}

const asks = new WeakMap<object, StepAsks>();

/** Of one view. Made outside of whoever asks first: Svelte does not follow what a derived has made itself. */
export function asksOf(view: object): StepAsks {
  if (!asks.has(view)) $effect.root(() => void asks.set(view, new StepAsks()));
  return asks.get(view)!;
}
