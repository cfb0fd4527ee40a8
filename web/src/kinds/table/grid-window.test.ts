// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  columnWidths,
  columnWindow,
  contentHeight,
  MAX_HEIGHT_PX,
  rowWindow,
  scrollTopFor,
  shownText,
  textOfCell,
  withRoomForFilters,
} from './grid-window';

describe('rows in sight', () => {
  const scrolled = { scrollTopPx: 0, heightPx: 100, count: 1000, rowHeightPx: 20 };

  it('are those that the viewport touches', () => {
    expect(rowWindow(scrolled)).toEqual({ first: 0, end: 6, topPx: 0 });
    expect(rowWindow({ ...scrolled, scrollTopPx: 210 })).toEqual({ first: 10, end: 16, topPx: 200 });
    expect(rowWindow({ ...scrolled, scrollTopPx: 19_900 })).toMatchObject({ first: 995, end: 1000 });
    expect(rowWindow({ ...scrolled, count: 0 })).toEqual({ first: 0, end: 0, topPx: 0 });
  });

  it('reach the last one where a browser cannot scroll so far', () => {
    const many = { ...scrolled, count: 5_000_000 };
    expect(contentHeight(many.count, 20)).toBe(MAX_HEIGHT_PX);
    const end = rowWindow({ ...many, scrollTopPx: MAX_HEIGHT_PX });
    expect(end.end).toBe(5_000_000);
    // The last row ends where the content does.
    expect(end.topPx + (end.end - end.first) * 20).toBeCloseTo(MAX_HEIGHT_PX, 3);
    for (const row of [0, 77_777, 4_999_999]) {
      const found = rowWindow({ ...many, scrollTopPx: scrollTopFor(row, many) });
      expect(found.first).toBeLessThanOrEqual(row);
      expect(found.end).toBeGreaterThan(row);
    }
  });

  it('move as little as they have to', () => {
    expect(scrollTopFor(3, scrolled)).toBe(0);
    expect(scrollTopFor(5, scrolled)).toBeCloseTo(20);
    expect(scrollTopFor(2, { ...scrolled, scrollTopPx: 300 })).toBeCloseTo(40);
  });
});

describe('columns', () => {
  it('in sight are those that the stretch touches', () => {
    const starts = [60, 160, 260, 360];
    expect(columnWindow(starts, 0, 100)).toEqual({ first: 0, end: 1 });
    expect(columnWindow(starts, 170, 300)).toEqual({ first: 1, end: 3 });
    expect(columnWindow([60], 0, 100)).toEqual({ first: 0, end: 0 });
  });

  it('are as wide as their content, within bounds', () => {
    const columns = [
      { name: 'a', type: 'number' as const },
      { name: 'b', type: 'text' as const },
    ];
    const [narrow, wide] = columnWidths(columns, [[1, 'x'.repeat(500)]]);
    expect(narrow).toBe(104);
    expect(wide).toBe(320);
  });

  it('show long fractions rounded and everything else whole', () => {
    expect([0.123456789, 12_345_678, true, null, 'NaN', 'text'].map(shownText)).toEqual([
      '0.123457',
      '12345678',
      'true',
      '',
      'NaN',
      'text',
    ]);
  });
});

describe('numbers are shown and copied as the search of the server knows them', () => {
  interface NumberCase {
    readonly number: number;
    readonly text: string;
    readonly shown: string;
  }
  const { cases } = JSON.parse(readFileSync('../tests/fixtures/table_numbers.json', 'utf8')) as {
    readonly cases: readonly NumberCase[];
  };

  it.each(cases)('$text', ({ number, text, shown }) => {
    expect([textOfCell(number), shownText(number)]).toEqual([text, shown]);
  });
});

it('makes columns of numbers wide enough for two bounds', () => {
  const columns = [
    { name: 'id', type: 'number' },
    { name: 'label', type: 'text' },
    { name: 'loss', type: 'number' },
  ] as const;
  expect(withRoomForFilters([64, 64, 200], columns)).toEqual([132, 64, 200]);
});
