import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedParts } from './diff-folds';
import { diffTexts } from './diff-texts';

const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'word '), maxLength: 80 });

describe('a difference', () => {
  it('has both texts in it, whatever they are and however coarse it is', () => {
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.constantFrom('words', 'lines'),
        fc.constantFrom(0, 1, 1000),
        (a, b, level, most) => {
          const { parts } = diffTexts(a, b, level, most);
          const without = (kind: string): string =>
            parts
              .filter((part) => part.kind !== kind)
              .map(({ text }) => text)
              .join('');
          expect(without('added')).toBe(a);
          expect(without('removed')).toBe(b);
        },
      ),
    );
  });

  it('counts words and lines', () => {
    expect(diffTexts('one two three', 'one 2 three four', 'words')).toMatchObject({ added: 2, removed: 1 });
    expect(diffTexts('a\nb\nc\n', 'a\nc\nd\ne\n', 'lines')).toMatchObject({ added: 2, removed: 1 });
  });

  it('counts lines when words are too many to tell apart', () => {
    const [before, after] = ['one two three', 'four five six seven'];
    expect(diffTexts(before, after, 'words')).toMatchObject({ level: 'words', added: 4, removed: 3 });
    expect(diffTexts(before, after, 'words', 2)).toMatchObject({
      level: 'lines',
      added: 1,
      removed: 1,
      isCoarse: true,
    });
    // Not even lines: only the ends are told apart.
    expect(diffTexts(`${before}\n${before}`, `${after}\n${after}`, 'words', 0)).toMatchObject({
      level: 'lines',
      added: 2,
      removed: 2,
    });
  });

  it('says when it is coarse', () => {
    const before = 'same\n' + 'x y z\n'.repeat(50) + 'end\n';
    const after = 'same\n' + 'p q\nr\n'.repeat(50) + 'end\n';
    const found = diffTexts(before, after, 'lines', 3);
    expect(found.isCoarse).toBe(true);
    expect(found.parts.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
    expect(diffTexts(before, before, 'lines', 3).isCoarse).toBe(false);
  });
});

it('long equal stretches are folded and nothing is lost', () => {
  const same = 'word '.repeat(500);
  const parts = foldedParts([
    { kind: 'same', text: same },
    { kind: 'added', text: 'x' },
    { kind: 'same', text: same },
  ]);
  expect(parts.map(({ kind }) => kind)).toEqual(['folded', 'same', 'added', 'same', 'folded']);
  expect(parts.map(({ text }) => text).join('')).toBe(`${same}x${same}`);
});
