// The charts of the log's layouts, as long as somebody shows them: the layout from the server, and what its expressions match.
import type { Page } from '../../../state/page.svelte';
import { SCALAR } from '../card-spec';
import {
  expressionsIn,
  groupsOf,
  type LaidOutGroup,
  type LayoutPlace,
  type MadeCards,
} from './layout-charts';
import { layoutFeedOf, type LayoutFeed } from './layout-feed.svelte';
import { TagExpressions } from './tag-expressions.svelte';

/** Made while a component or an effect begins, and ends with it. */
export class LoggedCharts {
  readonly feed: LayoutFeed;
  readonly #page: Page;
  readonly #expressions = new TagExpressions();
  readonly #names: readonly string[];
  readonly #place: LayoutPlace;
  readonly #made: MadeCards = new WeakMap();
  /** null: not known yet. */
  readonly groups: readonly LaidOutGroup[] | null;

  constructor(page: Page) {
    this.#page = page;
    this.feed = layoutFeedOf(page);
    this.#names = $derived(page.tags.ofKind(SCALAR).map(({ tag }) => tag));
    this.#place = {
      matched: (expression) => this.#expressions.get(expression),
      findTag: (tag) => page.tags.find(SCALAR, tag),
      visibleRuns: () => page.runs.visible,
    };
    this.groups = $derived(this.#makeGroups());
    $effect(() => this.feed.want());
    $effect(() => {
      const { answer } = this.feed;
      if (answer !== null && page.tags.isLoaded) this.#expressions.ask(expressionsIn(answer), this.#names);
    });
    $effect(() => () => this.#expressions.destroy());
  }

  /** All is known that the charts depend on. */
  get isSettled(): boolean {
    return this.groups?.every(({ specs }) => !specs.some(({ isPending }) => isPending)) ?? false;
  }

  #makeGroups(): LaidOutGroup[] | null {
    const { answer } = this.feed;
    return answer !== null && this.#page.tags.isLoaded ? groupsOf(answer, this.#place, this.#made) : null;
  }
}
