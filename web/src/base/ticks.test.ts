// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logTicks, symlogTicks } from './log-ticks';
import { linearTicks, type Tick, type Ticks } from './ticks';
import { relativeTicks, wallTicks } from './time-ticks';

type Range = readonly [number, number];

/** What a reader sees of a tick: the label, below it the last context on its left. */
function readings(ticks: readonly Tick[]): string[] {
  let context = '';
  return ticks.map((tick) => {
    context = tick.context ?? context;
    return `${context} ${tick.label}`;
  });
}

function expectSound(ticks: Ticks, [min, max]: Range): void {
  const values = ticks.major.map((tick) => tick.value);
  for (const value of [...values, ...ticks.minor]) {
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(max);
  }
  expect(values).toEqual([...values].sort((a, b) => a - b));
  expect(new Set(readings(ticks.major)).size).toBe(values.length);
}

/** No gap, also none to the ends of the range, is larger than `share` of the range. */
function expectCover(positions: readonly number[], min: number, max: number, share: number): void {
  const places = [min, ...positions, max];
  for (let i = 1; i < places.length; i++) {
    expect(places[i]! - places[i - 1]!).toBeLessThanOrEqual((max - min) * share * (1 + 1e-6));
  }
}

/** From nanoscopic to astronomic, around zero and far away from it. */
const range = fc
  .tuple(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.double({ min: -9, max: 9, noNaN: true }),
    fc.integer({ min: -20, max: 20 }),
  )
  .map(([offset, spanPower, power]): Range => {
    const scale = 10 ** power;
    return [offset * scale, (offset + 10 ** spanPower) * scale];
  })
  .filter(([min, max]) => max - min > 1e-11 * Math.max(Math.abs(min), Math.abs(max)));

describe('linear ticks', () => {
  test('lie in the range, cover it, and no two read the same', () => {
    fc.assert(
      fc.property(range, fc.integer({ min: 2, max: 12 }), ([min, max], count) => {
        const ticks = linearTicks([min, max], count);
        expectSound(ticks, [min, max]);
        expect(ticks.major.length).toBeGreaterThanOrEqual(2);
        expect(ticks.major.length).toBeLessThanOrEqual(Math.max(5, count + 1));
        // A step is at most 2.5 times what was asked for.
        expectCover(
          ticks.major.map((tick) => tick.value),
          min,
          max,
          Math.min(1, 2.5 / count),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('a narrow range gets the digits that it needs (tensorboard#3273)', () => {
    const labels = linearTicks([0.9797, 0.9803], 6).major.map((tick) => tick.label);
    expect(labels).toEqual(['0.9797', '0.9798', '0.9799', '0.9800', '0.9801', '0.9802', '0.9803']);
  });

  test('plain numbers stay plain, tiny ones get an exponent', () => {
    expect(linearTicks([0, 3], 6).major.map((tick) => tick.label)).toContain('1.5');
    expect(linearTicks([-2e-9, 2e-9], 4).major.map((tick) => tick.label)).toEqual([
      '−2e-9',
      '−1e-9',
      '0',
      '1e-9',
      '2e-9',
    ]);
  });

  test('steps are whole, short where that says it all, and complete where not', () => {
    expect(linearTicks([0, 3], 8, 'step').major.map((tick) => tick.label)).toEqual(['0', '1', '2', '3']);
    expect(linearTicks([0, 1_200_000], 6, 'step').major.map((tick) => tick.label)).toEqual([
      '0',
      '200k',
      '400k',
      '600k',
      '800k',
      '1M',
      '1.2M',
    ]);
    expect(linearTicks([12_340, 12_343], 3, 'step').major.map((tick) => tick.label)).toEqual([
      '12,340',
      '12,341',
      '12,342',
      '12,343',
    ]);
  });

  test('labels of steps differ wherever one zooms to', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 1, max: 1e9 }), (start, span) => {
        const shown = [start, start + span] as const;
        expectSound(linearTicks(shown, 7, 'step'), shown);
      }),
      { numRuns: 400 },
    );
  });

  test('an empty or endless range has no ticks', () => {
    expect(linearTicks([1, 1], 5).major).toEqual([]);
    expect(linearTicks([0, Infinity], 5).major).toEqual([]);
    expect(linearTicks([NaN, 1], 5).major).toEqual([]);
  });
});

describe('log ticks', () => {
  test('lie in the range, at least two of them, and no two read the same', () => {
    const positive = fc
      .tuple(fc.double({ min: -30, max: 30, noNaN: true }), fc.double({ min: 0.02, max: 40, noNaN: true }))
      .map(([power, decades]): Range => [10 ** power, 10 ** (power + decades)]);
    fc.assert(
      fc.property(positive, fc.integer({ min: 2, max: 10 }), (shown, count) => {
        const ticks = logTicks(shown, count);
        expectSound(ticks, shown);
        expect(ticks.major.length).toBeGreaterThanOrEqual(2);
      }),
      // 10 ** 70 is a little less than 1e70, which is outside.
      { numRuns: 400, examples: [[[9.999999999999837e29, 9.999999999999999e69], 2]] },
    );
  });

  test('name decades, and 2 and 5 when there is room', () => {
    expect(logTicks([0.001, 1000], 7).major.map((tick) => tick.label)).toEqual([
      '0.001',
      '0.01',
      '0.1',
      '1',
      '10',
      '100',
      '1000',
    ]);
    expect(logTicks([1, 100], 9).major.map((tick) => tick.label)).toEqual([
      '1',
      '2',
      '5',
      '10',
      '20',
      '50',
      '100',
    ]);
  });

  test('many decades are thinned out and stay evenly spaced', () => {
    const powers = logTicks([1e-12, 1e12], 6).major.map((tick) => Math.round(Math.log10(tick.value)));
    expect(powers).toEqual([-10, -5, 0, 5, 10]);
  });
});

describe('symlog ticks', () => {
  test('lie in the range and no two read the same', () => {
    const end = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(end, end, fc.constantFrom(0.001, 1, 100), (a, b, linearWidth) => {
        const shown: Range = [Math.min(a, b), Math.max(a, b)];
        if (shown[1] - shown[0] < 1e-6) return;
        expectSound(symlogTicks(shown, 6, linearWidth), shown);
      }),
    );
  });

  test('zero and the largest decades of both signs are named', () => {
    const labels = symlogTicks([-2000, 2000], 8, 1).major.map((tick) => tick.label);
    expect(labels).toEqual(expect.arrayContaining(['−1000', '0', '1000']));
  });
});

describe('time ticks', () => {
  /** Local noon, so that the test reads the same wherever it runs. */
  const noonS = new Date(2026, 10, 12, 12, 0, 0).getTime() / 1000;

  test('of wall time are round local times with the date where it changes', () => {
    const ticks = wallTicks([noonS, noonS + 24 * 3600], 5).major;
    expect(ticks.map((tick) => tick.label)).toEqual(['12:00', '18:00', '00:00', '06:00', '12:00']);
    expect(ticks.map((tick) => tick.context)).toEqual(['12 Nov 2026', null, '13 Nov 2026', null, null]);
  });

  test('of seconds show seconds, of days show dates, of years show years', () => {
    expect(wallTicks([noonS, noonS + 10], 5).major.map((tick) => tick.label)[1]).toBe('12:00:02');
    expect(wallTicks([noonS, noonS + 4 * 86_400], 5).major.map((tick) => tick.label)).toEqual([
      '13 Nov',
      '14 Nov',
      '15 Nov',
      '16 Nov',
    ]);
    expect(wallTicks([noonS, noonS + 4 * 366 * 86_400], 5).major.map((tick) => tick.label)).toEqual([
      '2027',
      '2028',
      '2029',
      '2030',
    ]);
  });

  test('of wall time lie in the range and differ, from milliseconds to decades', () => {
    const span = fc.double({ min: -1.5, max: 9, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e9 }),
        span,
        fc.integer({ min: 2, max: 9 }),
        (startS, spanS, count) => {
          const shown: Range = [startS, startS + spanS];
          const ticks = wallTicks(shown, count).major;
          const values = ticks.map((tick) => tick.value);
          expect(values.every((value) => value >= shown[0] && value <= shown[1])).toBe(true);
          expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
          expect(ticks.length).toBeLessThanOrEqual(2 * count + 2);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('of durations use the unit that fits', () => {
    expect(relativeTicks([0, 60], 6).major.map((tick) => tick.label)).toEqual([
      '0',
      '10 s',
      '20 s',
      '30 s',
      '40 s',
      '50 s',
      '60 s',
    ]);
    expect(relativeTicks([0, 3 * 3600], 6).major.map((tick) => tick.label)).toEqual([
      '0',
      '0.5 h',
      '1 h',
      '1.5 h',
      '2 h',
      '2.5 h',
      '3 h',
    ]);
    expect(relativeTicks([7200, 7230], 3).major.map((tick) => tick.label)).toEqual([
      '2:00:00 h',
      '2:00:10 h',
      '2:00:20 h',
      '2:00:30 h',
    ]);
    expect(relativeTicks([0, 4 * 86_400], 4).major.map((tick) => tick.label)).toEqual([
      '0',
      '1 d',
      '2 d',
      '3 d',
      '4 d',
    ]);
  });

  test('of durations lie in the range and no two read the same', () => {
    const start = fc.double({ min: 0, max: 1e7, noNaN: true });
    const span = fc.double({ min: -2, max: 7, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(start, span, fc.integer({ min: 2, max: 9 }), (from, length, count) => {
        const shown: Range = [from, from + length];
        expectSound(relativeTicks(shown, count), shown);
      }),
      { numRuns: 300 },
    );
  });
});
