import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNatural } from './natural-order';

const sorted = (...names: string[]): string[] => [...names].sort(compareNatural);
const name = fc.string({
  unit: fc.constantFrom('a', 'B', 'b', '0', '1', '9', '_', '/', '.', 'é'),
  maxLength: 8,
});

describe('compareNatural', () => {
  test('counts as people do', () => {
    expect(sorted('run10', 'run2', 'run1')).toEqual(['run1', 'run2', 'run10']);
    expect(sorted('v1.10', 'v1.9')).toEqual(['v1.9', 'v1.10']);
  });

  test('numbers too long for a float are still compared exactly', () => {
    expect(sorted('a10000000000000000000001', 'a10000000000000000000000')).toEqual([
      'a10000000000000000000000',
      'a10000000000000000000001',
    ]);
  });

  test('zeros in front keep directories apart', () => {
    const names = ['lr0.01/a', 'lr0.01/b', 'lr0.1/a', 'lr0.1/b'];
    expect(sorted(names[2]!, names[1]!, names[3]!, names[0]!)).toEqual(names);
  });

  test('upper and lower case stand together', () => {
    expect(sorted('loss', 'Acc', 'Loss', 'acc')).toEqual(['Acc', 'acc', 'Loss', 'loss']);
  });

  test('is a total order: only the same name is equal', () => {
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(Math.sign(compareNatural(a, b)) + Math.sign(compareNatural(b, a))).toBe(0);
        expect(compareNatural(a, b) === 0).toBe(a === b);
        if (compareNatural(a, b) <= 0 && compareNatural(b, c) <= 0) {
          expect(compareNatural(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
