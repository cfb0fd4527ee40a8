import { lineOfTag } from '../../../board/cards/card-spec';
import { expect, test } from 'vitest';
import { countMatches, matchesGlob, namesOn, ruleFor, union } from './y-rules';

test.each([
  ['loss', 'loss', true],
  ['loss', 'train/loss', false],
  ['*loss', 'train/loss', true],
  ['train/*', 'train/loss', true],
  ['train/*', 'val/train/loss', false],
  ['*/loss/*', 'a/loss/b', true],
  ['a*b*c', 'axxbyyc', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['*', '', true],
  ['**', 'anything', true],
  ['a.c', 'abc', false],
  ['[a]*', '[a]b', true],
  ['Loss', 'loss', false],
] as const)('%s and %s', (pattern, name, isMatch) => {
  expect(matchesGlob(pattern, name)).toBe(isMatch);
});

test('a hostile pattern ends soon', () => {
  expect(matchesGlob(`${'*a'.repeat(5000)}b`, 'a'.repeat(20_000))).toBe(false);
});

test('the first rule that matches counts', () => {
  const rules = [
    { pattern: 'val/*', range: [0, 1] },
    { pattern: '*loss', range: null },
  ] as const;
  expect(ruleFor(rules, ['val/loss'])).toBe(rules[0]);
  expect(ruleFor(rules, ['train/loss'])).toBe(rules[1]);
  expect(ruleFor(rules, ['accuracy'])).toBeNull();
});

test('lines are looked at by their axis, formulas too', () => {
  const right = { ...lineOfTag(''), formula: 'a - b', axis: 'right' } as const;
  const spec = { lines: [lineOfTag('loss'), right] };
  expect(namesOn(spec, 'left')).toEqual(['loss']);
  expect(namesOn(spec, 'right')).toEqual(['a - b']);
});

test('a card is counted at the rule that it follows, once', () => {
  const rules = [
    { pattern: 'val/*', range: null },
    { pattern: '*', range: null },
  ];
  const spec = (...tags: string[]) => ({ lines: tags.map(lineOfTag) });
  expect(countMatches(rules, [spec('val/a'), spec('a'), spec('b', 'c')])).toEqual([1, 2]);
});

test('limits that fit all', () => {
  expect(
    union([
      [0, 1],
      [-2, 0.5],
    ]),
  ).toEqual([-2, 1]);
  expect(union([])).toBeNull();
});
