// The groups of runs as they are now: hangs on what the view asks for, on the runs that match the filter, and on whatever
// makes the key of a run. Loaded when somebody groups for the first time.
//
// While runs only grow, everything here stays the same object, down to the single group: charts that draw a group hear
// nothing of another one's change.
import type { BrowserStorage } from './browser-storage';
import { GroupColors, type Wearer } from './group-colors';
import { RegexError, RegexRunner } from './regex-runner';
import { rememberedSlots } from './run-colors';
import type { FieldsOfRuns } from './feeds/run-fields.svelte';
import { groupKey, groupRuns, type GroupAccess } from './run-groups';
import type { Run, RunGroup, RunPlace, ViewState } from './types';

const COLORS_KEY = 'groupColors.1';
const MOST_REMEMBERED_COLORS = 500;

/** Part of a group that is drawn. */
export interface VisibleGroup {
  readonly group: RunGroup;
  /** The members that are checked. */
  readonly runs: readonly number[];
}

export interface RunGrouperOptions {
  readonly view: ViewState;
  readonly storage: BrowserStorage;
  readonly shown: () => readonly RunPlace[];
  readonly visibleIds: () => readonly number[];
  readonly fields: () => FieldsOfRuns;
  readonly rows: () => ReadonlyMap<number, Run>;
  /** By name of the run. */
  readonly labels: () => ReadonlyMap<string, readonly string[]>;
  readonly isFavourite: (name: string) => boolean;
  /** Colour and dash of a run without groups, as in run-colors.ts. */
  readonly usualSlot: (id: number) => number;
  /** Replaced by tests. */
  readonly runner?: RegexRunner;
}

export class RunGrouper {
  readonly #options: RunGrouperOptions;
  readonly #runner: RegexRunner;
  readonly #colors: GroupColors;
  readonly #endEffects: () => void;
  /** By name of the run; those that do not match are not in it. */
  #captured = $state.raw<ReadonlyMap<string, string> | null>(null);
  #error = $state<string | null>(null);

  #by = $derived.by(() => this.#options.view.grouping?.by ?? null);
  /** Nothing is known yet. While another expression is tried, what the last one gave stays. */
  #isPending = $derived.by(() => {
    const by = this.#by;
    if (by === null) return false;
    if (by.kind === 'regex') return this.#error === null && this.#captured === null;
    return by.kind === 'field' && !this.#options.fields().isLoaded;
  });
  #lastGroups: readonly RunGroup[] = [];
  readonly groups: readonly RunGroup[] = $derived.by(() => {
    const by = this.#by;
    if (by === null || this.#isPending) return (this.#lastGroups = []);
    const captured = this.#captured;
    const options = this.#options;
    // Asked for once, not for each of ten thousand runs, and only where it matters: nobody else hears of runs that grow.
    const rows = by.kind === 'column' ? options.rows() : null;
    const labels = by.kind === 'label' ? options.labels() : null;
    const fields = by.kind === 'field' ? options.fields() : null;
    const access: GroupAccess = {
      run: (id) => rows?.get(id),
      labels: (name) => labels?.get(name) ?? [],
      isFavourite: (name) => options.isFavourite(name),
      field: (name, id) => fields?.value(name, id),
      captured: (name) => captured?.get(name),
    };
    const groups = groupRuns(this.#options.shown(), (run) => groupKey(run, by, access));
    return (this.#lastGroups = kept(this.#lastGroups, groups, ({ key }) => key));
  });
  #groupOf = $derived(new Map(this.groups.flatMap((group) => group.runs.map((id) => [id, group]))));
  #lastVisible: readonly VisibleGroup[] = [];
  readonly visible: readonly VisibleGroup[] = $derived.by(() => {
    const visibleIds = new Set(this.#options.visibleIds());
    const visible = this.groups.flatMap((group) => {
      const runs = group.runs.filter((id) => visibleIds.has(id));
      return runs.length > 0 ? [{ group, runs }] : [];
    });
    return (this.#lastVisible = kept(this.#lastVisible, visible, ({ group }) => group));
  });
  #lastUngrouped: readonly number[] = [];
  readonly ungrouped: readonly number[] = $derived.by(() => {
    // Not yet known where they belong: rather nothing for a moment than every run as a line of its own.
    const ids = this.#isPending ? [] : this.#options.visibleIds().filter((id) => !this.#groupOf.has(id));
    if (!isSameList(ids, this.#lastUngrouped)) this.#lastUngrouped = ids;
    return this.#lastUngrouped;
  });
  #slots = $derived.by(() => {
    const runs = this.ungrouped.map((id) => [id, this.#options.usualSlot(id)] as const);
    return this.#colors.serve(
      this.groups.map(({ key }) => key),
      runs,
    );
  });

  constructor(options: RunGrouperOptions) {
    this.#options = options;
    this.#runner = options.runner ?? new RegexRunner();
    this.#colors = new GroupColors(rememberedSlots(options.storage, COLORS_KEY));
    this.#endEffects = $effect.root(() => {
      $effect(() => {
        const by = this.#by;
        if (by?.kind !== 'regex') {
          this.#error = null;
          return;
        }
        const names = options.shown().map(({ name }) => name);
        void this.#capture(by.pattern, names);
      });
      $effect(() => {
        if (this.#slots.size === 0 || this.groups.length === 0) return;
        options.storage.write(COLORS_KEY, this.#colors.entries.slice(-MOST_REMEMBERED_COLORS));
      });
    });
  }

  get error(): string | null {
    return this.#error;
  }

  groupOf(id: number): RunGroup | undefined {
    return this.#groupOf.get(id);
  }

  /** Colour of a group, by its key, or colour and dash of a run that is drawn beside groups; undefined: neither. */
  slot(who: Wearer): number | undefined {
    return this.#slots.get(who);
  }

  destroy(): void {
    this.#endEffects();
    this.#runner.destroy();
  }

  async #capture(pattern: string, names: readonly string[]): Promise<void> {
    const isWanted = (): boolean => {
      const by = this.#by;
      return by?.kind === 'regex' && by.pattern === pattern;
    };
    try {
      const captured = await this.#runner.captured(pattern, names);
      if (!isWanted()) return;
      this.#captured = captured;
      this.#error = null;
    } catch (error) {
      if (!isWanted()) return;
      this.#error = error instanceof RegexError ? error.message : String(error);
    }
  }
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}

/** The old objects wherever they say the same; the old list if all do. */
function kept<T extends { readonly runs: readonly number[] }>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => unknown,
): readonly T[] {
  const known = new Map(before.map((one) => [keyOf(one), one]));
  const all = after.map((one) => {
    const same = known.get(keyOf(one));
    return same && isSameList(same.runs, one.runs) ? same : one;
  });
  return all.length === before.length && all.every((one, i) => one === before[i]) ? before : all;
}
