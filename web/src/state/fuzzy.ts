// Finds things by a few letters of their name, as in editors: the letters have to appear in this order, and count more
// at the beginning of words and next to each other. Good for lists of hundreds, as in the command palette.

const START_OF_WORD = 8;
const NEXT_TO_EACH_OTHER = 10;
const START_OF_TEXT = 4;
const PER_GAP = 0.2;

/** Those that fit, the best first; all of them without a query. */
export function fuzzyFound(
  query: string,
  names: readonly string[],
  textOf = (name: string) => name,
): readonly string[] {
  if (query.trim() === '') return names;
  const scored = names.map((name) => ({ name, score: fuzzyScore(query, textOf(name)) }));
  const fitting = scored.filter((one): one is { name: string; score: number } => one.score !== null);
  return fitting.sort((a, b) => b.score - a.score).map(({ name }) => name);
}

/** Greater is better; null: does not fit. An empty query fits everything equally. */
export function fuzzyScore(query: string, text: string): number | null {
  const letters = query.toLowerCase().replace(/\s+/g, '');
  if (letters === '') return 0;
  const lower = text.toLowerCase();
  // Best score of the letters so far, ending exactly at place i of the text.
  let best = new Array<number>(lower.length).fill(-Infinity);
  for (let n = 0; n < letters.length; n++) {
    const row = new Array<number>(lower.length).fill(-Infinity);
    // Best of the previous letter before place i, less what the gap costs by now.
    let carried = -Infinity;
    for (let i = 0; i < lower.length; i++) {
      if (lower[i] === letters[n]) {
        const from =
          n === 0 ? -i * PER_GAP : Math.max(carried, i > 0 ? best[i - 1]! + NEXT_TO_EACH_OTHER : -Infinity);
        if (from > -Infinity) row[i] = from + 1 + placeBonus(text, i);
      }
      carried = Math.max(carried, best[i]!) - PER_GAP;
    }
    best = row;
  }
  const score = best.reduce((a, b) => Math.max(a, b), -Infinity);
  return score > -Infinity ? score : null;
}

function placeBonus(text: string, i: number): number {
  if (i === 0) return START_OF_WORD + START_OF_TEXT;
  const before = text[i - 1]!;
  const isWordStart = /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[i]!));
  return isWordStart ? START_OF_WORD : 0;
}
