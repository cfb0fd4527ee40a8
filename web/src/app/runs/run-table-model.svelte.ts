// What the run table shows, derived from the page: columns, order, rows, which of them is active. Kept apart from the
// component so that the component only has markup and keys. The user's wishes live in page.view.table (they are in the
// link); what is kept here is of the moment: closed directories and groups, the active row, an order held under the pointer.
//
// Order and rows hang on names, not on what runs have reached: a live event for ten thousand runs makes nothing of it
// anew, unless the table is sorted by something that changed.
import { USUAL_COLUMNS, type TableState } from '../../state/settings/table';
import type { Page } from '../../state/page.svelte';
import { LEAST_WIDTH_PX, type RunAccess } from '../../state/run-facts';
import { MANY_RUNS } from '../../state/selection';
import type { RunPlace } from '../../state/types';
import {
  columnOf,
  columnsOf,
  LEAST_NAME_WIDTH_PX,
  NAME_COLUMN_ID,
  NAME_WIDTH_PX,
  tagOfColumn,
  type Column,
} from './columns';
import { groupRows } from './group-rows';
import { holdOrder, NameRanks, sortByName, sortByValue, type HeldOrder } from './run-sort';
import { checkState, flatRows, parentIndex, treeRows, type BranchRowModel, type TableRow } from './run-tree';

/** On a phone the name needs the width; the rest is one press away in the columns menu. */
const PHONE_COLUMNS = ['status'];
const PHONE_STATUS_WIDTH_PX = 104;

export class RunTableModel {
  readonly #page: Page;
  readonly #isPhone: () => boolean;
  readonly #ranks = new NameRanks();
  /** Keys of the rows of directories and groups that are closed. */
  #collapsed = $state.raw<ReadonlySet<string>>(new Set());
  /** Wall time that relative times count from; the component lets it tick. */
  nowS = $state(Date.now() / 1000);
  #phoneColumns = $state.raw<readonly string[]>(PHONE_COLUMNS);
  #held = $state.raw<HeldOrder | null>(null);
  #activeKey = $state<string | null>(null);
  /** While a column is dragged: not in the link before the pointer lets go. */
  #draggedWidth = $state.raw<{ id: string; widthPx: number } | null>(null);
  /** Where the last checkbox was pressed: the other end of a range. */
  #rangeKey: string | null = null;
  #lastActiveIndex = 0;

  constructor(page: Page, isPhone: () => boolean) {
    this.#page = page;
    this.#isPhone = isPhone;
  }

  get #table(): TableState {
    return this.#page.view.table;
  }

  change(change: Partial<TableState>): void {
    this.#page.view.table = { ...this.#table, ...change };
  }

  // Columns

  readonly columnIds = $derived.by(() => (this.#isPhone() ? this.#phoneColumns : this.#table.columns));
  readonly columns: readonly Column[] = $derived.by(() => columnsOf(this.columnIds));
  readonly context: RunAccess = $derived.by(() => this.#page.runs.access(this.nowS));

  setColumns(ids: readonly string[]): void {
    if (!this.#isPhone()) {
      this.change({ columns: ids });
      return;
    }
    this.#phoneColumns = ids;
    // Last values are fetched for the metrics of the view: one that was chosen on a phone has to be among them.
    const metrics = ids.filter((id) => tagOfColumn(id) !== null);
    this.change({ columns: [...new Set([...this.#table.columns, ...metrics])] });
  }

  resetColumns(): void {
    if (this.#isPhone()) {
      this.#phoneColumns = PHONE_COLUMNS;
      return;
    }
    this.change({ columns: USUAL_COLUMNS, widths: {} });
  }

  widthPx(id: string): number {
    if (this.#isPhone()) return id === NAME_COLUMN_ID ? LEAST_NAME_WIDTH_PX : PHONE_STATUS_WIDTH_PX;
    const least = id === NAME_COLUMN_ID ? LEAST_NAME_WIDTH_PX : LEAST_WIDTH_PX;
    const dragged = this.#draggedWidth?.id === id ? this.#draggedWidth.widthPx : undefined;
    const usual = id === NAME_COLUMN_ID ? NAME_WIDTH_PX : (columnOf(id)?.widthPx ?? LEAST_WIDTH_PX);
    return Math.max(least, Math.round(dragged ?? this.#table.widths[id] ?? usual));
  }

  readonly template = $derived.by(() => {
    const others = this.columns.map((column) => `${this.widthPx(column.id)}px`).join(' ');
    return `minmax(${this.widthPx(NAME_COLUMN_ID)}px, 1fr) ${others}`;
  });
  readonly totalWidthPx = $derived.by(() =>
    this.columns.reduce((sum, column) => sum + this.widthPx(column.id), this.widthPx(NAME_COLUMN_ID)),
  );

  dragWidth(id: string, widthPx: number): void {
    this.#draggedWidth = { id, widthPx };
  }

  settleWidth(id: string): void {
    if (this.#draggedWidth?.id !== id) return;
    this.change({ widths: { ...this.#table.widths, [id]: this.widthPx(id) } });
    this.#draggedWidth = null;
  }

  setWidth(id: string, widthPx: number): void {
    this.dragWidth(id, widthPx);
    this.settleWidth(id);
  }

  resetWidth(id: string): void {
    this.#draggedWidth = null;
    const { [id]: _, ...rest } = this.#table.widths;
    this.change({ widths: rest });
  }

  // Order and rows

  readonly #isSortChosen = $derived.by(() => columnOf(this.#table.sortBy) !== null);
  /** Of very many runs the latest are shown at first: then those are on top. */
  readonly #isLatestFirst = $derived.by(() => !this.#isSortChosen && this.#page.runs.all.length > MANY_RUNS);
  readonly sortBy = $derived.by(() =>
    this.#isSortChosen ? this.#table.sortBy : this.#isLatestFirst ? 'started' : NAME_COLUMN_ID,
  );
  readonly isDescending = $derived.by(() =>
    this.#isSortChosen ? this.#table.isDescending : this.#isLatestFirst,
  );

  /** The first press sorts names from A, numbers from the greatest; the next one turns it round. */
  sort(id: string): void {
    const column = columnOf(id);
    if (column === null) return;
    const isDescending = this.sortBy === id ? !this.isDescending : column.isNumeric;
    this.change({ sortBy: id, isDescending });
  }

  /** What was sorted last: the next time it is nearly in order. */
  #lastSorted: { readonly shown: readonly RunPlace[]; readonly sorted: readonly RunPlace[] } | null = null;
  /** The same array as long as the order is the same. */
  readonly #sorted = $derived.by(() => {
    const { runs } = this.#page;
    const { shown } = runs;
    // They are kept by start.
    if (this.#isLatestFirst) return [...shown].reverse();
    const order = { isDescending: this.isDescending, rankOf: this.#ranks.of(shown) };
    const column = columnOf(this.sortBy);
    if (column === null || column.id === NAME_COLUMN_ID) return sortByName(shown, order);
    // Not this.context: the time of day changes no order, and must not sort ten thousand runs twice a minute.
    const context = runs.access(0);
    const { byId } = runs;
    const before = this.#lastSorted?.shown === shown ? this.#lastSorted.sorted : shown;
    const sorted = sortByValue(
      before.flatMap(({ id }) => byId.get(id) ?? []),
      { ...order, valueOf: (run) => column.valueOf(run, context) },
    );
    const isSame = before !== shown && sorted.every(({ id }, i) => id === before[i]?.id);
    const kept = isSame ? before : sorted.map(({ id, name }) => ({ id, name }));
    this.#lastSorted = { shown, sorted: kept };
    return kept;
  });
  readonly #wish = $derived.by(() =>
    JSON.stringify([
      this.sortBy,
      this.isDescending,
      this.#page.view.runFilter,
      this.#page.view.runFilterKind,
    ]),
  );
  readonly #order = $derived.by(() => holdOrder(this.#sorted, this.#held, this.#wish));
  readonly newRunCount = $derived.by(() => this.#order.newCount);

  /** Groups take the place of directories. */
  readonly isGrouped = $derived.by(() => this.#page.view.grouping !== null);
  /** Whether there are rows that can be closed. */
  readonly isTree = $derived.by(() => this.isGrouped || this.#table.isTree);

  readonly rows: readonly TableRow[] = $derived.by(() => {
    const { runs } = this.#order;
    const store = this.#page.runs;
    // Groups that are not known yet, or none at all: a list, not everything below "No group".
    if (this.isGrouped && store.groups.length === 0) return flatRows(runs);
    if (this.isGrouped) {
      return groupRows(runs, store.groups, (id) => store.groupOf(id), {
        isByLabel: this.sortBy === NAME_COLUMN_ID,
        isDescending: this.isDescending,
        collapsed: this.#collapsed,
      });
    }
    return this.#table.isTree ? treeRows(runs, this.#collapsed) : flatRows(runs);
  });
  readonly keyOf = $derived.by(() => {
    const rows = this.rows;
    return (index: number): string => rows[index]?.key ?? `none:${index}`;
  });
  /** Changes when the user asks for another order: then the list begins at its top again. */
  readonly wish = $derived.by(
    () => `${this.#wish}${this.#table.isTree}${JSON.stringify(this.#page.view.grouping?.by)}`,
  );

  /** The pointer is on the rows: they stay where they are until it leaves. Not while the log is read for the first time. */
  hold(): void {
    if (this.#page.progress?.is_done === false) return;
    this.#held = { names: this.#sorted.map((run) => run.name), wish: this.#wish };
  }

  letGo(): void {
    this.#held = null;
  }

  toggleBranch(row: BranchRowModel): void {
    const others = [...this.#collapsed].filter((key) => key !== row.key);
    this.#collapsed = new Set(this.#collapsed.has(row.key) ? others : [...others, row.key]);
  }

  collapseAll(): void {
    const all = this.isGrouped ? this.rows : treeRows(this.#page.runs.shown, new Set());
    const keys = all.flatMap((row) => (row.kind === 'run' ? [] : [row.key]));
    this.#collapsed = new Set([...this.#collapsed, ...keys]);
  }

  expandAll(): void {
    this.#collapsed = new Set();
  }

  // The active row: the one that Tab reaches and keys act on

  readonly activeIndex = $derived.by(() => {
    const found = this.rows.findIndex((row) => row.key === this.#activeKey);
    return found >= 0 ? found : Math.max(0, Math.min(this.#lastActiveIndex, this.rows.length - 1));
  });
  /** Whether the user has been there: until then the first row is only where Tab arrives. */
  readonly isActiveChosen = $derived.by(() => this.#activeKey !== null);
  readonly activeRunId = $derived.by(() => {
    const row = this.rows[this.activeIndex];
    return this.isActiveChosen && row?.kind === 'run' ? row.run.id : null;
  });

  activate(index: number): void {
    const row = this.rows[index];
    if (row === undefined) return;
    this.#activeKey = row.key;
    this.#lastActiveIndex = index;
  }

  parentOf(index: number): number {
    return parentIndex(this.rows, index);
  }

  // Selection

  readonly allState = $derived.by(() =>
    checkState(
      this.#page.runs.shown.map((run) => run.id),
      (id) => this.#page.runs.selectedIds.has(id),
    ),
  );
  readonly shownSelectedCount = $derived.by(() => this.#page.runs.visibleIds.length);

  isOn(row: TableRow): boolean {
    return checkState(row.runIds, (id) => this.#page.runs.isSelected(id)) === 'on';
  }

  /** Switches a row; with Shift also all between it and the one that was switched before. */
  check(index: number, isOn: boolean, isRange: boolean): void {
    const row = this.rows[index];
    if (row === undefined) return;
    const other = isRange ? this.rows.findIndex((candidate) => candidate.key === this.#rangeKey) : -1;
    this.#rangeKey = row.key;
    const [from, to] = other < 0 ? [index, index] : [Math.min(index, other), Math.max(index, other)];
    const rows = this.rows.slice(from, to + 1);
    this.#page.runs.setSelected(new Set(rows.flatMap(({ runIds }) => runIds)), isOn);
  }

  only(row: TableRow): void {
    const [first, ...others] = row.runIds;
    if (first === undefined) return;
    this.#page.runs.only(first);
    if (others.length > 0) this.#page.runs.setSelected(others, true);
  }
}
