import { expect, it } from 'vitest';
import { PlaySlots } from './play-slots';

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
