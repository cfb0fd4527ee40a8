// What keys do in the run table, and what hints say, is fetched beside the first view.
import type * as TableInput from './table-input';

export const tableCode: { input: typeof TableInput | null } = { input: null };

export async function loadTableInput(): Promise<void> {
  tableCode.input ??= await import('./table-input');
}
