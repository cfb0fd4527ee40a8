// What people type into the filters below the heads of a table's columns.
import type { TableColumn, TableFilter } from '../../wire/client';

/** As typed: a text, or bounds of numbers. */
export interface TypedFilter {
  readonly text: string;
  readonly least: string;
  readonly greatest: string;
}

export const NO_FILTER: TypedFilter = { text: '', least: '', greatest: '' };

export function hasBounds({ type }: TableColumn): boolean {
  return type === 'number';
}

export function isFilterable({ type }: TableColumn): boolean {
  return type !== 'image';
}

/** The part of a filter that a column of this type has fields for. Columns of one name may be texts at one step and numbers at another:
 * nothing filters that nobody can see, and what was typed is there again. */
export function fitting(filter: TypedFilter, column: TableColumn): TypedFilter {
  if (hasBounds(column)) return { ...filter, text: '' };
  return isFilterable(column) ? { ...NO_FILTER, text: filter.text } : NO_FILTER;
}

/** A bound as typed; undefined: it is no number. */
export function boundOf(text: string): number | null | undefined {
  const trimmed = text.trim().replace(/[−–]/g, '-');
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/** What the server is asked for. What is no number bounds nothing. */
export function filtersFrom(typed: ReadonlyMap<number, TypedFilter>): TableFilter[] {
  return [...typed.entries()]
    .map(([column, { text, least, greatest }]) => ({
      ...{ column, text },
      least: boundOf(least) ?? null,
      greatest: boundOf(greatest) ?? null,
    }))
    .filter(({ text, least, greatest }) => text !== '' || least !== null || greatest !== null)
    .sort((a, b) => a.column - b.column);
}
