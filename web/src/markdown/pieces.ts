// Long texts in pieces: each is shown by itself, one after the other, so that no text, however long or odd, holds up the page.
// They end at empty lines outside of code where there are any.

/** Markdown can be written so that parsing takes quadratic time; of this much the oddest takes a tenth of a second. */
export const PIECE_CHARS = 50_000;
/** More of one text than this is shown as it was typed. */
export const MARKDOWN_CHARS = 4 * PIECE_CHARS;

export function piecesOf(text: string, pieceChars = PIECE_CHARS): string[] {
  return somePiecesOf(text, 0, Infinity, pieceChars);
}

/** At most so many, from a place on. */
export function somePiecesOf(text: string, from: number, most: number, pieceChars: number): string[] {
  const pieces: string[] = [];
  let start = from;
  while (pieces.length < most && text.length - start > pieceChars) {
    const end = endOfPiece(text, start, start + pieceChars);
    pieces.push(text.slice(start, end));
    start = end;
  }
  if (pieces.length < most) pieces.push(text.slice(start));
  return pieces;
}

/** As much of the beginning as is shown as Markdown. */
export function markdownPart(text: string, mostChars = MARKDOWN_CHARS): string {
  return text.length <= mostChars ? text : text.slice(0, endOfPiece(text, 0, mostChars));
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

function endOfPiece(text: string, start: number, limit: number): number {
  // A look for the end of a line does not go beyond it, however long that is.
  const piece = text.slice(start, limit);
  let fence: string | null = null;
  let lastBreak = -1;
  let lastLine = -1;
  let at = 0;
  for (;;) {
    const lineEnd = piece.indexOf('\n', at);
    if (lineEnd < 0) break;
    const line = piece.slice(at, Math.min(lineEnd, at + 200));
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    at = lineEnd + 1;
    lastLine = at;
    if (fence === null && line.trim() === '') lastBreak = at;
  }
  // A break in the first half would make pieces without end.
  if (lastBreak > piece.length / 2) return start + lastBreak;
  if (lastLine > 0) return start + lastLine;
  // Not between the halves of one character.
  return /[\uD800-\uDBFF]$/.test(piece) ? limit - 1 : limit;
}
