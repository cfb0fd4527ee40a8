// What the tiles of a gallery have in common: which step each shows, how many samples there are, and which are chosen.
//
// A tile shows the step of the one bar, unless it has a step of its own, which lasts until the bar moves again. A tile at the
// end of its series follows it.
import { createContext, untrack } from 'svelte';
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { seriesFeedOf, type TagSeries } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import type { PictureFacts } from '../../wire/client';
import { addressIn } from '../../board/tiles/addresses';
import { askedStep, askOf } from '../../board/steps/asked-step';
import { sampleCountsOf, type SampleCounts } from '../../board/tiles/sample-counts.svelte';
import { indexOfOwn, ownStepAt, type OwnStep } from '../../board/steps/own-step';
import { indexAtStep } from '../../board/steps/steps';
import { isFilm, placeOf, type PictureItem } from './picture-item';
import { PictureSelection, type Place } from './selection.svelte';

/** One place of a grid. */
export interface Tile {
  readonly series: TagSeries;
  readonly place: Place;
  readonly samples: number;
}

export class Gallery {
  readonly page: Page;
  readonly selection = new PictureSelection();
  readonly #ownSteps = new SvelteMap<string, OwnStep>();
  readonly #counts: SampleCounts;
  /** Runs and tags whose pictures are films, as far as they have been seen. */
  readonly #films = new SvelteSet<string>();

  constructor(page: Page) {
    this.page = page;
    this.#counts = sampleCountsOf(page);
  }

  /** For effects of the component that has the gallery. */
  follow(): void {
    let asked = askOf(this.page.view);
    $effect(() => {
      const now = askOf(this.page.view);
      if (now === asked) return;
      asked = now;
      this.#ownSteps.clear();
    });
    let generation = seriesFeedOf(this.page).generation;
    $effect(() => {
      const now = seriesFeedOf(this.page).generation;
      if (now === generation) return;
      generation = now;
      // Numbers of runs mean other runs, or there are other pictures.
      untrack(() => {
        this.#ownSteps.clear();
        this.#films.clear();
        this.selection.clear();
      });
    });
  }

  /** The series of one tag in some runs as tiles: all samples of a run, then the next run. */
  tilesOf(tag: string, runs: readonly number[]): Tile[] {
    const media = seriesFeedOf(this.page);
    return runs.flatMap((run) => {
      const series = media.series('image', tag, run);
      if (!series || series.steps.length === 0) return [];
      const samples = this.samplesOf(series);
      return Array.from({ length: samples }, (_, sample) => ({
        series,
        place: { run, tag, sample },
        samples,
      }));
    });
  }

  samplesOf(series: TagSeries): number {
    return this.#counts.of(series);
  }

  /** A picture has come, and says how many there are at its step. For effects: what is forgotten later is not learnt again from it. */
  learn({ run, tag }: PictureItem, facts: PictureFacts): void {
    untrack(() => {
      const series = seriesFeedOf(this.page).series('image', tag, run);
      if (series) this.#counts.learn(series, facts.samples);
      if (isFilm(facts)) this.#films.add(seriesKey(run, tag));
    });
  }

  /** Whether a player should open them, and not the viewer. */
  areFilms(items: readonly PictureItem[]): boolean {
    return items.length > 0 && items.every(({ run, tag }) => this.#films.has(seriesKey(run, tag)));
  }

  /** Which value the place shows; −1: there is none. */
  indexAt(place: Place, { steps }: TagSeries): number {
    const own = this.#ownSteps.get(placeOf(place));
    return own === undefined ? indexAtStep(steps, askedStep(this.page.view)) : indexOfOwn(steps, own);
  }

  /** The place has a step of its own. */
  hasOwnStep(place: Place): boolean {
    return this.#ownSteps.has(placeOf(place));
  }

  setIndex(place: Place, { steps }: TagSeries, index: number): void {
    const isLast = index >= steps.length - 1;
    const key = placeOf(place);
    if (isLast && askedStep(this.page.view) === null) this.#ownSteps.delete(key);
    else this.#ownSteps.set(key, ownStepAt(steps, index));
  }

  /** undefined: the run or the tag is gone, or has no values. */
  itemAt(place: Place): PictureItem | undefined {
    const series = seriesFeedOf(this.page).series('image', place.tag, place.run);
    if (!series) return undefined;
    const index = this.indexAt(place, series);
    return index === -1 ? undefined : { ...addressIn(series, index), sample: place.sample };
  }

  /** What is chosen and visible, as it is shown now. */
  get chosen(): PictureItem[] {
    const visible = new Set(this.page.runs.visibleIds);
    return this.selection.places
      .filter(({ run }) => visible.has(run))
      .flatMap((place) => this.itemAt(place) ?? []);
  }
}

function seriesKey(run: number, tag: string): string {
  return `${run}\n${tag}`;
}

const [getContext, setContext] = createContext<Gallery>();

export { getContext as getGallery };

/** The gallery around; a new one where there is none. For the initialisation of components. */
export function galleryOf(page: Page): Gallery {
  try {
    return getContext();
  } catch {
    const gallery = setContext(new Gallery(page));
    gallery.follow();
    return gallery;
  }
}
