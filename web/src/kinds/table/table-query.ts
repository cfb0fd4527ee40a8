// What is asked of the server for a table, by its columns and how it is looked at.
import { messageOf } from '../../base/format';
import { saveBlob, saveUrl } from '../../widgets/save-file';
import type { MenuItem } from '../../widgets/menu-item';
import type { Page } from '../../state/page.svelte';
import { itemPath } from '../../board/tiles/addresses';
import type { KeyedColumn } from './column-keys';
import { filtersFrom, fitting } from './filters';
import type { TableQuery } from './table-feed.svelte';
import type { TableView } from './table-view';

/** Search, filters and order; those of columns that the table lacks are left out. */
export function viewQuery(
  { text, sort, filters }: Pick<TableView, 'text' | 'sort' | 'filters'>,
  columns: readonly KeyedColumn[],
): Pick<TableQuery, 'text' | 'filters' | 'sortBy' | 'isDescending'> {
  const positions = new Map(columns.map(({ key }, position) => [key, position]));
  const sortBy = sort === null ? undefined : positions.get(sort.column);
  const typed = [...filters].flatMap(([key, filter]) => {
    const position = positions.get(key);
    return position === undefined ? [] : [[position, fitting(filter, columns[position]!)] as const];
  });
  return {
    ...{ text: text.trim(), filters: filtersFrom(new Map(typed)) },
    ...{ sortBy: sortBy ?? null, isDescending: sortBy !== undefined && sort!.isDescending },
  };
}

/** Files of the rows as shown, and of the whole table. */
export function tableDownloads(
  page: Pick<Page, 'client' | 'announce'>,
  query: TableQuery,
  isNarrowed: boolean,
): MenuItem[] {
  const { address, serverId, text, filters, sortBy, isDescending } = query;
  const saveWhole = (isExact: boolean): void => {
    const path = itemPath('tables/export', address, { server_id: serverId, is_exact: isExact });
    saveUrl(page.client.url(path));
  };
  const saveShown = async (): Promise<void> => {
    try {
      const answer = await page.client.post('tables/export', {
        ...address,
        ...{ server_id: serverId, text, filters, sort_by: sortBy, is_descending: isDescending },
      });
      const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
      saveBlob(await answer.blob(), name ?? 'table.csv');
    } catch (error) {
      page.announce(`The table could not be downloaded: ${messageOf(error)}`);
    }
  };
  const isOther = isNarrowed || sortBy !== null;
  return [
    { label: isOther ? 'Rows as shown, as CSV' : 'Table as CSV', run: () => void saveShown() },
    ...(isOther ? [{ label: 'Whole table as CSV', run: () => saveWhole(false) }] : []),
    { label: 'Whole table as CSV, texts exactly as logged', run: () => saveWhole(true) },
  ];
}
