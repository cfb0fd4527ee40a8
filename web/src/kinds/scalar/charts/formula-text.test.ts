import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formulaOffers, FUNCTIONS, tagInFormula } from './formula-text';

const TAGS = ['train/loss', 'val/loss', 'val-acc', 'acc (%)', 'exp', '2'];

/** `|` is the caret. */
function offered(text: string) {
  const caret = text.indexOf('|');
  const formula = text.replace('|', '');
  const { from, to, items } = formulaOffers(formula, caret, TAGS);
  return items.map(({ insert }) => formula.slice(0, from) + insert + formula.slice(to));
}

test('the functions are those of the documentation', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../../docs/formulas.md'), 'utf8');
  const [, section = ''] = /## Functions\n(.*?)\n## /s.exec(text) ?? [];
  const rows = section.split('\n').filter((row) => row.startsWith('| `'));
  const documented = rows.flatMap((row) => [...row.matchAll(/`([a-z]\w*)\(/g)].map(([, name]) => name));
  expect(FUNCTIONS.map(({ name }) => name).sort()).toEqual([...new Set(documented)].sort());
});

describe('what could come next', () => {
  test('tags by any of their letters', () => {
    expect(offered('vloss|')[0]).toBe('val/loss');
    expect(offered('train/loss - va|').slice(0, 2).sort()).toEqual([
      'train/loss - `val-acc`',
      'train/loss - val/loss',
    ]);
  });

  test('functions by their beginning, with the bracket', () => {
    expect(offered('em|')).toContain('ema(');
    expect(offered('ema(train/lo|')).toEqual(['ema(train/loss']);
  });

  test('a second name behind an operator that could be a part of the first', () => {
    expect(offered('train/loss-val/lo|')).toContain('train/loss-val/loss');
  });

  test('what is in quotes stays in quotes', () => {
    expect(offered('`acc|')).toContain('`acc (%)`');
    expect(offered('"val-a|')).toContain('`val-acc`');
  });

  test('nothing for numbers, after spaces, or what is there already', () => {
    expect(offered('train/loss * 2|')).toEqual([]);
    expect(offered('train/loss |')).toEqual([]);
    expect(offered('train/loss|')).toEqual([]);
  });

  test('what stands behind the caret is kept', () => {
    expect(offered('tra| - val/loss')).toEqual(['train/loss - val/loss']);
  });
});

test('names are quoted where they could be read as something else', () => {
  expect(TAGS.map(tagInFormula)).toEqual([
    'train/loss',
    'val/loss',
    '`val-acc`',
    '`acc (%)`',
    '`exp`',
    '`2`',
  ]);
  expect(tagInFormula('a`b')).toBe('`a``b`');
});
