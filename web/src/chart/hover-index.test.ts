// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitView } from './fit';
import { findHover, nearestPoint } from './hover-index';
import { makeLayout } from './layout';
import { RecordingContext } from './recording-context';
import { testOptions, testSeries } from './test-series';
import type { ChartOptions, ChartSeries } from './types';

function layoutOf(series: readonly ChartSeries[], options: Partial<ChartOptions> = {}) {
  const all = testOptions(options);
  const size = { width: 400, height: 240, ratio: 1 };
  return makeLayout(new RecordingContext().asCanvas, size, fitView(series, all), all, 0);
}

const line = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.double({ min: -5, max: 5, noNaN: true })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((points) => {
    const inOrder = [...points].sort((a, b) => a[0] - b[0]);
    return testSeries({ x: inOrder.map(([x]) => x), y: inOrder.map(([, y]) => y) });
  });

describe('nearestPoint', () => {
  test('finds what looking at every point finds', () => {
    fc.assert(
      fc.property(
        line,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 240 }),
        fc.constantFrom<'linear' | 'log'>('linear', 'log'),
        (series, x, y, xScale) => {
          const layout = layoutOf([series], { xScale });
          const index = nearestPoint(series, layout, { x, y });
          let best = -1;
          let leastX = Infinity;
          let leastY = Infinity;
          for (let i = 0; i < series.x.length; i++) {
            const dx = Math.abs(layout.xScale.pxFromValue(series.x[i]!) - x);
            const dy = Math.abs(layout.yScale.pxFromValue(series.y[i]!) - y);
            if (Number.isNaN(dx)) continue;
            if (dx < leastX - 1e-9 || (Math.abs(dx - leastX) <= 1e-9 && dy < leastY)) {
              best = i;
              leastX = dx;
              leastY = dy;
            }
          }
          if (best < 0) expect(index).toBe(-1);
          else {
            // Two steps can be equally far on both sides of the cursor; either is right.
            const dx = Math.abs(layout.xScale.pxFromValue(series.x[index]!) - x);
            expect(dx).toBeCloseTo(leastX, 6);
            const rivals = [...series.x.keys()].filter((i) => series.x[i] === series.x[index]);
            const dy = (i: number): number => Math.abs(layout.yScale.pxFromValue(series.y[i]!) - y);
            expect(dy(index)).toBe(Math.min(...rivals.map(dy)));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('findHover', () => {
  const up = testSeries({ key: 'up', y: [0, 1, 2, 3, 4] });
  const down = testSeries({ key: 'down', y: [4, 3, 2, 1, 0], raw: [5, 3, 2, 1, 0] });

  test('gives one point of each line, with value and raw value', () => {
    const layout = layoutOf([up, down]);
    const hover = findHover([up, down], layout, { x: layout.xScale.pxFromValue(3.1), y: null });
    expect(hover.points.map(({ key, index, y, raw }) => ({ key, index, y, raw }))).toEqual([
      { key: 'up', index: 3, y: 3, raw: 3 },
      { key: 'down', index: 3, y: 1, raw: 1 },
    ]);
    expect(hover.x).toBeCloseTo(3.1);
    expect(hover.pointerPx).toBeNull();
  });

  test('the nearest line is the one whose stroke is nearest, also between points', () => {
    const layout = layoutOf([up, down]);
    // Half way between two points: 3.5 of `up` is on the stroke, no point is near.
    const place = { x: layout.xScale.pxFromValue(3.5), y: layout.yScale.pxFromValue(3.4) };
    expect(findHover([up, down], layout, place).nearestKey).toBe('up');
    const below = { x: place.x, y: layout.yScale.pxFromValue(0.4) };
    expect(findHover([up, down], layout, below).nearestKey).toBe('down');
  });

  test('a run that ended long before the cursor is not there', () => {
    const long = testSeries({ key: 'long', y: Array.from({ length: 1000 }, () => 1) });
    const short = testSeries({ key: 'short', y: [2, 2, 2] });
    const layout = layoutOf([long, short]);
    const hover = findHover([long, short], layout, { x: layout.xScale.pxFromValue(800), y: 100 });
    expect(hover.points.map((point) => point.key)).toEqual(['long']);
    const near = findHover([long, short], layout, { x: layout.xScale.pxFromValue(10), y: 100 });
    expect(near.points.map((point) => point.key)).toEqual(['long', 'short']);
  });

  test('a value that is not finite is reported and never the nearest', () => {
    const broken = testSeries({ key: 'broken', y: [1, NaN, 1] });
    const layout = layoutOf([broken, up]);
    const hover = findHover([broken, up], layout, { x: layout.xScale.pxFromValue(1), y: 20 });
    expect(hover.points[0]).toMatchObject({ key: 'broken', y: NaN, distancePx: Infinity });
    expect(hover.nearestKey).toBe('up');
  });

  test('without lines there is nothing', () => {
    const hover = findHover([], layoutOf([]), { x: 100, y: 100 });
    expect(hover).toMatchObject({ points: [], nearestKey: null });
  });
});
