// The run table: every run, which of them match the filter, which are checked, and how they look. One place for all
// dashboards, so that a run has the same colour and state everywhere.
//
// Ten thousand runs have to be cheap, also while they grow ten times a second. So rows are plain objects in arrays that
// are replaced, never deep state; and everything that depends only on which runs there are (selection, names, colours)
// hangs on #order, which stays the same array while rows merely change their numbers: a live event that brings no new
// run costs nobody who only asks for names, colours or what is visible.
import { untrack } from 'svelte';
import { sharedEnds, shortenName } from '../base/names';
import type { RunTable } from '../wire/client';
import type { BrowserStorage } from './browser-storage';
import { NameFilter, type Matches } from './name-filter';
import { PALETTES, type Theme } from './palettes';
import { ColorBook, DASHES, PALETTE_SIZE } from './run-colors';
import { mergeRows } from './run-rows';
import { inverted, MANY_RUNS, selectedNames, withSelected } from './selection';
import type { Run, RunPlace, Selection, ViewState } from './types';

const COLORS_KEY = 'colors.1';
/** Newest first to keep: enough for anyone's work, small enough for localStorage. */
const MOST_REMEMBERED_COLORS = 2000;
/** Of more runs than can be remembered, only those that are shown get a colour of their own. */
const MOST_SERVED_RUNS = MOST_REMEMBERED_COLORS;

export interface RunsChange {
  /** New or different. */
  readonly changed: readonly number[];
  readonly removed: readonly number[];
  /** After a restart of the server: what each old number is now. */
  readonly renumbered: ReadonlyMap<number, number> | null;
}

export interface RunStoreOptions {
  readonly view: ViewState;
  readonly storage: BrowserStorage;
  readonly theme: () => Theme;
  readonly lastValue: (tag: string, id: number) => number | undefined;
  /** Replaced by tests. */
  readonly makeFilter?: (onResult: ConstructorParameters<typeof NameFilter>[0]) => NameFilter;
}

/** Before a link's expression has been tried: nothing, rather than every run for a moment. */
const NONE: Matches = new Set();

export class RunStore {
  readonly #view: ViewState;
  readonly #storage: BrowserStorage;
  readonly #theme: () => Theme;
  readonly #filter: NameFilter;
  readonly #colors: ColorBook;
  /** Until the log is read: runs turn up in any order then, and what they are given must not be remembered. */
  readonly #firstColors: ColorBook;
  readonly #endEffects: () => void;
  readonly lastValue: (tag: string, id: number) => number | undefined;

  /** Where the table stands, for asking what changed since. */
  serverId = '';
  revision = 0;

  #all = $state.raw<readonly Run[]>([]);
  #order = $state.raw<readonly RunPlace[]>([]);
  #isLoaded = $state(false);
  /** Whether the log has been read once: then the order of start is known. */
  #isRead = $state(false);
  #matches = $state.raw<Matches>(null);
  #filterError = $state<string | null>(null);
  #isFiltering = $state(false);
  /** Grows when colours were spread anew. */
  #spreads = $state(0);
  /** The run under the pointer, in the table or in a chart. */
  highlighted = $state<number | null>(null);

  #byId = $derived(new Map(this.#all.map((run) => [run.id, run])));
  #names = $derived(this.#order.map(({ name }) => name));
  #nameOf = $derived(new Map(this.#order.map(({ id, name }) => [id, name])));
  #idOf = $derived(new Map(this.#order.map(({ id, name }) => [name, id])));
  #shortNames = $derived.by(() => {
    const ends = sharedEnds(this.#names);
    return new Map(this.#order.map(({ id, name }) => [id, shortenName(name, ends)]));
  });
  #selectedNames = $derived.by(() => selectedNames(this.#view.selection, this.#names));
  #selectedIds = $derived.by(() => {
    const names = this.#selectedNames;
    return new Set(this.#order.filter(({ name }) => names.has(name)).map(({ id }) => id));
  });
  #visiblePlaces = $derived.by(() => {
    const names = this.#selectedNames;
    const matches = this.#matches;
    return this.#order.filter(({ name }) => names.has(name) && (matches === null || matches.has(name)));
  });
  #visibleIds = $derived(this.#visiblePlaces.map(({ id }) => id));
  #shown = $derived.by(() => {
    const matches = this.#matches;
    return matches === null ? this.#order : this.#order.filter(({ name }) => matches.has(name));
  });
  #damageCount = $derived(this.#all.reduce((sum, run) => sum + run.damageCount, 0));
  #visible = $derived.by(() => {
    const byId = this.#byId;
    return this.#visibleIds.flatMap((id) => byId.get(id) ?? []);
  });
  /**
   * Colour and dash of every run. Serving colours changes the book, but only ever in one way for the same runs: reading
   * it twice is harmless, and whoever draws a run that just became visible sees its final colour at once.
   */
  #served = $derived.by(() => {
    const colors = this.#isRead ? this.#colors : this.#firstColors;
    const served = this.#order.length > MOST_SERVED_RUNS ? this.#visiblePlaces : this.#order;
    colors.serve(served.map(({ name }) => name));
    const slots = new Map(this.#order.map(({ id, name }) => [id, colors.slot(name)]));
    return { slots, spreads: this.#spreads };
  });

  constructor(options: RunStoreOptions) {
    this.#view = options.view;
    this.#storage = options.storage;
    this.#theme = options.theme;
    this.lastValue = options.lastValue;
    this.#colors = new ColorBook(rememberedColors(options.storage));
    this.#firstColors = new ColorBook(this.#colors.entries);
    if (options.view.runFilter !== '') this.#matches = NONE;
    const onResult: ConstructorParameters<typeof NameFilter>[0] = ({ matches, error, isPending = false }) => {
      this.#isFiltering = isPending;
      if (isPending) return;
      untrack(() => {
        // Nobody was matched before: then an expression that does not work hides nobody.
        if (matches === undefined) this.#matches = this.#matches === NONE ? null : this.#matches;
        // Without names nothing has been tried.
        else if (matches === null || this.#order.length > 0) this.#matches = matches;
      });
      this.#filterError = error;
    };
    this.#filter = options.makeFilter?.(onResult) ?? new NameFilter(onResult);
    this.#endEffects = $effect.root(() => {
      $effect.pre(() => {
        this.#filter.ask(this.#names, this.#view.runFilter, this.#view.runFilterKind === 'regex');
      });
      $effect(() => {
        // Without runs nothing was served yet.
        if (this.#served.slots.size === 0 || !this.#isRead) return;
        this.#storage.write(COLORS_KEY, this.#colors.entries.slice(-MOST_REMEMBERED_COLORS));
      });
    });
  }

  /** By start, oldest first. */
  get all(): readonly Run[] {
    return this.#all;
  }

  /** False until the server's first answer. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get byId(): ReadonlyMap<number, Run> {
    return this.#byId;
  }

  /** Like byId.has, but whoever asks hears nothing of runs that only grow. */
  has(id: number): boolean {
    return this.#nameOf.has(id);
  }

  /** The number of the run with this name; numbers change when the server is restarted, names do not. */
  idOf(name: string): number | undefined {
    return this.#idOf.get(name);
  }

  /** Those that match the filter, checked or not: the table's rows. The same array while runs only grow. */
  get shown(): readonly RunPlace[] {
    return this.#shown;
  }

  /** Damaged places in all runs. */
  get damageCount(): number {
    return this.#damageCount;
  }

  get selectedIds(): ReadonlySet<number> {
    return this.#selectedIds;
  }

  /** Checked and matching: what charts draw. */
  get visible(): readonly Run[] {
    return this.#visible;
  }

  /** The same as numbers; unlike `visible` it stays the same array while runs only grow. */
  get visibleIds(): readonly number[] {
    return this.#visibleIds;
  }

  /** Nobody chose, and there are so many runs that only the latest are shown. */
  get isLimitedToLatest(): boolean {
    return this.#view.selection.rule === 'auto' && this.#order.length > MANY_RUNS;
  }

  get filterError(): string | null {
    return this.#filterError;
  }

  /** The filter's answer is still on its way. */
  get isFiltering(): boolean {
    return this.#isFiltering;
  }

  isSelected(id: number): boolean {
    return this.#selectedIds.has(id);
  }

  toggle(id: number): void {
    this.setSelected([id], !this.isSelected(id));
  }

  /** This run and no other, those that come later neither. */
  only(id: number): void {
    const name = this.#nameOf.get(id);
    if (name !== undefined) this.#choose({ rule: 'none', except: [name] });
  }

  // With a filter, the following four act on the runs that it shows, as TensorBoard's checkbox in the table's head does;
  // without one, on all runs, also those that come later.

  selectAll(): void {
    if (this.#matches === null) this.#choose({ rule: 'all', except: [] });
    else
      this.setSelected(
        this.#shown.map(({ id }) => id),
        true,
      );
  }

  selectNone(): void {
    if (this.#matches === null) this.#choose({ rule: 'none', except: [] });
    else
      this.setSelected(
        this.#shown.map(({ id }) => id),
        false,
      );
  }

  invert(): void {
    if (this.#matches === null) {
      this.#choose(inverted(this.#view.selection, this.#names));
      return;
    }
    const on = this.#shown.filter(({ id }) => !this.isSelected(id));
    const off = this.#shown.filter(({ id }) => this.isSelected(id));
    const names = (runs: readonly RunPlace[]): string[] => runs.map(({ name }) => name);
    const isOn = withSelected(this.#view.selection, this.#names, names(on), true);
    this.#choose(withSelected(isOn, this.#names, names(off), false));
  }

  /** The runs that started last, and no other. */
  selectLatest(count: number): void {
    if (this.#matches === null) {
      this.#choose({ rule: 'latest', count, except: [], also: [] });
      return;
    }
    const latest = count > 0 ? this.#shown.slice(-count) : [];
    this.#choose({ rule: 'none', except: latest.map(({ name }) => name) });
  }

  setSelected(ids: Iterable<number>, isOn: boolean): void {
    const names = [...ids].flatMap((id) => this.#nameOf.get(id) ?? []);
    if (names.length > 0) this.#choose(withSelected(this.#view.selection, this.#names, names, isOn));
  }

  /** A CSS colour for the current theme. */
  color(id: number): string {
    const slot = this.#served.slots.get(id) ?? 0;
    return PALETTES[this.#theme()][slot % PALETTE_SIZE]!;
  }

  /** Canvas dash pattern in CSS pixels; null: solid. */
  dash(id: number): readonly number[] | null {
    const slot = this.#served.slots.get(id) ?? 0;
    return DASHES[Math.floor(slot / PALETTE_SIZE)] ?? null;
  }

  /** Gives the visible runs new colours, as different as possible, on the user's wish. */
  spreadColors(): void {
    const names = this.#visiblePlaces.map(({ name }) => name);
    this.#colors.spread(names);
    this.#firstColors.spread(names);
    this.#spreads++;
  }

  /** The name without the directories that all names share. */
  shortName(id: number): string {
    return this.#shortNames.get(id) ?? '';
  }

  /** Takes in the server's answer. */
  apply(table: RunTable): RunsChange {
    const isOtherServer = this.serverId !== '' && table.server_id !== this.serverId;
    const before = this.#all;
    const merged = mergeRows(before, table);
    let removed = table.removed;
    if (table.is_complete && !isOtherServer) {
      const left = new Set(table.id);
      removed = before.filter(({ id }) => !left.has(id)).map(({ id }) => id);
    }
    this.serverId = table.server_id;
    this.revision = table.revision;
    this.#isLoaded = true;
    this.#isRead ||= table.progress.is_done;
    const renumbered = isOtherServer ? renumber(before, merged.runs) : null;
    if (merged.changed.length > 0 || merged.isReordered) {
      this.#all = merged.runs;
      if (merged.isReordered && !isSameOrder(this.#order, merged.runs)) {
        this.#order = merged.runs.map(({ id, name }) => ({ id, name }));
      }
      if (this.highlighted !== null && (renumbered || !this.#nameOf.has(this.highlighted))) {
        this.highlighted = null;
      }
    }
    return { changed: merged.changed, removed, renumbered };
  }

  destroy(): void {
    this.#endEffects();
    this.#filter.destroy();
  }

  #choose(selection: Selection): void {
    this.#view.selection = selection;
  }
}

/** A start that became known, or a complete table, need not move anyone. */
function isSameOrder(before: readonly RunPlace[], after: readonly RunPlace[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ id, name }, i) => id === after[i]!.id && name === after[i]!.name)
  );
}

function renumber(before: readonly Run[], after: readonly Run[]): Map<number, number> {
  const idFromName = new Map(after.map(({ id, name }) => [name, id]));
  const renumbered = new Map<number, number>();
  for (const { id, name } of before) {
    const now = idFromName.get(name);
    if (now !== undefined) renumbered.set(id, now);
  }
  return renumbered;
}

function rememberedColors(storage: BrowserStorage): [string, number][] {
  const saved = storage.read(COLORS_KEY);
  if (!Array.isArray(saved)) return [];
  return saved.filter(
    (entry): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && Number.isInteger(entry[1]),
  );
}
