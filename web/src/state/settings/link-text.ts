// How text is written in the part of a URL behind the #: as readable as it may be, and back without ever failing.

export interface Pair {
  readonly word: string;
  /** Still encoded. */
  readonly text: string;
}

/** For one item of a list divided by commas. Letters that are allowed behind a # stay as they are. */
export function encodeItem(text: string): string {
  // Halves of a surrogate pair cannot be written in UTF-8; they become the sign for "unreadable".
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /%(2F|3A|40|3F|3B|24)/g,
    decodeURIComponent,
  );
}

/** For a text of its own: commas need no protection. */
export function encodeText(text: string): string {
  return encodeItem(text).replaceAll('%2C', ',');
}

/** Text with a broken %-sequence is taken as it is. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A list divided by commas. */
export function itemsOf(text: string): string[] {
  return text
    .split(',')
    .filter((item) => item !== '')
    .map(decodeText);
}

export function joinItems(items: readonly string[]): string {
  return items.map(encodeItem).join(',');
}

/** JSON is full of signs that a URL has to escape; these stand in for them. Done twice, nothing has changed. */
export function swapSigns(text: string): string {
  const SIGNS = `"'{(})`;
  return text.replace(/["'{}()]/g, (sign) => SIGNS[SIGNS.indexOf(sign) ^ 1]!);
}

/** "#scalars&a=1&b=2": the first part is the dashboard, unless it is a pair itself. null: none is named. */
export function pairsOfHash(hash: string): { dashboard: string | null; pairs: Pair[] } {
  const parts = hash.replace(/^#/, '').split('&');
  const dashboard = parts[0] === '' || parts[0]!.includes('=') ? null : decodeText(parts.shift()!);
  return { dashboard, pairs: parts.flatMap(pairOf) };
}

/** "?a=1&b=2". Here a plus means a space, as in forms. */
export function pairsOfSearch(search: string): Pair[] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .flatMap((part) => pairOf(part.replaceAll('+', '%20')));
}

function pairOf(part: string): Pair[] {
  const equals = part.indexOf('=');
  if (equals <= 0) return [];
  return [{ word: decodeText(part.slice(0, equals)), text: part.slice(equals + 1) }];
}
