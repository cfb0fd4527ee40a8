// How the tables of one tag are looked at: the same search, filters, order and columns in all runs, so that they can be compared. It is all
// in the view of the page, and so in links and saved views; here it is read and changed.
import type { Page } from '../../state/page.svelte';
import { setSetting, settingOf } from '../../state/settings/setting';
import { NO_FILTER, type TypedFilter } from './filters';
import { MOST_TEXT_CHARS, NO_CHOICES, TABLES, withChoices, type TableChoices } from './table-choices';

export class TableView {
  readonly #page: Pick<Page, 'view' | 'announce'>;
  readonly #tag: string;

  constructor(page: Pick<Page, 'view' | 'announce'>, tag: string) {
    this.#page = page;
    this.#tag = tag;
  }

  get text(): string {
    return this.#choices.text;
  }

  set text(text: string) {
    this.#change({ text: text.slice(0, MOST_TEXT_CHARS) });
  }

  get areFiltersShown(): boolean {
    return this.#choices.areFiltersShown;
  }

  set areFiltersShown(areFiltersShown: boolean) {
    this.#change({ areFiltersShown });
  }

  get filters(): ReadonlyMap<string, TypedFilter> {
    return this.#choices.filters;
  }

  get sort(): TableChoices['sort'] {
    return this.#choices.sort;
  }

  /** Keys of columns that are not shown. */
  get hidden(): readonly string[] {
    return this.#choices.hidden;
  }

  /** Ascending, then descending, then as it was logged. */
  sortBy(key: string): void {
    const { sort } = this;
    if (sort?.column !== key) this.#change({ sort: { column: key, isDescending: false } });
    else this.#change({ sort: sort.isDescending ? null : { column: key, isDescending: true } });
  }

  filterOf(key: string): TypedFilter {
    return this.filters.get(key) ?? NO_FILTER;
  }

  setFilter(key: string, change: Partial<TypedFilter>): void {
    const filter = { ...this.filterOf(key), ...change };
    const others = [...this.filters].filter(([one]) => one !== key);
    const isNone = Object.values(filter).every((text) => text === '');
    this.#change({ filters: new Map(isNone ? others : [...others, [key, filter]]) });
  }

  setShown(key: string, isShown: boolean): void {
    const others = this.hidden.filter((one) => one !== key);
    this.#change({ hidden: isShown ? others : [...others, key] });
  }

  showAllColumns(): void {
    this.#change({ hidden: [] });
  }

  /** Search and filters. */
  clear(): void {
    this.#change({ text: '', filters: new Map() });
  }

  get #choices(): TableChoices {
    return settingOf(this.#page.view, TABLES).get(this.#tag) ?? NO_CHOICES;
  }

  #change(change: Partial<TableChoices>): void {
    const { view } = this.#page;
    const all = withChoices(settingOf(view, TABLES), this.#tag, { ...this.#choices, ...change });
    if (all === null) this.#page.announce('So many filters and columns do not fit into a link');
    else setSetting(view, TABLES, all);
  }
}
