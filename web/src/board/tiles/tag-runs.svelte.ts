// The visible runs that have a tag, shown some at a time: there may be thousands. For cards with a tile or a row for each.
import type { Page } from '../../state/page.svelte';
import { seriesFeedOf, type SeriesKind, type TagSeries } from '../../state/feeds/tag-series.svelte';
import type { Tag } from '../../state/types';
import { runsWith } from '../steps/shown-steps.svelte';

export class TagRuns {
  readonly atOnce: number;
  readonly #page: Page;
  readonly #tag: () => Tag;
  #count = $state(0);

  /** By name. */
  readonly runs = $derived.by(() => runsWith(this.#page, this.#tag()));
  /** Of those that are known and have values. */
  readonly all = $derived.by(() => {
    const { kind, tag } = this.#tag();
    const feed = seriesFeedOf(this.#page);
    return this.runs.flatMap((run): TagSeries[] => {
      const series = feed.series(kind as SeriesKind, tag, run);
      return series && series.steps.length > 0 ? [series] : [];
    });
  });
  readonly shown = $derived(this.all.slice(0, this.#count));
  readonly restCount = $derived(this.all.length - this.shown.length);
  readonly unknownCount = $derived.by(() => {
    const { kind, tag } = this.#tag();
    return seriesFeedOf(this.#page).unknownCount(kind as SeriesKind, tag, this.runs);
  });
  /** Places to keep for those that are not known yet. */
  readonly waitingCount = $derived(Math.min(this.#count - this.shown.length, this.unknownCount));

  constructor(page: Page, tag: () => Tag, atOnce: number) {
    this.#page = page;
    this.#tag = tag;
    this.atOnce = atOnce;
    this.#count = atOnce;
  }

  showMore(): void {
    this.#count += this.atOnce;
  }

  /** At least so far that this one of `runs` is among them. */
  showUpTo(place: number): void {
    this.#count = Math.max(this.#count, this.atOnce * Math.ceil((place + 1) / this.atOnce));
  }
}
