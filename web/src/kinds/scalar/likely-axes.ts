// Which metric somebody means who wants another x axis: mostly one that counts something.
import { compareNatural } from '../../base/natural-order';

/** The likeliest first. */
const WORDS: readonly RegExp[] = [/epoch/i, /token/i, /sample/i, /step|iter/i];

/** Place among the likely ones; those that are not come last. */
function rankOf(tag: string): number {
  const rank = WORDS.findIndex((word) => word.test(tag));
  return rank === -1 ? WORDS.length : rank;
}

export function likelyAxes(tags: readonly string[]): string[] {
  return [...tags].sort((a, b) => rankOf(a) - rankOf(b) || compareNatural(a, b));
}

/** What to begin with; '': nothing looks like it. */
export function likeliestAxis(tags: readonly string[]): string {
  const [first] = likelyAxes(tags);
  return first !== undefined && rankOf(first) < WORDS.length ? first : '';
}
