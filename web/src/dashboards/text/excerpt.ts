// The words around a place that was found, as far as a row has room for them.

const MOST_CHARS_BEFORE = 40;

/** The last words before the place, from the beginning of one of them. */
export function lastWords(before: string): string {
  if (before.length <= MOST_CHARS_BEFORE) return before;
  const end = before.slice(-MOST_CHARS_BEFORE);
  // A long word, or a language without spaces: somewhere within it, but not within a letter.
  return `…${/\s(\S.*)$/s.exec(end)?.[1] ?? end.replace(/^[\uDC00-\uDFFF]/, '')}`;
}
