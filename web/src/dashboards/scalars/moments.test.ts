import { expect, test } from 'vitest';
import { formatMoment, formatSpan } from './moments';

test.each([
  [0, '0.00s'],
  [12.34, '12.3s'],
  [59.97, '1m 00s'],
  [192, '3m 12s'],
  [7500, '2h 05m'],
  [273600, '3d 04h'],
  [-5, '−5.00s'],
  [NaN, '–'],
])('a span of %f seconds is %s', (spanS, text) => {
  expect(formatSpan(spanS)).toBe(text);
});

test('a moment that is no time is a dash', () => {
  expect(formatMoment(NaN)).toBe('–');
  expect(formatMoment(1e30)).toBe('–');
});

test('a moment has the day and the second', () => {
  expect(formatMoment(1770732202)).toMatch(/Feb.* \d\d:\d\d:22$/);
});
