import { expect, it } from 'vitest';
import { bytesText, speedText, timeText } from './words';

it('writes times, speeds and sizes for people', () => {
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
  expect([12, 1900, 2_000_000, 999_600].map(bytesText)).toEqual(['0.0 kB', '1.9 kB', '2.0 MB', '1.0 MB']);
});
