import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatEnds } from './format-ends';

test.each([
  [-1.23456, 1.23456, ['-1.235', '1.235']],
  [0, 1e7, ['0', '1e7']],
  [5, 5, ['5', '5']],
  [0.1, 0.1, ['0.1', '0.1']],
  [1e6, 1e6 + 2, ['1000000', '1000002']],
  [1e9, 1e9 + 5, ['1000000000', '1000000005']],
  [1e6 - 0.25, 1e6 + 0.5, ['999999.75', '1000000.5']],
  [-12.34501, -12.345, ['-12.34501', '-12.345']],
  [1e20, 1.00001e20, ['1e20', '1.00001e20']],
  [1e-9, 1.00002e-9, ['1e-9', '1.00002e-9']],
  [-1.7e308, 1.7e308, ['-1.7e308', '1.7e308']],
  [1.7975e308, 1.7976e308, ['1.7975e308', '1.7976e308']],
  [2, 1, ['2', '1']],
  [NaN, 1, ['NaN', '1']],
  [-Infinity, Infinity, ['-Infinity', 'Infinity']],
])('%s and %s are written %s', (low, high, texts) => {
  expect(formatEnds(low, high)).toEqual(texts);
});

test('digits that are asked for are enough for most', () => {
  expect(formatEnds(-0.51234, 12.3456, 3)).toEqual(['-0.512', '12.3']);
});

test('different ends are never written alike, however near', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
      fc.pre(a !== b);
      const [low, high] = formatEnds(a, b);
      expect(low).not.toBe(high);
    }),
    { examples: [[1.7975000000000001e308, 1.7975000000000003e308]] },
  );
});
