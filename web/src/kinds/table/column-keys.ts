// What tells the columns of a table apart in orders, filters, links and menus. Runs have other columns at the same places, so it is the
// name; of several with one name (the server cuts them at a thousand characters) the later ones have a number behind it. The first has
// the name alone, as in links from before there were numbers.
import type { TableColumn } from '../../wire/client';

export interface KeyedColumn extends TableColumn {
  /** No other column of the table has it. */
  readonly key: string;
}

export function keyed(columns: readonly TableColumn[]): readonly KeyedColumn[] {
  const taken = new Set(columns.map(({ name }) => name));
  const counts = new Map<string, number>();
  return columns.map((column) => {
    let count = (counts.get(column.name) ?? 0) + 1;
    // A column may be called like the second one of another name.
    while (count > 1 && taken.has(numbered(column.name, count))) count += 1;
    counts.set(column.name, count);
    const key = count === 1 ? column.name : numbered(column.name, count);
    taken.add(key);
    return { ...column, key };
  });
}

function numbered(name: string, count: number): string {
  return `${name} #${count}`;
}

/** For people. */
export function labelOf({ name, key }: KeyedColumn): string {
  return name === '' ? `(no name)${key}` : key;
}
