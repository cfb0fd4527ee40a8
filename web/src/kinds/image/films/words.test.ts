import { expect, it } from 'vitest';
import { speedText, timeText } from './words';

it('writes times and speeds for people', () => {
  expect([0, 3.25, 59.999, 60, 3723.5].map(timeText)).toEqual([
    '0:00.00',
    '0:03.25',
    '0:59.99',
    '1:00.00',
    '1:02:03.50',
  ]);
  // Sums of floating-point durations fall a little short.
  expect(timeText(0.1 + 0.2 + 0.4 - 1e-12)).toBe('0:00.70');
  expect([0.1, 1, 1.5].map(speedText)).toEqual(['0.1×', '1×', '1.5×']);
});
