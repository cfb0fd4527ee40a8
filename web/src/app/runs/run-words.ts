// Small words that several dialogs about runs share.
import { formatInteger } from '../../base/format';

/** "1 file", "1,200 files". */
export function countOf(count: number, what: string): string {
  return `${formatInteger(count)} ${what}${count === 1 ? '' : 's'}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
