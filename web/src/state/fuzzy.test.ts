import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzyScore } from './fuzzy';

const best = (query: string, ...texts: string[]): string | undefined =>
  texts
    .map((text) => ({ text, score: fuzzyScore(query, text) }))
    .filter((one): one is { text: string; score: number } => one.score !== null)
    .sort((a, b) => b.score - a.score)[0]?.text;

describe('fuzzyScore', () => {
  test('prefers beginnings of words', () => {
    expect(best('rz', 'Resize columns', 'Reset zoom', 'Authorize')).toBe('Reset zoom');
  });

  test('prefers letters that stand together', () => {
    expect(best('log', 'Linear or global', 'Log y axis')).toBe('Log y axis');
  });

  test('wants the letters in order', () => {
    expect(fuzzyScore('ba', 'ab')).toBeNull();
    expect(fuzzyScore('toolong', 'too')).toBeNull();
  });

  test('does not mind spaces and case', () => {
    expect(fuzzyScore('Dark Theme', 'dark theme')).toBe(fuzzyScore('darktheme', 'dark theme'));
  });

  test('finds every text by letters left out of it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.infiniteStream(fc.boolean()), (text, keep) => {
        // Lower-casing may change the length of some letters; those are beside the point.
        fc.pre(text.toLowerCase().length === text.length);
        const query = [...Array(text.length).keys()]
          .filter(() => keep.next().value as boolean)
          .map((i) => text[i]);
        expect(fuzzyScore(query.join(''), text)).not.toBeNull();
      }),
    );
  });
});
