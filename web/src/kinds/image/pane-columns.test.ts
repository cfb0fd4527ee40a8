import { expect, it } from 'vitest';
import { columnsFor } from './pane-columns';

it('lays panes so that they are as large as possible', () => {
  const wide = { width: 1600, height: 800 };
  const tall = { width: 390, height: 700 };
  expect(columnsFor(0, wide)).toBe(1);
  expect(columnsFor(1, wide)).toBe(1);
  expect(columnsFor(2, wide)).toBe(2);
  expect(columnsFor(2, tall)).toBe(1);
  expect(columnsFor(4, { width: 900, height: 900 })).toBe(2);
});
