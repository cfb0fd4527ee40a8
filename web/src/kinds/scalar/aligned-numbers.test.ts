import { expect, test } from 'vitest';
import { alignedNumbers } from './aligned-numbers';

test('numbers of a column get equally many digits', () => {
  expect(alignedNumbers([0.462, 0.46125, 0.4487], 5)).toEqual(['0.46200', '0.46125', '0.44870']);
});

test('a column of short numbers stays short', () => {
  expect(alignedNumbers([0.001, 0.001], 5)).toEqual(['0.001', '0.001']);
  expect(alignedNumbers([1, 12], 5)).toEqual(['1.0', '12']);
});

test('each number keeps its own magnitude', () => {
  expect(alignedNumbers([12.345, 0.00012345, 1e-9], 5)).toEqual(['12.345', '0.00012345', '1.0000e-9']);
});

test('digits before the point are never cut off', () => {
  expect(alignedNumbers([123456, 0.5], 5)).toEqual(['123456', '0.50000']);
});

test('words for what is not finite, zeros and gaps pass through', () => {
  expect(alignedNumbers([NaN, -Infinity, 0, null, -0.25], 5)).toEqual(['NaN', '-Infinity', '0', '', '-0.25']);
});
