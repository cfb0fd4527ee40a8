import { expect, test } from 'vitest';
import { factsTexts, pixelText, sizeText } from './facts-text';

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
    ...{ frames: 12, duration_s: 1, is_original: true },
  };
  expect(factsTexts(facts, null)).toEqual(['64 × 32', 'GIF', 'RGB, 8 bit', '12.3 kB', 'first of 12 frames']);
});

test('bytes and pixels', () => {
  expect([0, 999, 1000, 123_456, 5_000_000].map(sizeText)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '123 kB',
    '5.0 MB',
  ]);
  expect(pixelText(1, 2, [40_000])).toBe('(1, 2): 40000');
  expect(pixelText(1, 2, [1, 2, 3, 4])).toBe('(1, 2): R 1, G 2, B 3, A 4');
});
