// Where the cells of a table are to be had whole: by the table that their row came from, which is not the one that the tile is
// asked for while that is still on its way.
import { itemPath } from '../../board/tiles/addresses';
import { textOfCell } from './grid-window';
import type { FedRow } from './table-feed.svelte';

interface Getter {
  get(path: string): Promise<Response>;
}

export class CellSource {
  readonly #client: Getter;

  constructor(client: Getter) {
    this.#client = client;
  }

  picturePath(row: FedRow, column: number, more = {}): string {
    return pathOf('tables/image', row, column, more);
  }

  /** As it was logged. */
  async picture(row: FedRow, column: number): Promise<Blob> {
    return (await this.#client.get(this.picturePath(row, column))).blob();
  }

  async wholeText(row: FedRow, column: number): Promise<string> {
    if (!row.cut.has(column)) return textOfCell(row.cells[column] ?? null);
    const answer = await this.#client.get(pathOf('tables/cell', row, column));
    return await answer.text();
  }
}

function pathOf(route: string, { number, table }: FedRow, column: number, more = {}): string {
  return itemPath(route, table.address, { row: number, column, server_id: table.serverId, ...more });
}
