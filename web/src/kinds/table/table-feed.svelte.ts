// The rows of one table that a tile has asked for: pages of them, by the view (search, filters, order) they belong to. The rows of the
// last view stay until the first page of the next one is there.
import { SvelteMap } from 'svelte/reactivity';
import { problemOf, type LoadProblem } from '../../state/feeds/answer-cache';
import type { TableAnswer, TableColumn, TableFilter } from '../../wire/client';
import type { ItemAddress } from '../../board/tiles/addresses';
import type { Cell } from './grid-window';

export interface TableQuery {
  readonly address: ItemAddress;
  readonly serverId: string;
  /** Another one: there may be another table at the same address. */
  readonly generation: number;
  readonly text: string;
  readonly filters: readonly TableFilter[];
  readonly sortBy: number | null;
  readonly isDescending: boolean;
}

export interface FedRow {
  /** Where it came from: another one is asked for while this one is still shown. */
  readonly table: Pick<TableQuery, 'address' | 'serverId'>;
  /** In the table as it was logged, from 0. */
  readonly number: number;
  readonly cells: readonly Cell[];
  /** Columns whose text was cut. */
  readonly cut: ReadonlySet<number>;
}

export interface TableFacts {
  readonly columns: readonly TableColumn[];
  readonly totalColumns: number;
  readonly totalRows: number;
  readonly matchingRows: number;
}

interface Poster {
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response>;
}

const PAGE_ROWS = 100;
/** Pages that are kept; the oldest go first. */
const MAX_PAGES = 60;

export class TableFeed {
  readonly #client: Poster;
  readonly #pages = new SvelteMap<number, readonly FedRow[]>();
  readonly #asked = new Set<number>();
  #query: TableQuery | null = null;
  /** Of which table the facts are. */
  #factsOf: ItemAddress | null = null;
  #abort = new AbortController();
  /** The first page of the query has come. */
  #isBegun = false;
  /** null: nothing has come yet. */
  facts = $state.raw<TableFacts | null>(null);
  /** Nothing of what was asked for is here. */
  problem = $state.raw<LoadProblem | null>(null);
  /** Pages that could not be had, and why: they are asked for again when somebody says so, and not by every turn of a wheel. */
  readonly #failed = new Set<number>();
  /** Some rows are missing; all others are here. */
  pageProblem = $state.raw<LoadProblem | null>(null);
  isLoading = $state(false);

  constructor(client: Poster) {
    this.#client = client;
  }

  /** A row of the current order; undefined: not here yet. */
  row(index: number): FedRow | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Another table, or another view of it. */
  show(query: TableQuery): void {
    if (this.#query !== null && JSON.stringify(query) === JSON.stringify(this.#query)) return;
    this.#query = query;
    this.#restart();
  }

  retry(): void {
    if (!this.#isBegun) {
      this.#restart();
      return;
    }
    const pages = [...this.#failed];
    this.#failed.clear();
    this.pageProblem = null;
    for (const page of pages) void this.#load(page);
  }

  /** Rows that are in sight; asks for those that are not here. */
  want(first: number, end: number): void {
    if (!this.#isBegun) return;
    for (let page = Math.floor(first / PAGE_ROWS); page * PAGE_ROWS < end; page++) {
      const isKnown = this.#pages.has(page) || this.#asked.has(page) || this.#failed.has(page);
      if (!isKnown) void this.#load(page);
    }
  }

  destroy(): void {
    this.#abort.abort();
  }

  #restart(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#asked.clear();
    this.#failed.clear();
    this.pageProblem = null;
    this.#isBegun = false;
    void this.#load(0);
  }

  async #load(page: number): Promise<void> {
    const query = this.#query;
    if (query === null) return;
    const { signal } = this.#abort;
    this.#asked.add(page);
    this.isLoading = true;
    const { address, serverId, text, filters, sortBy, isDescending } = query;
    const body = {
      ...address,
      ...{ server_id: serverId, text, filters, sort_by: sortBy, is_descending: isDescending },
      ...{ offset: page * PAGE_ROWS, limit: PAGE_ROWS },
    };
    try {
      const response = await this.#client.post('tables/rows', body, signal);
      const answer = (await response.json()) as TableAnswer;
      if (signal.aborted) return;
      if (!this.#isBegun) this.#pages.clear();
      this.#isBegun = true;
      this.#pages.set(page, rowsOf(answer, { address, serverId }));
      this.#dropOldest();
      this.#factsOf = address;
      this.facts = {
        columns: answer.columns,
        totalColumns: answer.total_columns,
        totalRows: answer.total_rows,
        matchingRows: answer.matching_rows,
      };
      this.problem = null;
    } catch (error) {
      const problem = problemOf(error);
      if (signal.aborted || problem === null) return;
      if (this.#isGuess(query) && !problem.isTemporary) {
        this.#query = { ...query, filters: [], sortBy: null, isDescending: false };
        this.#restart();
        return;
      }
      if (this.#isBegun) {
        this.#failed.add(page);
        this.pageProblem = problem;
      } else this.problem = problem;
    }
    this.#asked.delete(page);
    this.isLoading = this.#asked.size > 0;
  }

  /** The columns are those of the table before: this one may lack them, and then has to say first which ones it has. */
  #isGuess({ address, filters, sortBy }: TableQuery): boolean {
    return (sortBy !== null || filters.length > 0) && address !== this.#factsOf;
  }

  #dropOldest(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES) return;
      this.#pages.delete(page);
    }
  }
}

function rowsOf(
  { rows, row_numbers: numbers, long_cells: long }: TableAnswer,
  table: FedRow['table'],
): FedRow[] {
  const cut = rows.map(() => new Set<number>());
  for (const { row, column } of long) cut[row]?.add(column);
  return rows.map((cells, at) => ({ table, number: numbers[at]!, cells, cut: cut[at]! }));
}
