// Two versions of a note that began as one: which lines each of them changed, and a first proposal of both together.

export interface MarkedLine {
  readonly text: string;
  /** Not in the text that both started from. */
  readonly isNew: boolean;
}

/** Lines beyond which two notes are not compared one by one: the comparison takes their product. */
const MOST_COMPARED = 2000;

export function markedLines(base: string, text: string): MarkedLine[] {
  const lines = text.split('\n');
  const common = commonLines(base.split('\n'), lines);
  const old = new Set(common.map(([, at]) => at));
  return lines.map((line, at) => ({ text: line, isNew: !old.has(at) }));
}

/** Both texts in one: what they share once, and where they differ first theirs, then mine. */
export function bothTogether(theirs: string, mine: string): string {
  const a = theirs.split('\n');
  const b = mine.split('\n');
  const lines: string[] = [];
  let [i, j] = [0, 0];
  for (const [atA, atB] of [...commonLines(a, b), [a.length, b.length] as const]) {
    lines.push(...a.slice(i, atA), ...b.slice(j, atB));
    if (atA < a.length) lines.push(a[atA]!);
    [i, j] = [atA + 1, atB + 1];
  }
  return lines.join('\n');
}

/** The longest list of lines that both have in this order, as places in a and in b. */
function commonLines(a: readonly string[], b: readonly string[]): [number, number][] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const pairs: [number, number][] = Array.from({ length: start }, (_, at) => [at, at]);
  const [rows, columns] = [endA - start, endB - start];
  if (rows <= MOST_COMPARED && columns <= MOST_COMPARED) {
    // lengths[i][j]: how many lines the rests from i and j have in common.
    const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
    for (let i = rows - 1; i >= 0; i--) {
      for (let j = columns - 1; j >= 0; j--) {
        lengths[i]![j] =
          a[start + i] === b[start + j]
            ? lengths[i + 1]![j + 1]! + 1
            : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
      }
    }
    for (let [i, j] = [0, 0]; i < rows && j < columns;) {
      if (a[start + i] === b[start + j]) pairs.push([start + i++, start + j++]);
      else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
      else j++;
    }
  }
  for (let at = 0; at < a.length - endA; at++) pairs.push([endA + at, endB + at]);
  return pairs;
}
