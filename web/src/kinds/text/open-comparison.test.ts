import { expect, test } from 'vitest';
import type { TagSeries } from '../../state/feeds/tag-series.svelte';
import { firstSides } from './open-comparison';

const series = (run: number, steps: readonly number[]): TagSeries => ({
  ...{ run, kind: 'text', tag: 'report', samples: 1, supersededCount: 0 },
  ...{ steps: Float64Array.from(steps), wallS: Float64Array.from(steps) },
});
const sides = (all: readonly TagSeries[], asked: number | null) =>
  firstSides(all, asked).map(({ run, step }) => [run, step]);

test('two runs are compared at the step that is asked for, one run with its step before', () => {
  const [a, b] = [series(0, [0, 10, 20]), series(1, [5, 15])];
  expect(sides([a, b], null)).toEqual([
    [0, 20],
    [1, 15],
  ]);
  expect(sides([a, b], 12)).toEqual([
    [0, 10],
    [1, 5],
  ]);
  expect(sides([a], null)).toEqual([
    [0, 10],
    [0, 20],
  ]);
  expect(sides([a], 0)).toEqual([
    [0, 0],
    [0, 10],
  ]);
  expect(sides([], null)).toEqual([]);
});
