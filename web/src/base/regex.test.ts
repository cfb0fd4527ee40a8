import { describe, expect, test } from 'vitest';
import { compileRegex, isPlainText, textMatcher } from './regex';

describe('compileRegex', () => {
  test('understands JavaScript’s dialect, in any case', () => {
    const { regex } = compileRegex('^(?!.*TEST).*');
    expect(regex?.test('baseline')).toBe(true);
    expect(regex?.test('baseline_test')).toBe(false);
  });

  test('says what is wrong in one short sentence', () => {
    const { regex, error } = compileRegex('(loss');
    expect(regex).toBeNull();
    expect(error).toMatch(/^Not a regular expression: [a-z].*/);
    expect(error).not.toContain('/(loss/');
  });

  test('an empty expression matches everything', () => {
    expect(compileRegex('').regex?.test('anything')).toBe(true);
  });
});

describe('textMatcher', () => {
  test('wants every word, in any order and case', () => {
    const isMatch = textMatcher(' Seed3  base ');
    expect(isMatch('baseline/seed3')).toBe(true);
    expect(isMatch('baseline/seed4')).toBe(false);
  });

  test('takes signs as they are', () => {
    expect(textMatcher('lr=0.1')('lr=0.1')).toBe(true);
    expect(textMatcher('lr=0.1')('lr=0x1')).toBe(false);
  });
});

test('isPlainText knows expressions that mean only themselves', () => {
  expect(isPlainText('train/loss_2')).toBe(true);
  for (const sign of '\\^$.*+?()[]{}|') expect(isPlainText(`a${sign}`)).toBe(false);
});
