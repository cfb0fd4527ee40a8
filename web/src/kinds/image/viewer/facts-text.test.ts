import { expect, test } from 'vitest';
import { factsTexts, pixelText } from './facts-text';

test('a picture in a line', () => {
  const facts = {
    ...{
      mime_type: 'image/gif',
      width: 64,
      height: 32,
      bits: 8,
      channels: 3,
      size_bytes: 12_345,
      samples: 1,
    },
    ...{ frames: 12, duration_s: 1, is_original: true, is_grey: false },
  };
  expect(factsTexts(facts, null)).toEqual(['64 × 32', 'GIF', 'RGB, 8 bit', '12 kB', 'first of 12 frames']);
});

test('a picture without colours in a file with room for them', () => {
  const facts = {
    ...{ mime_type: 'image/png', width: 4, height: 2, bits: 8, channels: 3, size_bytes: 9, samples: 1 },
    ...{ frames: 1, duration_s: 0, is_original: true, is_grey: false },
  };
  const shape = { width: 4, height: 2, channels: 1, hasAlpha: false, white: 255, isExact: true };
  expect(factsTexts(facts, shape)[2]).toBe('RGB, 8 bit (all gray)');
  expect(factsTexts({ ...facts, channels: 1 }, shape)[2]).toBe('gray, 8 bit');
  expect(factsTexts(facts, { ...shape, channels: 3 })[2]).toBe('RGB, 8 bit');
});

test('of more than 8 bits it says when the values are not those of the file', () => {
  const facts = {
    ...{ mime_type: 'image/avif', width: 4, height: 2, bits: 10, channels: 3, size_bytes: 9, samples: 1 },
    ...{ frames: 1, duration_s: 0, is_original: true, is_grey: false },
  };
  const shape = { width: 4, height: 2, channels: 3, bits: 8, isExact: false } as never;
  expect(factsTexts(facts, shape).slice(2)).toEqual([
    'RGB, 10 bit',
    '9 B',
    '8-bit values as the browser decodes them',
  ]);
  expect(factsTexts({ ...facts, bits: 8 }, shape).at(-1)).toBe('values as the browser decodes them');
});

test('the size is that of the browser where the server knows none, and not said before', () => {
  const facts = {
    ...{ mime_type: 'image/avif', width: 0, height: 0, bits: 8, channels: 3, size_bytes: 9, samples: 1 },
    ...{ frames: 1, duration_s: 0, is_original: true, is_grey: false },
  };
  const shape = { width: 4, height: 2, channels: 3, hasAlpha: false, white: 255, isExact: true };
  expect(factsTexts(facts, shape)[0]).toBe('4 × 2');
  expect(factsTexts(facts, null)[0]).toBe('AVIF');
  expect(factsTexts({ ...facts, channels: 0, bits: 0 }, shape)).toEqual(['4 × 2', 'AVIF', '9 B']);
});

test('pixels', () => {
  expect(pixelText(1, 2, [40_000])).toBe('(1, 2): 40000');
  expect(pixelText(1, 2, [1, 2, 3, 4])).toBe('(1, 2): R 1, G 2, B 3, A 4');
});
