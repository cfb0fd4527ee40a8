import { expect, it } from 'vitest';
import type { PictureFacts } from '../../../wire/client';
import { shouldPlay } from './tile-rules';

const small: PictureFacts = {
  ...{ mime_type: 'image/gif', width: 64, height: 48, bits: 8, channels: 3, size_bytes: 20_000 },
  ...{ samples: 1, frames: 8, duration_s: 2, is_original: true, is_grey: false },
};

it('plays small films by themselves, and every film that is asked for, while they are in sight', () => {
  const seen = { isInSight: true, isAsked: false, mayPlayByItself: true };
  expect(shouldPlay(small, seen)).toBe(true);
  expect(shouldPlay(small, { ...seen, mayPlayByItself: false })).toBe(false);
  expect(shouldPlay(small, { ...seen, isInSight: false, isAsked: true })).toBe(false);
  const heavy = { ...small, size_bytes: 3_000_000 };
  // Few bytes, many pixels: a bomb, or a film as large as a wall.
  const wide = { ...small, width: 60_000, height: 60_000 };
  for (const film of [heavy, wide]) {
    expect(shouldPlay(film, seen)).toBe(false);
    expect(shouldPlay(film, { ...seen, isAsked: true })).toBe(true);
  }
});
