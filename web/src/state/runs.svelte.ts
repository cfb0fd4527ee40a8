// The run table: every run, which of them match the filter, which are checked, and how they look. One place for all
// dashboards, so that a run has the same colour and state everywhere.
//
// Ten thousand runs have to be cheap, also while they grow ten times a second. So rows are plain objects in arrays that
// are replaced, never deep state; and everything that depends only on which runs there are (selection, names, colours)
// hangs on #order, which stays the same array while rows merely change their numbers: a live event that brings no new
// run costs nobody who only asks for names, colours or what is visible.
import { untrack } from 'svelte';
import { sharedEnds, shortenName } from '../base/names';
import type { RunEdits, RunTable } from '../wire/client';
import type { BrowserStorage } from './browser-storage';
import { Later } from './later.svelte';
import { NameFilter, type FilterResult, type Matches } from './name-filter';
import { PALETTES, type Theme } from './palettes';
import { ColorBook, DASHES, PALETTE_SIZE, rememberedSlots } from './run-colors';
import type { FieldsOfRuns, RunFieldStore } from './feeds/run-fields.svelte';
import type { RunGrouper, VisibleGroup } from './run-grouper.svelte';
import type { QueryFilter } from './run-query-filter.svelte';
import type { RunAccess } from './run-facts';
import { mergeRows } from './run-rows';
import { inverted, MANY_RUNS, selectedNames, withSelected } from './selection';
import type { Run, RunGroup, RunPlace, Selection, ViewState } from './types';
import type { LiveWorkspace } from './workspace.svelte';

const COLORS_KEY = 'colors.1';
/** Newest first to keep: enough for anyone's work, small enough for localStorage. */
const MOST_REMEMBERED_COLORS = 2000;
/** Of more runs than can be remembered, only those that are shown get a colour of their own. */
const MOST_SERVED_RUNS = MOST_REMEMBERED_COLORS;

export interface RunsChange {
  /** New or different. */
  readonly changed: readonly number[];
  /** After a restart of the server: what each old number is now. */
  readonly renumbered: ReadonlyMap<number, number> | null;
}

/** What people said about runs, as far as it decides how they look. */
type WorkspaceOfRuns = Pick<
  LiveWorkspace,
  'editsOf' | 'displayNames' | 'colors' | 'labels' | 'archived' | 'groupColors'
>;

export interface RunStoreOptions {
  readonly view: ViewState;
  readonly storage: BrowserStorage;
  readonly theme: () => Theme;
  readonly lastValue: (tag: string, id: number) => number | undefined;
  /** Left out: nobody said anything. */
  readonly workspace?: WorkspaceOfRuns;
  /** Loads the hyper-parameters. */
  readonly loadFields?: () => Promise<RunFieldStore>;
  /** Loads what understands view.runFilterKind 'expression'. */
  readonly loadQueries?: (onResult: (result: FilterResult) => void) => Promise<QueryFilter>;
  /** Replaced by tests. */
  readonly makeFilter?: (onResult: (result: FilterResult) => void) => NameFilter;
}

const NOTHING_SAID: WorkspaceOfRuns = {
  editsOf: () => undefined,
  displayNames: new Map(),
  colors: new Map(),
  labels: new Map(),
  archived: new Set(),
  groupColors: new Map(),
};
const NO_FIELDS: FieldsOfRuns = {
  names: [],
  isLoaded: false,
  kindOf: () => undefined,
  value: () => undefined,
};

/** Before a link's expression has been tried: nothing, rather than every run for a moment. */
const NONE: Matches = new Set();
const NO_LABELS: readonly string[] = [];
const NO_IDS: readonly number[] = [];

export class RunStore {
  readonly #view: ViewState;
  readonly #storage: BrowserStorage;
  readonly #theme: () => Theme;
  readonly #workspace: WorkspaceOfRuns;
  readonly #filter: NameFilter;
  readonly #queries: Later<QueryFilter> | null;
  readonly #fields: Later<RunFieldStore> | null;
  readonly #grouper: Later<RunGrouper>;
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
  /** What puts runs into groups could not be fetched. */
  #isGrouperMissing = $state(false);
  /** Grows when colours were spread anew. */
  #spreads = $state(0);
  /** The run under the pointer, in the table or in a chart. */
  highlighted = $state<number | null>(null);
  /** The key of the group under the pointer: of its line, not of a member's. */
  highlightedGroup = $state<string | null>(null);

  readonly byId: ReadonlyMap<number, Run> = $derived(new Map(this.#all.map((run) => [run.id, run])));
  /** Those that are not put away (archived), by start: what the filter chooses from. The same array while runs only grow. */
  readonly places: readonly RunPlace[] = $derived.by(() => {
    const { archived } = this.#workspace;
    if (this.#view.showArchived || archived.size === 0) return this.#order;
    return this.#order.filter(({ name }) => !archived.has(name));
  });
  #names = $derived(this.places.map(({ name }) => name));
  /** The names that people gave, in the order of #names; undefined: none. */
  #aliases = $derived.by(() => {
    const { displayNames } = this.#workspace;
    return displayNames.size === 0 ? undefined : this.#names.map((name) => displayNames.get(name) ?? '');
  });
  #nameOf = $derived(new Map(this.#order.map(({ id, name }) => [id, name])));
  #idOf = $derived(new Map(this.#order.map(({ id, name }) => [name, id])));
  #shortNames = $derived.by(() => {
    const ends = sharedEnds(this.#order.map(({ name }) => name));
    return new Map(this.#order.map(({ id, name }) => [id, shortenName(name, ends)]));
  });
  #selectedNames = $derived.by(() => selectedNames(this.#view.selection, this.#names));
  readonly selectedIds: ReadonlySet<number> = $derived.by(() => {
    const names = this.#selectedNames;
    return new Set(this.places.filter(({ name }) => names.has(name)).map(({ id }) => id));
  });
  #visiblePlaces = $derived.by(() => {
    const names = this.#selectedNames;
    const matches = this.#matches;
    return this.places.filter(({ name }) => names.has(name) && (matches === null || matches.has(name)));
  });
  /** The same as numbers; unlike `visible` it stays the same array while runs only grow. */
  readonly visibleIds: readonly number[] = $derived(this.#visiblePlaces.map(({ id }) => id));
  /** Those that match the filter, checked or not: the table's rows. The same array while runs only grow. */
  readonly shown: readonly RunPlace[] = $derived.by(() => {
    const matches = this.#matches;
    return matches === null ? this.places : this.places.filter(({ name }) => matches.has(name));
  });
  /** Damaged places in all runs. */
  readonly damageCount: number = $derived(this.#all.reduce((sum, run) => sum + run.damageCount, 0));
  /** Checked and matching: what charts draw. */
  readonly visible: readonly Run[] = $derived.by(() => {
    const byId = this.byId;
    return this.visibleIds.flatMap((id) => byId.get(id) ?? []);
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
    this.#workspace = options.workspace ?? NOTHING_SAID;
    this.#colors = new ColorBook(rememberedSlots(options.storage, COLORS_KEY));
    this.#firstColors = new ColorBook(this.#colors.entries);
    if (options.view.runFilter !== '') this.#matches = NONE;
    const onResult = ({ matches, error, isPending = false }: FilterResult): void => {
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
    const { loadQueries, loadFields } = options;
    const sayNotLoaded = (): void => {
      onResult({ error: 'The server does not answer; change the filter to try again' });
    };
    this.#queries = loadQueries ? new Later(() => loadQueries(onResult), sayNotLoaded) : null;
    this.#fields = loadFields ? new Later(loadFields) : null;
    this.#grouper = new Later(
      () => this.#loadGrouper(),
      () => {
        this.#isGrouperMissing = true;
      },
    );
    this.#endEffects = $effect.root(() => {
      $effect.pre(() => {
        const { runFilter, runFilterKind } = this.#view;
        if (runFilterKind === 'expression' && runFilter.trim() !== '' && this.#queries) {
          this.#filter.forget();
          if (!this.#queries.value) onResult({ error: null, isPending: true });
          return;
        }
        this.#filter.ask(this.#names, runFilter, runFilterKind === 'regex', this.#aliases);
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

  // What people said about a run; see workspace.svelte.ts for changing it.

  /** The name that somebody gave it, or its directory. */
  displayName(id: number): string {
    const name = this.#nameOf.get(id) ?? '';
    return this.#workspace.displayNames.get(name) ?? name;
  }

  labelsOf(id: number): readonly string[] {
    return this.#workspace.labels.get(this.#nameOf.get(id) ?? '') ?? NO_LABELS;
  }

  /** Markdown. */
  noteOf(id: number): string {
    return this.#editsOf(id)?.note ?? '';
  }

  isFavourite(id: number): boolean {
    return this.#editsOf(id)?.is_favourite ?? false;
  }

  isArchived(id: number): boolean {
    return this.#workspace.archived.has(this.#nameOf.get(id) ?? '');
  }

  #editsOf(id: number): RunEdits | undefined {
    return this.#workspace.editsOf(this.#nameOf.get(id) ?? '');
  }

  /** For columns of the table and for filter expressions: each part is looked up when it is asked about. */
  access(nowS: number): RunAccess {
    return {
      nowS,
      run: (id) => this.byId.get(id),
      displayName: (id) => this.displayName(id),
      labels: (id) => this.labelsOf(id),
      note: (id) => this.noteOf(id),
      isFavourite: (id) => this.isFavourite(id),
      isArchived: (id) => this.isArchived(id),
      field: (name, id) => this.fields.value(name, id),
      last: (tag, id) => this.lastValue(tag, id),
    };
  }

  /** Hyper-parameters, loaded by the first look at them. */
  get fields(): FieldsOfRuns {
    return this.#fields?.value ?? NO_FIELDS;
  }

  /** Hyper-parameters may have come; of other runs when the server was restarted. */
  outdateFields(isRenumbered: boolean): void {
    if (isRenumbered) this.#fields?.loaded?.clear();
    else this.#fields?.loaded?.outdate();
  }

  /** Like byId.has, but whoever asks hears nothing of runs that only grow. */
  has(id: number): boolean {
    return this.#nameOf.has(id);
  }

  /** The number of the run with this name; numbers change when the server is restarted, names do not. */
  idOf(name: string): number | undefined {
    return this.#idOf.get(name);
  }

  /** Nobody chose, and there are so many runs that only the latest are shown. */
  get isLimitedToLatest(): boolean {
    return this.#view.selection.rule === 'auto' && this.places.length > MANY_RUNS;
  }

  get filterError(): string | null {
    return this.#filterError;
  }

  /** The filter's answer is still on its way. */
  get isFiltering(): boolean {
    return this.#isFiltering;
  }

  isSelected(id: number): boolean {
    return this.selectedIds.has(id);
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
    this.#selectShown(true);
  }

  selectNone(): void {
    this.#selectShown(false);
  }

  #selectShown(isOn: boolean): void {
    const ids = this.shown.map(({ id }) => id);
    if (this.#matches === null) this.#choose({ rule: isOn ? 'all' : 'none', except: [] });
    else this.setSelected(ids, isOn);
  }

  invert(): void {
    if (this.#matches === null) {
      this.#choose(inverted(this.#view.selection, this.#names));
      return;
    }
    const on = this.shown.filter(({ id }) => !this.isSelected(id));
    const off = this.shown.filter(({ id }) => this.isSelected(id));
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
    const latest = count > 0 ? this.shown.slice(-count) : [];
    this.#choose({ rule: 'none', except: latest.map(({ name }) => name) });
  }

  setSelected(ids: Iterable<number>, isOn: boolean): void {
    const names = [...ids].flatMap((id) => this.#nameOf.get(id) ?? []);
    if (names.length > 0) this.#choose(withSelected(this.#view.selection, this.#names, names, isOn));
  }

  // Groups, while view.grouping asks for them. Everything stays the same object while runs only grow.

  get #groups(): RunGrouper | null {
    return this.#view.grouping === null ? null : this.#grouper.value;
  }

  /** Of the runs that match the filter, in natural order; [] without grouping. */
  get groups(): readonly RunGroup[] {
    return this.#groups?.groups ?? [];
  }

  /** Why the runs cannot be put together as asked, for people; null: they can. */
  get groupingError(): string | null {
    const groups = this.#groups;
    if (groups !== null || this.#view.grouping === null) return groups?.error ?? null;
    return this.#isGrouperMissing
      ? 'No groups: the server does not answer. Choose them again to try again'
      : null;
  }

  groupOf(id: number): RunGroup | undefined {
    return this.#groups?.groupOf(id);
  }

  /** Groups of which at least one member is checked, with those members. */
  get visibleGroups(): readonly VisibleGroup[] {
    return this.#groups?.visible ?? [];
  }

  /** Checked and in no group: drawn as lines of their own. Without grouping that is all that is visible. */
  get ungroupedVisibleIds(): readonly number[] {
    const groups = this.#groups;
    if (groups !== null) return groups.ungrouped;
    // Until it is known who belongs where: rather nothing for a moment than every run as a line.
    return this.#view.grouping === null || this.#isGrouperMissing ? this.visibleIds : NO_IDS;
  }

  /** A CSS colour for the current theme, unless somebody chose one. */
  groupColor(key: string): string {
    return this.#workspace.groupColors.get(key) ?? this.#paletteColor(this.#groups?.slot(key) ?? 0);
  }

  /** A CSS colour: the group's, or one chosen by hand, or one for the current theme. */
  color(id: number): string {
    const group = this.groupOf(id);
    if (group) return this.groupColor(group.key);
    return this.#chosenColor(id) ?? this.#paletteColor(this.#slot(id));
  }

  /** Canvas dash pattern in CSS pixels; null: solid. */
  dash(id: number): readonly number[] | null {
    if (this.groupOf(id) !== undefined || this.#chosenColor(id) !== undefined) return null;
    return DASHES[Math.floor(this.#slot(id) / PALETTE_SIZE)] ?? null;
  }

  /** Beside groups it may be another one than usual, so that nobody wears the same. */
  #slot(id: number): number {
    return this.#groups?.slot(id) ?? this.#usualSlot(id);
  }

  #usualSlot(id: number): number {
    return this.#served.slots.get(id) ?? 0;
  }

  #chosenColor(id: number): string | undefined {
    return this.#workspace.colors.get(this.#nameOf.get(id) ?? '');
  }

  #paletteColor(slot: number): string {
    return PALETTES[this.#theme()][slot % PALETTE_SIZE]!;
  }

  async #loadGrouper(): Promise<RunGrouper> {
    const { RunGrouper } = await import('./run-grouper.svelte');
    return new RunGrouper({
      view: this.#view,
      storage: this.#storage,
      shown: () => this.shown,
      visibleIds: () => this.visibleIds,
      rows: () => this.byId,
      labels: () => this.#workspace.labels,
      isFavourite: (name) => this.#workspace.editsOf(name)?.is_favourite ?? false,
      usualSlot: (id) => this.#usualSlot(id),
      fields: () => this.fields,
    });
  }

  /** Gives the visible runs new colours, as different as possible, on the user's wish. */
  spreadColors(): void {
    const names = this.#visiblePlaces.map(({ name }) => name);
    this.#colors.spread(names);
    this.#firstColors.spread(names);
    this.#spreads++;
  }

  /** The name that somebody gave it, or its directory without the ones that all names share. */
  shortName(id: number): string {
    return this.#workspace.displayNames.get(this.#nameOf.get(id) ?? '') ?? this.#shortNames.get(id) ?? '';
  }

  /** Takes in the server's answer. */
  apply(table: RunTable): RunsChange {
    const isOtherServer = this.serverId !== '' && table.server_id !== this.serverId;
    const before = this.#all;
    const merged = mergeRows(before, table);
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
    return { changed: merged.changed, renumbered };
  }

  destroy(): void {
    this.#endEffects();
    this.#filter.destroy();
    this.#queries?.destroy();
    this.#fields?.destroy();
    this.#grouper.destroy();
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
