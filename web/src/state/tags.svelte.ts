// Every tag of every kind, and which of them match the filter.
// Tags come in natural order from the server. A tag that did not change stays the same object, so that cards of it are
// not drawn anew when another tag appears.
import { untrack } from 'svelte';
import { grouped } from '../base/grouped';
import type { TagEntry, TagTable } from '../wire/client';
import { shownTag } from './group-tags';
import { NameFilter, type Matches } from './name-filter';
import type { Tag, ViewState } from './types';

/** Before a link's expression has been tried: nothing, rather than every chart for a moment. */
const NONE: Matches = new Set();

class TagOfTable implements Tag {
  readonly tag: string;
  readonly kind: string;
  readonly displayName: string;
  readonly description: string;
  /** Pairs of first and last run number, ascending, as they came. */
  readonly ranges: readonly number[];
  #runCount: number | undefined;

  constructor(entry: TagEntry) {
    this.tag = entry.tag;
    this.kind = entry.kind;
    this.displayName = entry.display_name;
    this.description = entry.description;
    this.ranges = entry.runs;
  }

  hasRun(id: number): boolean {
    // The last pair that begins at or before the number is the only one that can hold it.
    let low = 0;
    let high = this.ranges.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ranges[2 * middle]! <= id) low = middle + 1;
      else high = middle;
    }
    return low > 0 && id <= this.ranges[2 * low - 1]!;
  }

  get runCount(): number {
    if (this.#runCount === undefined) {
      this.#runCount = 0;
      for (let i = 0; i + 1 < this.ranges.length; i += 2) {
        this.#runCount += this.ranges[i + 1]! - this.ranges[i]! + 1;
      }
    }
    return this.#runCount;
  }

  isLike(entry: TagEntry): boolean {
    return (
      this.displayName === entry.display_name &&
      this.description === entry.description &&
      this.ranges.length === entry.runs.length &&
      this.ranges.every((run, i) => run === entry.runs[i])
    );
  }
}

const keyOf = (kind: string, tag: string): string => `${kind}\n${tag}`;

export class TagStore {
  readonly #filter: NameFilter;
  readonly #endEffects: () => void;
  #all = $state.raw<readonly TagOfTable[]>([]);
  #isLoaded = $state(false);
  #matches = $state.raw<Matches>(null);
  #filterError = $state<string | null>(null);
  #isFiltering = $state(false);

  #byKey = $derived(new Map(this.#all.map((tag) => [keyOf(tag.kind, tag.tag), tag])));
  #byKind = $derived(grouped(this.#all, ({ kind }) => kind));
  #shownByKind = $derived.by(() => {
    const matches = this.#matches;
    if (matches === null) return this.#byKind;
    return grouped(
      this.#all.filter(({ tag }) => matches.has(tag) || matches.has(shownTag(tag))),
      ({ kind }) => kind,
    );
  });
  /** A filter is about what people read; links and TensorBoard know what was logged. */
  #names = $derived([...new Set(this.#all.flatMap(({ tag }) => [tag, shownTag(tag)]))]);

  constructor(
    view: ViewState,
    makeFilter?: (onResult: ConstructorParameters<typeof NameFilter>[0]) => NameFilter,
  ) {
    if (view.tagFilter !== '') this.#matches = NONE;
    const onResult: ConstructorParameters<typeof NameFilter>[0] = ({ matches, error, isPending = false }) => {
      this.#isFiltering = isPending;
      if (isPending) return;
      untrack(() => {
        // Nobody was matched before: then an expression that does not work hides nobody.
        if (matches === undefined) this.#matches = this.#matches === NONE ? null : this.#matches;
        // Without names nothing has been tried.
        else if (matches === null || this.#all.length > 0) this.#matches = matches;
      });
      this.#filterError = error;
    };
    this.#filter = makeFilter?.(onResult) ?? new NameFilter(onResult);
    this.#endEffects = $effect.root(() => {
      $effect.pre(() => {
        this.#filter.ask(this.#names, view.tagFilter, true);
      });
    });
  }

  get all(): readonly Tag[] {
    return this.#all;
  }

  /** False until the server's first answer. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get filterError(): string | null {
    return this.#filterError;
  }

  /** The filter's answer is still on its way. */
  get isFiltering(): boolean {
    return this.#isFiltering;
  }

  ofKind(kind: string): readonly Tag[] {
    return this.#byKind.get(kind) ?? [];
  }

  /** Those that match view.tagFilter. */
  shown(kind: string): readonly Tag[] {
    return this.#shownByKind.get(kind) ?? [];
  }

  find(kind: string, tag: string): Tag | undefined {
    return this.#byKey.get(keyOf(kind, tag));
  }

  /** Takes in the server's answer. */
  apply(table: TagTable): void {
    const before = this.#byKey;
    const after = table.tags.map((entry) => {
      const known = before.get(keyOf(entry.kind, entry.tag));
      return known?.isLike(entry) ? known : new TagOfTable(entry);
    });
    const isSame = after.length === this.#all.length && after.every((tag, i) => tag === this.#all[i]);
    if (!isSame) this.#all = after;
    this.#isLoaded = true;
  }

  destroy(): void {
    this.#endEffects();
    this.#filter.destroy();
  }
}
