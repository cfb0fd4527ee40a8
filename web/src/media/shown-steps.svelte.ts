// The steps of everything that is built at the moment, for the one bar: whoever is near the viewport says which tag it shows.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { mediaOf, type MediaKind, type MediaStore } from '../state/media.svelte';
import type { Page } from '../state/page.svelte';
import type { Tag } from '../state/types';
import { visibleRuns } from './run-order';
import { unionOfSteps } from './steps';

export class ShownSteps {
  readonly #page: Page;
  /** Made before anything is derived from it: Svelte does not follow what a derived has made itself. */
  readonly #media: MediaStore;
  /** How many show it. */
  readonly #tags = new SvelteMap<Tag, number>();

  readonly steps = $derived.by(() => {
    const series: Float64Array[] = [];
    for (const tag of this.#tags.keys()) {
      for (const run of runsWith(this.#page, tag)) {
        const known = this.#media.series(tag.kind as MediaKind, tag.tag, run);
        if (known) series.push(known.steps);
      }
    }
    return unionOfSteps(series);
  });

  constructor(page: Page) {
    this.#page = page;
    this.#media = mediaOf(page);
  }

  /** For effects: until the returned function is called. */
  add(tag: Tag): () => void {
    // Untracked: the effect that says so must not run again because of it.
    untrack(() => this.#tags.set(tag, (this.#tags.get(tag) ?? 0) + 1));
    return () => {
      const left = (this.#tags.get(tag) ?? 1) - 1;
      if (left > 0) this.#tags.set(tag, left);
      else this.#tags.delete(tag);
    };
  }
}

const ofPages = new WeakMap<Page, ShownSteps>();

/** Of the cards among charts, which know each other by the page alone. */
export function shownStepsOf(page: Page): ShownSteps {
  let shown = ofPages.get(page);
  if (shown === undefined) {
    shown = new ShownSteps(page);
    ofPages.set(page, shown);
  }
  return shown;
}

/** Visible runs that have the tag, by name. */
export function runsWith(page: Pick<Page, 'runs'>, tag: Tag): number[] {
  return visibleRuns(page).filter((run) => tag.hasRun(run));
}
