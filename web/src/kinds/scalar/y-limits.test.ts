import { expect, test } from 'vitest';
import { limitsFromTyped } from './y-limits';

test('two numbers are a range', () => {
  expect(limitsFromTyped(' -1e-3', '2', [0, 1], 'linear')).toEqual({ ok: true, range: [-0.001, 2] });
});

test('a minus sign from a word processor is one', () => {
  expect(limitsFromTyped('−2', '2', [0, 1], 'linear')).toEqual({ ok: true, range: [-2, 2] });
});

test('an end that was left open takes what the chart shows', () => {
  expect(limitsFromTyped('0', '', [0.4, 0.9], 'linear')).toEqual({ ok: true, range: [0, 0.9] });
});

test('nothing typed means fitting again', () => {
  expect(limitsFromTyped('', ' ', [0.4, 0.9], 'linear')).toEqual({ ok: true, range: null });
});

test.each([
  ['abc', '1', 'linear', 'not a number'],
  ['0', 'Infinity', 'linear', 'not a number'],
  ['2', '1', 'linear', 'below the upper'],
  ['0', '1', 'log', 'log scale'],
] as const)('%s to %s on a %s axis is refused with a reason', (low, high, scale, reason) => {
  const limits = limitsFromTyped(low, high, [0, 1], scale);
  expect(limits.ok ? '' : limits.error).toContain(reason);
});

test('an open end that makes the range impossible is named in the reason', () => {
  const limits = limitsFromTyped('5', '', [0, 1], 'linear');
  expect(limits.ok ? '' : limits.error).toContain('5 to 1');
});
