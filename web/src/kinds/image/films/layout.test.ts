import { expect, it } from 'vitest';
import { columnsFor } from './layout';

it('lays films so that they are as large as possible', () => {
  const wide = { width: 1600, height: 800 };
  const tall = { width: 390, height: 700 };
  expect(columnsFor([], wide)).toBe(1);
  expect(columnsFor([1], wide)).toBe(1);
  expect(columnsFor([1, 1], wide)).toBe(2);
  expect(columnsFor([1, 1], tall)).toBe(1);
  expect(columnsFor([8, 8], wide)).toBe(1);
  expect(columnsFor([1, 1, 1, 1], { width: 900, height: 900 })).toBe(2);
});
