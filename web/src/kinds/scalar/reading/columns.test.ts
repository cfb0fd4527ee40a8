import { expect, test } from 'vitest';
import { COLUMNS, shownColumns, sortedBy, type ColumnId } from './columns';

const ids = (columns: readonly { id: ColumnId }[]) => columns.map(({ id }) => id);

test('a card shows the main columns, full screen all of them', () => {
  expect(ids(shownColumns('range', { isFull: false, hasSmoothed: false }))).toEqual([
    'min',
    'max',
    'start',
    'end',
    'change',
    'percent',
    'mean',
    'slope',
  ]);
  expect(shownColumns('range', { isFull: true, hasSmoothed: false })).toHaveLength(COLUMNS.range.length);
});

test('a column of smoothed values is there only with smoothing', () => {
  const shown = (hasSmoothed: boolean) => ids(shownColumns('step', { isFull: false, hasSmoothed }));
  expect(shown(true)).toContain('smoothed');
  expect(shown(false)).not.toContain('smoothed');
});

test('headings sort up, down and not at all', () => {
  const up = sortedBy(null, 'min');
  const down = sortedBy(up, 'min');
  expect([up, down, sortedBy(down, 'min'), sortedBy(down, 'max')]).toEqual([
    { column: 'min', isDescending: false },
    { column: 'min', isDescending: true },
    null,
    { column: 'max', isDescending: false },
  ]);
});

test.each([
  ['percent', -12.345, '-12.3 %'],
  ['percent', 250_000, '+250000 %'],
  ['percent', NaN, 'NaN'],
] as const)('%s of %d', (id, value, text) => {
  expect(COLUMNS.range.find((one) => one.id === id)!.text(value)).toBe(text);
});
