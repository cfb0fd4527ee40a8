// What a regular expression picks out of a name.

const SEPARATOR = ' · ';

/** The capture groups that took part, joined; the whole match where there are none; null: no match, or an empty one. */
export function capturedText(regex: RegExp, text: string): string | null {
  const match = regex.exec(text);
  if (match === null) return null;
  const captured =
    match.length > 1
      ? match.slice(1).filter((part) => (part as string | undefined) !== undefined)
      : [match[0]];
  return captured.join(SEPARATOR) || null;
}
