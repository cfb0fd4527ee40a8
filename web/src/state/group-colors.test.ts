import { expect, test } from 'vitest';
import { GroupColors } from './group-colors';
import { PALETTE_SIZE } from './run-colors';

const colorsOf = (slots: ReadonlyMap<unknown, number>): number[] =>
  [...slots.values()].map((slot) => slot % PALETTE_SIZE);

test('groups and the runs beside them wear different colours as far as the palette goes', () => {
  // Remembered from visits where they were not drawn together.
  const colors = new GroupColors([
    ['a', 3],
    ['b', 3],
    ['c', 11],
  ]);
  const slots = colors.serve(
    ['a', 'b', 'c'],
    [
      [0, 3],
      [1, 4],
      [2, 12],
      [3, 0],
      [4, 0],
    ],
  );
  expect(new Set(colorsOf(slots)).size).toBe(8);
  expect(slots.get('a')).toBe(3);
});

test('a run keeps its usual look where nobody else wears the colour', () => {
  const slots = new GroupColors([['a', 1]]).serve(
    ['a'],
    [
      [7, 5],
      [8, 14],
    ],
  );
  expect([slots.get(7), slots.get(8)]).toEqual([5, 14]);
});

test('when the palette is worn, groups share it solid and runs dashed', () => {
  const keys = Array.from({ length: 8 }, (_, i) => `group ${i}`);
  const slots = new GroupColors([]).serve(keys, [[0, 2]]);
  expect(new Set(keys.map((key) => slots.get(key))).size).toBe(8);
  expect(slots.get(0)).toBe(2 + PALETTE_SIZE);
  const more = new GroupColors([]).serve([...keys, 'one more'], []);
  expect(more.get('one more')).toBeLessThan(PALETTE_SIZE);
});

test('who is drawn keeps its colour when others come and go; nothing new is the same map', () => {
  const colors = new GroupColors([]);
  const before = colors.serve(['a', 'b'], [[0, 4]]);
  expect(colors.serve(['a', 'b'], [[0, 4]])).toBe(before);
  const slot = before.get(0)!;
  const after = colors.serve(
    ['0', 'a', 'b'],
    [
      [9, slot],
      [0, 4],
    ],
  );
  expect(['a', 'b', 0].map((who) => after.get(who))).toEqual(['a', 'b', 0].map((who) => before.get(who)));
  expect(new Set(colorsOf(after)).size).toBe(5);
  expect(colors.serve(['a'], []).get('a')).toBe(before.get('a'));
  expect(new GroupColors(colors.entries).serve(['b'], []).get('b')).toBe(before.get('b'));
});
