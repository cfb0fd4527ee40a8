import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smoothingNote } from './smoothing';
import { amountFromTyped, SMOOTHING_METHODS, smoothingMethod } from './smoothing';

const movable = SMOOTHING_METHODS.filter((scale) => scale.kind !== 'none');

describe.each(movable)('the slider of $kind', (scale) => {
  test('reaches both ends', () => {
    expect(scale.amountFromPosition(0)).toBe(scale.min);
    expect(scale.amountFromPosition(1)).toBe(scale.max);
    expect(scale.positionFromAmount(scale.max)).toBe(1);
  });

  test('never goes back when it is moved on', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          expect(scale.amountFromPosition(low)).toBeLessThanOrEqual(scale.amountFromPosition(high));
        },
      ),
    );
  });

  test('stays where it was put when the amount comes back from the view', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (position) => {
        const amount = scale.amountFromPosition(position);
        expect(scale.amountFromPosition(scale.positionFromAmount(amount))).toBe(amount);
      }),
    );
  });
});

test('weights have a finer hand near 1 than near 0', () => {
  const { positionFromAmount } = smoothingMethod('ema');
  const nearOne = positionFromAmount(0.99) - positionFromAmount(0.9);
  const nearZero = positionFromAmount(0.09) - positionFromAmount(0);
  expect(nearOne).toBeGreaterThan(3 * nearZero);
});

test('typed amounts are made fit: windows are odd, weights stay below 1', () => {
  expect(amountFromTyped('mean', 10)).toBe(11);
  expect(amountFromTyped('mean', -5)).toBe(1);
  expect(amountFromTyped('ema', 1.5)).toBe(0.999);
  expect(amountFromTyped('ema', 0.9995)).toBe(0.999);
  expect(amountFromTyped('gaussian', 2.25)).toBe(2.25);
  expect(amountFromTyped('ema', NaN)).toBeNull();
});

test('a chart says how its line was made, and nothing when it shows the values', () => {
  expect(smoothingNote({ kind: 'ema', amount: 0.6 })).toBe('EMA 0.6');
  expect(smoothingNote({ kind: 'mean', amount: 11 })).toBe('Mean of 11 points');
  expect(smoothingNote({ kind: 'ema', amount: 0 })).toBeNull();
  expect(smoothingNote({ kind: 'mean', amount: 1 })).toBeNull();
  expect(smoothingNote({ kind: 'none', amount: 5 })).toBeNull();
});
