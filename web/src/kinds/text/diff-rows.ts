// A difference by lines as rows of two columns: what was on the left of what is; equal stretches are folded.
import type { DiffPart } from './diff-texts';

export interface DiffLine {
  readonly number: number;
  readonly text: string;
}

export type DiffRow =
  | { readonly kind: 'same' | 'changed'; readonly left: DiffLine | null; readonly right: DiffLine | null }
  | { readonly kind: 'folded'; readonly rows: readonly DiffRow[] };

/** Equal lines that stay in sight around a change. */
export const CONTEXT_LINES = 3;

export function diffRows(parts: readonly DiffPart[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let left = 1;
  let right = 1;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.kind === 'same') {
      const same = linesOf(part.text).map((text): DiffRow => {
        return { kind: 'same', left: { number: left++, text }, right: { number: right++, text } };
      });
      rows.push(...folded(same, at > 0, at < parts.length - 1));
      continue;
    }
    // What was taken out stands beside what was put in.
    const next = parts[at + 1];
    const isPair = next !== undefined && next.kind !== 'same' && next.kind !== part.kind;
    const both = isPair ? [part, next] : [part];
    if (isPair) at++;
    const removed = linesOf(both.find(({ kind }) => kind === 'removed')?.text ?? '');
    const added = linesOf(both.find(({ kind }) => kind === 'added')?.text ?? '');
    for (let line = 0; line < Math.max(removed.length, added.length); line++)
      rows.push({
        kind: 'changed',
        left: line < removed.length ? { number: left++, text: removed[line]! } : null,
        right: line < added.length ? { number: right++, text: added[line]! } : null,
      });
  }
  return rows;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function folded(rows: DiffRow[], hasBefore: boolean, hasAfter: boolean): DiffRow[] {
  const head = hasBefore ? CONTEXT_LINES : 0;
  const tail = hasAfter ? CONTEXT_LINES : 0;
  if (rows.length <= head + tail + 3) return rows;
  const inner = rows.slice(head, rows.length - tail);
  return [...rows.slice(0, head), { kind: 'folded', rows: inner }, ...rows.slice(rows.length - tail)];
}
