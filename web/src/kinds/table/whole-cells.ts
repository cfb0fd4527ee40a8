// Where the cells of a table are to be had whole: by the table that their row came from, which is not the one that the tile is
// asked for while that is still on its way.
import { itemPath } from '../../board/tiles/addresses';
import type { Client } from '../../wire/client';
import { textOfCell } from './grid-window';
import type { FedRow } from './table-feed.svelte';

type Getter = Pick<Client, 'get'>;

export function picturePath(row: FedRow, column: number, more = {}): string {
  return pathOf('tables/image', row, column, more);
}

/** As it was logged. */
export async function pictureOf(client: Getter, row: FedRow, column: number): Promise<Blob> {
  return (await client.get(picturePath(row, column))).blob();
}

export async function wholeTextOf(client: Getter, row: FedRow, column: number): Promise<string> {
  if (!row.cut.has(column)) return textOfCell(row.cells[column] ?? null);
  return (await client.get(pathOf('tables/cell', row, column))).text();
}

function pathOf(route: string, { number, table }: FedRow, column: number, more = {}): string {
  return itemPath(route, table.address, { row: number, column, server_id: table.serverId, ...more });
}
