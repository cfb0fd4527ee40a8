// Long Markdown in pieces: each is rendered by itself, one after the other, so that no text, however long or odd, holds up the
// page. They end at empty lines outside of code where there are any.

/** Markdown can be written so that parsing takes quadratic time; of this much the oddest takes a tenth of a second. */
export const PIECE_CHARS = 50_000;

export function piecesOf(text: string, pieceChars = PIECE_CHARS): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > pieceChars) {
    const end = endOfPiece(text, start, start + pieceChars);
    pieces.push(text.slice(start, end));
    start = end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

function endOfPiece(text: string, start: number, limit: number): number {
  let fence: string | null = null;
  let lastBreak = -1;
  let lastLine = -1;
  let at = start;
  while (at < limit) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0 || lineEnd >= limit) break;
    const line = text.slice(at, Math.min(lineEnd, at + 200));
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    at = lineEnd + 1;
    lastLine = at;
    if (fence === null && line.trim() === '') lastBreak = at;
  }
  // A break in the first half would make pieces without end.
  if (lastBreak > start + (limit - start) / 2) return lastBreak;
  if (lastLine > start) return lastLine;
  // Not between the halves of one character.
  return /[\uD800-\uDBFF]/.test(text[limit - 1]!) ? limit - 1 : limit;
}
