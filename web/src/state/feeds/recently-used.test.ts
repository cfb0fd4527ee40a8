import { expect, test } from 'vitest';
import { RecentlyUsed } from './recently-used';

test('those that were not used for longest make room, and are told', () => {
  const dropped: string[] = [];
  const kept = new RecentlyUsed<string>(30, (key) => dropped.push(key));
  for (const key of ['a', 'b', 'c']) kept.put(key, key.toUpperCase(), 10);
  expect([kept.use('a'), kept.use('none')]).toEqual(['A', undefined]);
  kept.put('d', 'D', 15);
  expect([kept.values(), dropped, kept.size]).toEqual([['A', 'D'], ['b', 'c'], 25]);
  kept.put('huge', 'H', 31);
  expect([kept.values(), kept.size]).toEqual([[], 0]);
});

test('what is taken, put again or cleared is counted once', () => {
  const kept = new RecentlyUsed<number>(100);
  kept.put('a', 1, 40);
  kept.put('a', 2, 50);
  expect([kept.values(), kept.size]).toEqual([[2], 50]);
  expect([kept.take('a'), kept.take('a'), kept.size]).toEqual([2, undefined, 0]);
  kept.put('b', 3, 10);
  kept.clear();
  expect([kept.values(), kept.size]).toEqual([[], 0]);
});
