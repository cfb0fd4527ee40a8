// Finds things by a few letters of their name, as in editors: the letters have to appear in this order, and count more
// at the beginning of words and next to each other. Good for lists of hundreds, as in the command palette.
import type { Command } from './commands.svelte';

const START_OF_WORD = 8;
const NEXT_TO_EACH_OTHER = 10;
const START_OF_TEXT = 4;
const PER_GAP = 0.2;

/** Greater is better; null: does not fit. An empty query fits everything equally. */
export function fuzzyScore(query: string, text: string): number | null {
  const letters = query.toLowerCase().replace(/\s+/g, '');
  if (letters === '') return 0;
  const lower = text.toLowerCase();
  if (!mayFit(letters, lower)) return null;
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

/** Whether the letters appear in this order at all: a quick look, for lists of ten thousand. */
function mayFit(letters: string, text: string): boolean {
  let at = 0;
  for (let i = 0; i < text.length && at < letters.length; i++) if (text[i] === letters[at]) at++;
  return at === letters.length;
}

/** What fits, best first; of equal scores the shorter name is the closer one. All in their order for an empty query. */
export function fuzzyRanked<T>(
  query: string,
  items: readonly T[],
  nameOf: (item: T) => string,
): { readonly item: T; readonly score: number }[] {
  const scored = items.map((item) => ({ item, score: fuzzyScore(query, nameOf(item)) }));
  const fitting = scored.filter((one): one is { item: T; score: number } => one.score !== null);
  if (query.trim() === '') return fitting;
  return fitting.sort((a, b) => b.score - a.score || nameOf(a.item).length - nameOf(b.item).length);
}

function placeBonus(text: string, i: number): number {
  if (i === 0) return START_OF_WORD + START_OF_TEXT;
  const before = text[i - 1]!;
  const isWordStart = /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[i]!));
  return isWordStart ? START_OF_WORD : 0;
}

/** Available commands that fit, best first; all available ones in their order for an empty query. */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
  const available = commands.filter((command) => command.isAvailable?.() ?? true);
  const scored = available.flatMap((command) => {
    const inTitle = fuzzyScore(query, command.title);
    // "view zoom" finds "Reset zoom" of the group View, but behind everything whose title fits.
    const inBoth = fuzzyScore(query, `${command.group} ${command.title}`);
    if (inTitle !== null) return [{ command, score: inTitle, isTitle: true }];
    return inBoth === null ? [] : [{ command, score: inBoth, isTitle: false }];
  });
  scored.sort((a, b) => Number(b.isTitle) - Number(a.isTitle) || b.score - a.score);
  return scored.map(({ command }) => command);
}
