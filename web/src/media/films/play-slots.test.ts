import { expect, it } from 'vitest';
import { PlaySlots } from './play-slots';

it('plays no more films than there are slots; those that are asked for go first', () => {
  const slots = new PlaySlots(2);
  const stopped: string[] = [];
  const take = (name: string, isAsked: boolean) => slots.take({ isAsked, stop: () => stopped.push(name) });
  const end = take('asked', true);
  take('by itself', false);
  expect(take('one too many', false)).toBeNull();
  expect(stopped).toEqual([]);
  const endLate = take('asked later', true);
  expect(endLate).not.toBeNull();
  expect(stopped).toEqual(['by itself']);
  expect(take('asked last', true)).not.toBeNull();
  expect(stopped).toEqual(['by itself', 'asked']);
  expect(slots.taken).toBe(2);
  // Given back although it was taken away: nobody else loses anything.
  end?.();
  expect(slots.taken).toBe(2);
  endLate?.();
  expect(slots.taken).toBe(1);
});
