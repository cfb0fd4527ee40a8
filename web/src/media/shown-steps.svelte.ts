// The steps of what is shown, for the one bar: whoever is near the viewport says which tag it shows, and a page with few series
// says all of them.
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

/** Series whose steps the bar of a page knows without being near them; more would take too long for a bar. */
const MOST_OF_PAGE = 200;
/** What is in sight is asked for first. */
const AFTER_MS = 300;

/**
 * Adds all tags of a page, so that its bar does not change while people scroll; only what is near when there are very many.
 * For effects.
 */
export function addAllOf(page: Page, shown: ShownSteps, tags: readonly Tag[]): () => void {
  const wants = tags.map((tag) => ({ tag, runs: runsWith(page, tag) }));
  if (wants.reduce((sum, { runs }) => sum + runs.length, 0) > MOST_OF_PAGE) return () => undefined;
  let endings: (() => void)[] = [];
  const timer = setTimeout(() => {
    endings = wants.flatMap(({ tag, runs }) => [
      mediaOf(page).want({ kind: tag.kind as MediaKind, tag: tag.tag, runs }),
      shown.add(tag),
    ]);
  }, AFTER_MS);
  return () => {
    clearTimeout(timer);
    for (const end of endings) end();
  };
}

/** Visible runs that have the tag, by name. */
export function runsWith(page: Pick<Page, 'runs'>, tag: Tag): number[] {
  return visibleRuns(page).filter((run) => tag.hasRun(run));
}
