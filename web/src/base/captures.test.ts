import { expect, test } from 'vitest';
import { capturedText } from './captures';

test('what groups captured is joined; without groups the match counts; nothing at all is no group', () => {
  expect(capturedText(/(lr[\d.]+).*(seed\d)/, 'a_lr0.1_x_seed3')).toBe('lr0.1 · seed3');
  expect(capturedText(/lr[\d.]+/, 'a_lr0.1_x')).toBe('lr0.1');
  expect(capturedText(/(a)|(b)/, 'b')).toBe('b');
  expect(capturedText(/a/, 'b')).toBeNull();
  expect(capturedText(/x*/, 'b')).toBeNull();
});
