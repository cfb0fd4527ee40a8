// A difference in one column: long stretches that are equal are folded, but for a few words around the changes.
import type { DiffPart } from './diff-texts';

export interface FoldedPart {
  readonly kind: DiffPart['kind'] | 'folded';
  readonly text: string;
}

const CONTEXT_CHARS = 300;
/** Shorter ones are shown: a button in their place would be no gain. */
const LEAST_FOLDED_CHARS = 600;

export function foldedParts(parts: readonly DiffPart[]): FoldedPart[] {
  return parts.flatMap((part, place): FoldedPart[] => {
    if (part.kind !== 'same') return [part];
    const { text } = part;
    const head = place === 0 ? 0 : wordEnd(text, CONTEXT_CHARS);
    const tail =
      place === parts.length - 1 ? text.length : wordEnd(text, Math.max(head, text.length - CONTEXT_CHARS));
    if (tail - head < LEAST_FOLDED_CHARS) return [part];
    const pieces: FoldedPart[] = [
      { kind: 'same', text: text.slice(0, head) },
      { kind: 'folded', text: text.slice(head, tail) },
      { kind: 'same', text: text.slice(tail) },
    ];
    return pieces.filter((piece) => piece.text !== '');
  });
}

/** The next place at or behind one where no word is cut. */
function wordEnd(text: string, from: number): number {
  const space = text.slice(from, from + 100).search(/\s/);
  return Math.min(text.length, from + Math.max(0, space));
}
