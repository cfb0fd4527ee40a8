// How the tables of one tag are looked at: the same search, filters and order in all runs, so that they can be compared. Columns are
// known by name, because runs may have other ones. Kept while the page is open, wherever it is scrolled.
import { SvelteMap } from 'svelte/reactivity';
import type { Page } from '../../state/page.svelte';
import { NO_FILTER, type TypedFilter } from './filters';

export class TableView {
  text = $state('');
  areFiltersShown = $state(false);
  readonly filters = new SvelteMap<string, TypedFilter>();
  #sort = $state.raw<{ readonly column: string; readonly isDescending: boolean } | null>(null);

  get sort(): { readonly column: string; readonly isDescending: boolean } | null {
    return this.#sort;
  }

  /** Ascending, then descending, then as it was logged. */
  sortBy(column: string): void {
    const sort = this.#sort;
    if (sort?.column !== column) this.#sort = { column, isDescending: false };
    else this.#sort = sort.isDescending ? null : { column, isDescending: true };
  }

  filterOf(column: string): TypedFilter {
    return this.filters.get(column) ?? NO_FILTER;
  }

  setFilter(column: string, change: Partial<TypedFilter>): void {
    const filter = { ...this.filterOf(column), ...change };
    if (Object.values(filter).every((text) => text === '')) this.filters.delete(column);
    else this.filters.set(column, filter);
  }

  clear(): void {
    this.text = '';
    this.filters.clear();
  }
}

const views = new WeakMap<Page, Map<string, TableView>>();

export function tableViewOf(page: Page, tag: string): TableView {
  let ofPage = views.get(page);
  if (ofPage === undefined) {
    ofPage = new Map();
    views.set(page, ofPage);
  }
  let view = ofPage.get(tag);
  if (view === undefined) {
    view = new TableView();
    ofPage.set(tag, view);
  }
  return view;
}
