import { expect, it } from 'vitest';
import type { PictureFacts } from '../../../wire/client';
import { PlaySlots, shouldPlay } from './tile-playback';

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

function makeSlots(most: number) {
  const slots = new PlaySlots(most);
  const playing = new Set<string>();
  const ask = (name: string, isAsked = false) =>
    slots.ask({ isAsked, onslot: (hasSlot) => (hasSlot ? playing.add(name) : playing.delete(name)) });
  return { slots, ask, playing: () => [...playing].sort() };
}

it('plays no more films than there are slots; those that are asked for go first', () => {
  const { slots, ask, playing } = makeSlots(2);
  ask('asked', true);
  ask('by itself');
  ask('one too many');
  expect(playing()).toEqual(['asked', 'by itself']);
  ask('asked later', true);
  expect(playing()).toEqual(['asked', 'asked later']);
  ask('asked last', true);
  expect(playing()).toEqual(['asked last', 'asked later']);
  expect(slots.taken).toBe(2);
});

it('gives a slot that is free to whoever has waited longest', () => {
  const { slots, ask, playing } = makeSlots(1);
  const endFirst = ask('first');
  const endSecond = ask('second');
  ask('third');
  // Nobody loses anything by one who never had it.
  endSecond();
  expect(playing()).toEqual(['first']);
  endFirst();
  expect(playing()).toEqual(['first', 'third']); // who went is told nothing
  expect(slots.taken).toBe(1);
});
