import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markdownPart, piecesOf, somePiecesOf } from './pieces';

it('leaves short texts whole', () => {
  expect(piecesOf('a\n\nb', 100)).toEqual(['a\n\nb']);
});

it('cuts at the last empty line', () => {
  expect(piecesOf('one\ntwo\n\nthree\n', 10)).toEqual(['one\ntwo\n\n', 'three\n']);
});

it('does not cut code where the text can be cut before it', () => {
  expect(piecesOf('one one one\n\n```\na\n\nb\n```\n', 20)).toEqual([
    'one one one\n\n',
    '```\na\n\nb\n```\n',
  ]);
});

it('goes on from a place, a few at a time', () => {
  expect(somePiecesOf('one\ntwo\nthree\n', 4, 1, 5)).toEqual(['two\n']);
  expect(somePiecesOf('one\ntwo\nthree\n', 8, 2, 8)).toEqual(['three\n']);
});

it('takes the beginning of a long text for Markdown, up to the end of a line', () => {
  expect(markdownPart('one\n\ntwo\nthree', 11)).toBe('one\n\ntwo\n');
  expect(markdownPart('one', 11)).toBe('one');
});

it('loses nothing, makes no piece longer than it may be, and ends', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\n', '`', '```', '😀', ' '), maxLength: 300 }),
      fc.integer({ min: 4, max: 50 }),
      (text, most) => {
        const pieces = piecesOf(text, most);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(most);
          // No half of a character at either end.
          expect(piece).not.toMatch(/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/);
        }
      },
    ),
  );
});
