import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStep, stepText } from './step-text';
import { indexAtStep, indexNearStep, unionOfSteps } from './steps';

const sorted = fc
  .array(fc.integer({ min: -20, max: 20 }), { maxLength: 30 })
  .map((steps) => Float64Array.from(steps.sort((a, b) => a - b)));

describe('the value for a step', () => {
  test('is the last one at or before it, or the first one', () => {
    fc.assert(
      fc.property(sorted, fc.integer({ min: -25, max: 25 }), (steps, step) => {
        const before = steps.filter((one) => one <= step).length;
        const expected = steps.length === 0 ? -1 : Math.max(0, before - 1);
        expect(indexAtStep(steps, step)).toBe(expected);
      }),
    );
  });

  test('is the last one for none', () => {
    expect(indexAtStep(Float64Array.of(1, 2), null)).toBe(1);
    expect(indexAtStep(new Float64Array(0), null)).toBe(-1);
  });

  test('that is nearest: no other one is nearer, and of equal ones it is the last', () => {
    fc.assert(
      fc.property(sorted, fc.integer({ min: -25, max: 25 }), (steps, step) => {
        const index = indexNearStep(steps, step);
        if (steps.length === 0) {
          expect(index).toBe(-1);
          return;
        }
        const nearest = Math.min(...steps.map((one) => Math.abs(one - step)));
        expect(Math.abs(steps[index]! - step)).toBe(nearest);
        // Before the first one the first one stands for it, even where it is there twice.
        if (index > 0) expect(index).toBe(steps.lastIndexOf(steps[index]!));
      }),
    );
  });
});

test('the union has every step once, ascending', () => {
  fc.assert(
    fc.property(fc.array(sorted, { maxLength: 7 }), (series) => {
      const all = new Set(series.flatMap((steps) => [...steps]));
      expect([...unionOfSteps(series)]).toEqual([...all].sort((a, b) => a - b));
    }),
  );
});

test('the union has the steps of series that are alike but for their middle', () => {
  const series = Array.from({ length: 12 }, (_, i) => Float64Array.of(0, i + 1, 20));
  expect([...unionOfSteps([...series, ...series])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20]);
});

test('steps are written and typed as people do', () => {
  expect([0, -1, 1200, 1.5, 2 ** 60].map(stepText)).toEqual([
    '0',
    '-1',
    '1,200',
    '1.5',
    '1152921504606847000',
  ]);
  const typed: [string, number | null][] = [
    ['1,200', 1200],
    [' 1 200 ', 1200],
    ['1_200', 1200],
    ['12k', 12_000],
    ['1.5M', 1_500_000],
    ['1e3', 1000],
    ['-5', -5],
    ['', null],
    ['step 5', null],
    ['1..2', null],
    ['1e999', null],
  ];
  for (const [text, step] of typed) expect([text, parseStep(text)]).toEqual([text, step]);
});
