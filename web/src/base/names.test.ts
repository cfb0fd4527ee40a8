import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupOf, sharedEnds, shortenName } from './names';

function shorten(...names: string[]): string[] {
  const ends = sharedEnds(names);
  return names.map((name) => shortenName(name, ends));
}

describe('shortened names', () => {
  test('lose the directories that all runs end with', () => {
    expect(shorten('2026-02-10_012/logs/tensorboard', '2026-02-11_003/logs/tensorboard')).toEqual([
      '2026-02-10_012',
      '2026-02-11_003',
    ]);
  });

  test('lose the directories that all runs begin with', () => {
    expect(shorten('exp/a/train', 'exp/a/val', 'exp/b/train')).toEqual(['a/train', 'a/val', 'b/train']);
  });

  test('keep parts of directory names, since a cut word says less than a whole one', () => {
    expect(shorten('model_a', 'model_b')).toEqual(['model_a', 'model_b']);
  });

  test('of a run that lies above the others stay whole', () => {
    expect(shorten('a', 'a/b')).toEqual(['a', 'a/b']);
    expect(shorten('.', './x')).toEqual(['.', './x']);
  });

  test('of a single run stay whole', () => {
    expect(shorten('a/b/c')).toEqual(['a/b/c']);
  });

  test('are never empty and never the same for two runs', () => {
    const part = fc.constantFrom('a', 'b', 'logs', '');
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 6 }), (names) => {
        const short = shorten(...names);
        expect(new Set(short).size).toBe(names.length);
        names.forEach((name, i) => {
          expect(name.split('/').join('/')).toContain(short[i]);
        });
      }),
    );
  });
});

test('a tag’s group is what stands before the first slash', () => {
  expect(groupOf('loss/train/x')).toBe('loss');
  expect(groupOf('loss')).toBe('loss');
  expect(groupOf('/loss/x')).toBe('/loss/x');
});
