// Where the cells of one table are to be had whole.
import type { Page } from '../../state/page.svelte';
import { itemPath, type ItemAddress } from '../addresses';
import { textOfCell } from './grid-window';
import type { FedRow } from './table-feed.svelte';

export class CellSource {
  readonly #page: Pick<Page, 'client' | 'runs'>;
  readonly #address: () => ItemAddress;

  constructor(page: Pick<Page, 'client' | 'runs'>, address: () => ItemAddress) {
    this.#page = page;
    this.#address = address;
  }

  picturePath(row: FedRow, column: number, more = {}): string {
    return this.#path('tables/image', row, column, more);
  }

  async wholeText(row: FedRow, column: number): Promise<string> {
    if (!row.cut.has(column)) return textOfCell(row.cells[column] ?? null);
    const answer = await this.#page.client.get(this.#path('tables/cell', row, column));
    return await answer.text();
  }

  #path(route: string, { number }: FedRow, column: number, more = {}): string {
    return itemPath(route, this.#address(), {
      ...{ row: number, column, server_id: this.#page.runs.serverId },
      ...more,
    });
  }
}
