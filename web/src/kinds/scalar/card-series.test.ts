import { describe, expect, test } from 'vitest';
import { areSameLines, cardSeriesFrom, hasPointsIn, yCoreOf } from './card-series';
import { wireSeries } from './fakes';

const look = { label: 'a', color: 'red', dash: null };
const shown = { showSuperseded: true, lookOf: () => look };

test('relative time counts from the first point of the whole series, not of the part that is shown', () => {
  const [series] = cardSeriesFrom(
    [wireSeries([1, 2], { firstWallS: 900, walls: [1000, 1010] })],
    'relative',
    shown,
  );
  expect([...series!.chart.x]).toEqual([100, 110]);
});

test('without smoothing the values are the line, and there is nothing faint below it', () => {
  const wire = wireSeries([1, 2]);
  const [series] = cardSeriesFrom([wire], 'step', shown);
  expect(series!.chart.y).toBe(wire.value);
  expect(series!.chart.raw).toBeNull();
});

test('with smoothing the values lie faint below the line', () => {
  const wire = wireSeries([1, 2], { smoothed: Float64Array.of(1, 1.5) });
  const [series] = cardSeriesFrom([wire], 'step', shown);
  expect(series!.chart.y).toBe(wire.smoothed);
  expect(series!.chart.raw).toBe(wire.value);
});

test('wall times that go back are sorted, with a way back to the points', () => {
  const wire = wireSeries([10, 20, 30], { walls: [1002, 1000, 1001] });
  const [series] = cardSeriesFrom([wire], 'wall', shown);
  expect([...series!.chart.x]).toEqual([1000, 1001, 1002]);
  expect([...series!.chart.y]).toEqual([20, 30, 10]);
  expect([0, 1, 2].map((index) => series!.rowAt(index).step)).toEqual([1, 2, 0]);
});

describe('abandoned branches', () => {
  const branches = [wireSeries([1]), wireSeries([2], { isSuperseded: true })];

  test('are drawn faint and below the others when they are shown', () => {
    const series = cardSeriesFrom(branches, 'step', shown);
    expect(series.map(({ key, chart }) => [key, chart.isFaint])).toEqual([
      ['0:superseded', true],
      ['0', false],
    ]);
  });

  test('are left out otherwise', () => {
    expect(cardSeriesFrom(branches, 'step', { ...shown, showSuperseded: false })).toHaveLength(1);
  });
});

test('runs that are gone, and series without points, are no lines', () => {
  const series = cardSeriesFrom([wireSeries([1], { run: 7 }), wireSeries([])], 'step', {
    showSuperseded: true,
    lookOf: (run) => (run === 7 ? null : look),
  });
  expect(series).toEqual([]);
});

test('the core range spans those of all lines', () => {
  const series = cardSeriesFrom(
    [
      wireSeries([1], { yCore: [2, 3] }),
      wireSeries([1], { run: 1, yCore: [-1, 2.5] }),
      wireSeries([1], { run: 2 }),
    ],
    'step',
    shown,
  );
  expect(yCoreOf(series)).toEqual([-1, 3]);
  expect(yCoreOf([])).toBeNull();
});

test('neighbours outside of a range are no points in it', () => {
  const [line] = cardSeriesFrom([wireSeries([1, 2, 3], { steps: [10, 20, 50] })], 'step', shown);
  expect(hasPointsIn(line!, [21, 49])).toBe(false);
  expect(hasPointsIn(line!, [20, 49])).toBe(true);
  expect(hasPointsIn(line!, [60, 70])).toBe(false);
});

test('lines are the same as long as points, names and colours are', () => {
  const wire = wireSeries([1, 2], { walls: [2, 1] });
  const make = (color: string) =>
    cardSeriesFrom([wire], 'wall', { ...shown, lookOf: () => ({ ...look, color, dash: [2, 2] }) });
  expect(areSameLines(make('red'), make('red'))).toBe(true);
  expect(areSameLines(make('red'), make('blue'))).toBe(false);
  expect(areSameLines(make('red'), [])).toBe(false);
});
