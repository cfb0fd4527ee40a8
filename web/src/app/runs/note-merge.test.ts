import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bothTogether, markedLines } from './note-merge';

describe('two versions of a note', () => {
  it('have their own lines marked', () => {
    expect(markedLines('a\nb\nc', 'a\nB\nc\nd')).toEqual([
      { text: 'a', isNew: false },
      { text: 'B', isNew: true },
      { text: 'c', isNew: false },
      { text: 'd', isNew: true },
    ]);
  });

  it('are put together with what they share once, theirs first where they differ', () => {
    expect(bothTogether('a\nyours\nc', 'a\nmine\nc\nd')).toBe('a\nyours\nmine\nc\nd');
    expect(bothTogether('same', 'same')).toBe('same');
    expect(bothTogether('', 'x')).toBe('\nx');
  });

  it('lose no line of either, whatever they say', () => {
    const note = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(note, note, (theirs, mine) => {
        const both = bothTogether(theirs, mine).split('\n');
        for (const text of [theirs, mine]) {
          let at = -1;
          for (const line of text.split('\n')) {
            at = both.indexOf(line, at + 1);
            expect(at).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });

  it('of very many lines are put together all the same', () => {
    const theirs = Array.from({ length: 5000 }, (_, i) => `t${i}`).join('\n');
    const mine = Array.from({ length: 5000 }, (_, i) => `m${i}`).join('\n');
    expect(bothTogether(theirs, mine).split('\n')).toHaveLength(10_000);
  });
});
