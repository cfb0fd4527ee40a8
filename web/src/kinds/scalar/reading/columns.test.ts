import { expect, test } from 'vitest';
import { BrowserStorage } from '../../../state/browser-storage';
import {
  COLUMNS,
  movedColumn,
  NO_CHOICES,
  readChoices,
  shownColumns,
  sortedBy,
  writeChoices,
  type ColumnId,
} from './columns';

const memory = () => {
  const texts = new Map<string, string>();
  return new BrowserStorage({
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
  });
};
const ids = (columns: readonly { id: ColumnId }[]) => columns.map(({ id }) => id);
const NONE = NO_CHOICES.range;

test('a card shows the main columns, full screen all of them', () => {
  expect(ids(shownColumns('range', NONE, { isFull: false, hasSmoothed: false }))).toEqual([
    'min',
    'max',
    'start',
    'end',
    'change',
    'percent',
    'mean',
    'slope',
  ]);
  expect(shownColumns('range', NONE, { isFull: true, hasSmoothed: false })).toHaveLength(
    COLUMNS.range.length,
  );
});

test('a column of smoothed values is there only with smoothing', () => {
  const shown = (hasSmoothed: boolean) => ids(shownColumns('step', NONE, { isFull: false, hasSmoothed }));
  expect(shown(true)).toContain('smoothed');
  expect(shown(false)).not.toContain('smoothed');
});

test('columns move past those that are shown', () => {
  const choice = { ...NONE, hidden: ['max'] as const };
  const order = movedColumn('range', choice, 'min', 1);
  expect(
    ids(shownColumns('range', { ...choice, order }, { isFull: false, hasSmoothed: false })).slice(0, 3),
  ).toEqual(['start', 'min', 'end']);
  expect(movedColumn('range', choice, 'min', -1)).toBe(choice.order);
  expect(movedColumn('range', NONE, 'slope', 'min').slice(0, 2)).toEqual(['slope', 'min']);
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

test('choices are kept, and what is damaged is not taken', () => {
  const storage = memory();
  const choices = {
    step: NONE,
    range: { order: ['slope'], hidden: ['max'], sort: { column: 'run', isDescending: true } },
    isSmoothed: true,
  } as const;
  writeChoices(storage, choices);
  expect(readChoices(storage)).toEqual(choices);
  storage.write('reading.1', {
    step: 3,
    range: { order: ['nonsense', 'min'], hidden: {}, sort: { column: 7 } },
  });
  expect(readChoices(storage)).toEqual({
    step: NONE,
    range: { order: ['min'], hidden: [], sort: null },
    isSmoothed: false,
  });
});

test.each([
  ['percent', -12.345, '-12.3 %'],
  ['percent', 250_000, '+250000 %'],
  ['percent', NaN, 'NaN'],
] as const)('%s of %d', (id, value, text) => {
  expect(COLUMNS.range.find((one) => one.id === id)!.text(value)).toBe(text);
});
