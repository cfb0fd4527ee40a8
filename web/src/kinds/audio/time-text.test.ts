import { expect, test } from 'vitest';
import { frequencyText, placeText, rateText } from './time-text';

test('places have as many digits as the sound needs', () => {
  expect(placeText(1.234, 5)).toBe('0:01.23');
  expect(placeText(61.99, 100)).toBe('1:01.9');
  expect(placeText(3723.4, 4000)).toBe('1:02:03.4');
  expect(placeText(0.3, 5)).toBe('0:00.30');
});

test('frequencies are in hertz or thousands of them', () => {
  expect(frequencyText(440.4)).toBe('440 Hz');
  expect(frequencyText(1234)).toBe('1.23 kHz');
  expect(frequencyText(22050)).toBe('22.1 kHz');
});

test('a rate keeps every digit', () => {
  expect([22_050, 44_100, 11_025, 8000].map(rateText)).toEqual([
    '22.05 kHz',
    '44.1 kHz',
    '11.025 kHz',
    '8 kHz',
  ]);
});
