import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCompact, formatExact, formatInteger, formatValue } from './format';

describe('formatExact', () => {
  test('can be read back to the same number', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(Object.is(Number(formatExact(value)), value)).toBe(true);
      }),
    );
  });

  test('has words for what is not finite', () => {
    expect([NaN, Infinity, -Infinity].map(formatExact)).toEqual(['NaN', 'Infinity', '-Infinity']);
  });
});

describe('formatValue', () => {
  test.each([
    [0, '0'],
    [0.123456, '0.1235'],
    [12.3456, '12.35'],
    [123456.7, '123457'],
    [0.00001234, '1.234e-5'],
    [1.5e7, '1.5e7'],
    [-3.5, '-3.5'],
    [100, '100'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
  ])('%s is written %s', (value, text) => {
    expect(formatValue(value)).toBe(text);
  });

  test('is right to the digits that it shows', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (value) => {
        const error = Math.abs(Number(formatValue(value, 4)) - value);
        expect(error).toBeLessThanOrEqual(Math.abs(value) * 0.001 + Number.MIN_VALUE);
      }),
    );
  });
});

describe('formatCompact and formatInteger', () => {
  test.each([
    [950, '950'],
    [12_000, '12k'],
    [12_340, '12.3k'],
    [999_999, '1M'],
    [1_250_000, '1.25M'],
    [3e9, '3G'],
    [-4_000, '-4k'],
    [2e15, '2e15'],
  ])('%s is %s in short', (value, text) => {
    expect(formatCompact(value)).toBe(text);
  });

  test('whole numbers keep every digit', () => {
    expect(formatInteger(1_234_567)).toBe('1,234,567');
    expect(formatInteger(-1_234)).toBe('-1,234');
    expect(formatInteger(0)).toBe('0');
  });
});
