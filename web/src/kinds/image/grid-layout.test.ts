import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnsIn,
  GAP_PX,
  gridLayout,
  HEAD_PX,
  neighbourOf,
  pictureSize,
  placeInGrid,
  tilesWithin,
} from './grid-layout';

describe('the layout of a grid', () => {
  it('fills the width with equal squares', () => {
    const layout = gridLayout({ count: 7, widthPx: 1000, tilePx: 200 });
    expect(layout.columns).toBe(4);
    expect(layout.rows).toBe(2);
    expect(layout.sidePx).toBe(Math.floor((1000 - 3 * GAP_PX) / 4));
    expect(layout.heightPx).toBe(2 * (layout.sidePx + HEAD_PX) + GAP_PX);
  });

  it('gives a part of a row the size that the whole row has', () => {
    for (const widthPx of [300, 760, 1000, 1387]) {
      const columns = columnsIn(widthPx, 200);
      const whole = gridLayout({ count: 7, widthPx, tilePx: 200 });
      expect(whole.columns).toBe(columns);
      const partPx = (widthPx + GAP_PX) / columns - GAP_PX;
      expect(gridLayout({ count: 1, widthPx: partPx, tilePx: 200, columns: 1 }).sidePx).toBe(whole.sidePx);
    }
    expect(columnsIn(0, 200)).toBe(1);
  });

  it('has one column where there is no room for a tile', () => {
    expect(gridLayout({ count: 3, widthPx: 90, tilePx: 200 })).toMatchObject({
      columns: 1,
      rows: 3,
      sidePx: 90,
    });
  });

  it('lets few tiles fill a box, as far as it is high', () => {
    const box = { widthPx: 1000, tilePx: 200, roomPx: 324 };
    expect(gridLayout({ ...box, count: 1 })).toMatchObject({ columns: 1, sidePx: 324 - HEAD_PX });
    expect(gridLayout({ ...box, count: 20 }).columns).toBe(4);
  });

  it('shows a whole row of a box, however large tiles should be', () => {
    const { columns, sidePx } = gridLayout({ count: 9, widthPx: 366, tilePx: 600, roomPx: 250 });
    expect(columns).toBe(2);
    expect(sidePx + HEAD_PX).toBeLessThanOrEqual(250);
  });

  it('is empty without tiles', () => {
    expect(gridLayout({ count: 0, widthPx: 500, tilePx: 200 })).toMatchObject({ rows: 0, heightPx: 0 });
  });

  it('puts every tile into the width, none over another, and finds those in a stretch', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 40, max: 3000 }),
        fc.integer({ min: 96, max: 640 }),
        fc.integer({ min: -500, max: 60_000 }),
        (count, widthPx, tilePx, fromPx) => {
          const layout = gridLayout({ count, widthPx, tilePx });
          const stretch = { fromPx, toPx: fromPx + 700 };
          const { first, end } = tilesWithin(layout, count, stretch);
          const wrong = Array.from({ length: count }, (_, index) => index).filter((index) => {
            const { x, y } = placeInGrid(layout, index);
            const isInside =
              x + layout.sidePx <= Math.max(widthPx, layout.sidePx) &&
              y + layout.sidePx + HEAD_PX <= layout.heightPx;
            const isInStretch = y + layout.rowPx > stretch.fromPx && y < stretch.toPx;
            return !isInside || (isInStretch && (index < first || index >= end));
          });
          expect(wrong).toEqual([]);
          expect(end - first).toBeLessThanOrEqual((Math.ceil(700 / layout.rowPx) + 1) * layout.columns);
        },
      ),
    );
  });
});

describe('arrow keys', () => {
  const layout = gridLayout({ count: 10, widthPx: 1000, tilePx: 200 });

  it.each([
    [5, 'ArrowLeft', 4],
    [5, 'ArrowRight', 6],
    [5, 'ArrowUp', 1],
    [5, 'ArrowDown', 9],
    [7, 'ArrowDown', 9],
    [9, 'ArrowDown', 9],
    [2, 'ArrowUp', 2],
    [0, 'ArrowLeft', 0],
    [9, 'ArrowRight', 9],
    [4, 'Home', 0],
    [4, 'End', 9],
    [4, 'a', null],
  ])('from %i by %s to %s', (from, key, to) => {
    expect(neighbourOf(layout, 10, from, key)).toBe(to);
  });
});

describe('the size of a picture', () => {
  it('fits its longer side', () => {
    expect(pictureSize({ width: 50, height: 100 }, 200, null)).toEqual({ width: 100, height: 200 });
    expect(pictureSize({ width: 4000, height: 1 }, 200, null)).toEqual({ width: 200, height: 1 });
  });

  it('is its own at actual size, in pixels of the screen', () => {
    expect(pictureSize({ width: 28, height: 30 }, 200, 1)).toEqual({ width: 28, height: 30 });
    expect(pictureSize({ width: 28, height: 30 }, 200, 2)).toEqual({ width: 14, height: 15 });
  });
});
