// The steps of what is shown, for the one bar: whoever is near the viewport says which tag it shows, and a page asks for the steps of
// all others together.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { followSteps } from '../../state/feeds/joined-steps';
import { seriesFeedOf, type SeriesKind, type SeriesFeed } from '../../state/feeds/tag-series.svelte';
import { onePerPage } from '../../state/one-per-page.svelte';
import type { Page } from '../../state/page.svelte';
import type { Tag } from '../../state/types';
import type { MediaQuery } from '../../wire/client';
import { visibleRuns } from '../tiles/run-order';
import { unionOfSteps } from './steps';

export class ShownSteps {
  readonly #page: Page;
  /** Made before anything is derived from it: Svelte does not follow what a derived has made itself. */
  readonly #media: SeriesFeed;
  /** How many show it. */
  readonly #tags = new SvelteMap<Tag, number>();

  /** Of what is far, too; whoever asks for them sets them. */
  far = $state.raw<Float64Array>(new Float64Array(0));
  /** Those of what is far could not be asked for. */
  isPartial = $state(false);

  readonly near = $derived.by(() => {
    const series: Float64Array[] = [];
    for (const tag of this.#tags.keys()) {
      for (const run of runsWith(this.#page, tag)) {
        const known = this.#media.series(tag.kind as SeriesKind, tag.tag, run);
        if (known) series.push(known.steps);
      }
    }
    return unionOfSteps(series);
  });
  readonly steps = $derived(unionOfSteps([this.near, this.far]));

  constructor(page: Page) {
    this.#page = page;
    this.#media = seriesFeedOf(page);
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

/** Of the cards among charts, which know each other by the page alone. */
export const shownStepsOf = onePerPage((page) => new ShownSteps(page));

/** Series that a page keeps known without being near them, so that nothing waits when people scroll. */
const MOST_KNOWN = 200;
/** What is in sight is asked for first. */
const AFTER_MS = 300;

/**
 * Adds the steps of all tags of a page, so that its bar does not change while people scroll. For effects; what is known of very many
 * series stays until those that come next know better.
 */
export function addAllOf(page: Page, shown: ShownSteps, tags: readonly Tag[]): () => void {
  const queries = tags.map((tag) => ({
    kind: tag.kind as SeriesKind,
    tag: tag.tag,
    runs: runsWith(page, tag),
  }));
  const isMuch = queries.reduce((sum, { runs }) => sum + runs.length, 0) > MOST_KNOWN;
  return isMuch ? joinSteps(page, shown, queries) : knowAll(page, shown, tags, queries);
}

function knowAll(
  page: Page,
  shown: ShownSteps,
  tags: readonly Tag[],
  queries: readonly MediaQuery[],
): () => void {
  const endings: (() => void)[] = [];
  const media = seriesFeedOf(page);
  shown.far = new Float64Array(0);
  shown.isPartial = false;
  const add = (query: MediaQuery, i: number): void =>
    void endings.push(media.want(query), shown.add(tags[i]!));
  // What is known waits for nobody: the bar keeps its steps when the same tags come again, as after each change of the view.
  const isKnown = ({ kind, tag, runs }: MediaQuery): boolean =>
    untrack(() => media.unknownCount(kind, tag, runs)) === 0;
  const areKnown = queries.map(isKnown);
  queries.forEach((query, i) => areKnown[i] && add(query, i));
  const timer = setTimeout(() => queries.forEach((query, i) => areKnown[i] || add(query, i)), AFTER_MS);
  return () => {
    clearTimeout(timer);
    for (const end of endings) end();
  };
}

function joinSteps(page: Page, shown: ShownSteps, queries: readonly MediaQuery[]): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let end = (): void => clearTimeout(timer);
  timer = setTimeout(() => {
    end = followSteps(page, queries, (steps) => {
      shown.isPartial = steps === null;
      if (steps !== null) shown.far = unionOfSteps(steps.isAll ? steps.parts : [shown.far, ...steps.parts]);
    });
  }, AFTER_MS);
  return () => end();
}

/** To be called while a component is made: the steps of the tag are kept fresh; null: not now. */
export function wantSteps(page: Page, tag: () => Tag | null): void {
  $effect(() => {
    const wanted = tag();
    if (wanted === null) return;
    const want = { kind: wanted.kind as SeriesKind, tag: wanted.tag, runs: runsWith(page, wanted) };
    return untrack(() => seriesFeedOf(page).want(want));
  });
}

/** Visible runs that have the tag, by name. */
export function runsWith(page: Pick<Page, 'runs'>, tag: Tag): number[] {
  return visibleRuns(page).filter((run) => tag.hasRun(run));
}
