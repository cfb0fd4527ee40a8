import { expect, test } from 'vitest';
import type { DecodedPrCurves } from '../../wire/pr-curve-frame';
import { breaksOf, countsAt, curveOf, oddityOf, placeNear, thresholdAt } from './curve';

/** One value; columns from the lowest threshold on: true and false positives, true and false negatives. */
function valueOf(
  tp: number[],
  fp: number[],
  tn: number[],
  fn: number[],
  shares: Partial<DecodedPrCurves> = {},
): DecodedPrCurves {
  const ratio = (one: number[], other: number[]): Float64Array =>
    Float64Array.from(one, (part, i) => part / Math.max(1e-7, part + other[i]!));
  return {
    query: 0,
    run: 0,
    supersededCount: 0,
    step: new Float64Array(1),
    wall: new Float64Array(1),
    state: new Float64Array(1),
    offsets: Uint32Array.from([0, tp.length]),
    truePositives: Float64Array.from(tp),
    falsePositives: Float64Array.from(fp),
    trueNegatives: Float64Array.from(tn),
    falseNegatives: Float64Array.from(fn),
    precision: ratio(tp, fp),
    recall: ratio(tp, fn),
    ...shares,
  };
}

const USUAL = valueOf([4, 3, 1, 0], [6, 1, 0, 0], [0, 5, 6, 6], [0, 1, 3, 4]);

test('precision over recall, from the highest threshold that something was predicted at', () => {
  const { x, y, threshold, isFolded } = curveOf(USUAL, 0, 'pr');
  expect([...x]).toEqual([0.25, 0.75, 1]);
  expect([...y]).toEqual([1, 0.75, 0.4]);
  expect([...threshold]).toEqual([2 / 3, 1 / 3, 0]);
  expect(isFolded).toBe(false);
});

test('a ROC curve goes to both corners, which have no threshold', () => {
  const { x, y, threshold } = curveOf(USUAL, 0, 'roc');
  expect([...x]).toEqual([0, 0, 0, 1 / 6, 1, 1]);
  expect([...y]).toEqual([0, 0, 0.25, 0.75, 1, 1]);
  expect([...threshold]).toEqual([NaN, 1, 2 / 3, 1 / 3, 0, NaN]);
});

test('a curve answers for its own threshold that is nearest to one of another curve', () => {
  expect(placeNear(USUAL, 0, 0.4)).toBe(1);
  expect(placeNear(USUAL, 0, 1)).toBe(3);
  expect(thresholdAt(USUAL, 0, 1)).toBe(1 / 3);
  expect(countsAt(USUAL, 0, 1)).toMatchObject({
    precision: 0.75,
    recall: 0.75,
    falseRate: 1 / 6,
    truePositives: 3,
  });
  // Nothing is predicted at the highest.
  expect(countsAt(USUAL, 0, 3)).toMatchObject({ precision: NaN, recall: 0 });
});

test('a single threshold is a point of its own', () => {
  const one = valueOf([2], [1], [3], [2]);
  expect([...curveOf(one, 0, 'pr').x]).toEqual([0.5]);
  expect(placeNear(one, 0, 0.7)).toBe(0);
  expect(thresholdAt(one, 0, 0)).toBe(0);
});

test('a curve whose points all lie in one place has a point that stands alone, which is a dot', () => {
  // All predictions are the same: at the lower thresholds everything is found, above them nothing is predicted.
  const constant = curveOf(valueOf([5, 5, 5, 0], [3, 3, 3, 0], [0, 0, 0, 3], [0, 0, 0, 5]), 0, 'pr');
  expect([...constant.x]).toEqual([1, 1, 1]);
  expect(breaksOf(constant)).toEqual([2]);
  expect(breaksOf(curveOf(valueOf([2], [1], [3], [2]), 0, 'pr'))).toEqual([0]);
  expect(breaksOf(curveOf(USUAL, 0, 'pr'))).toEqual([]);
  // One that goes straight up or to the side is a line.
  expect(breaksOf(curveOf(valueOf([4, 4], [6, 1], [0, 5], [0, 0]), 0, 'pr'))).toEqual([]);
});

const ZEROS = [0, 0];
const ODD: Record<string, [DecodedPrCurves, string | null, string | null]> = {
  usual: [USUAL, null, null],
  'all zero': [valueOf(ZEROS, ZEROS, ZEROS, ZEROS), 'Nothing was counted', 'Nothing was counted'],
  'shares alone': [
    valueOf(ZEROS, ZEROS, ZEROS, ZEROS, {
      precision: Float64Array.of(0.5, 1),
      recall: Float64Array.of(1, 0.5),
    }),
    'Logged without counts',
    'Logged without counts, so there is no ROC curve',
  ],
  'no positives': [
    valueOf(ZEROS, [2, 0], [0, 2], ZEROS),
    'No positive examples, so there is no recall',
    'No positive examples, so there is no recall',
  ],
  'no negatives': [
    valueOf([2, 0], ZEROS, ZEROS, [0, 2]),
    'No negative examples: precision is 1 everywhere',
    'No negative examples, so there is no false positive rate',
  ],
  NaN: [
    valueOf([2, NaN, 0], [2, 1, 0], [0, 1, 2], [0, 1, 2]),
    'Some of its numbers are NaN, and left out',
    'Some of its numbers are NaN, and left out',
  ],
  folded: [
    valueOf([5, 2, 4], [5, 4, 3], [0, 1, 2], [0, 3, 1]),
    'Its thresholds did not count the same examples',
    'Its thresholds did not count the same examples',
  ],
  'more examples at one threshold': [
    valueOf([10, 5, 1], [5, 2, 0], [0, 3, 5], [0, 5, 50]),
    'Its thresholds did not count the same examples',
    'Its thresholds did not count the same examples',
  ],
  'more negative examples at one threshold': [
    valueOf([10, 5, 1], [5, 2, 0], [0, 3, 9], [0, 5, 9]),
    'Its thresholds did not count the same examples',
    'Its thresholds did not count the same examples',
  ],
  'weights that were added up with 32 bits': [
    valueOf([10, 5.0004, 1], [5, 2, 0], [0, 2.9995, 5], [0, 5, 9.0003]),
    null,
    null,
  ],
};

test.for(Object.entries(ODD))('%s: a picture or a sentence', ([, [value, ofPr, ofRoc]]) => {
  for (const [shape, wanted] of [
    ['pr', ofPr],
    ['roc', ofRoc],
  ] as const) {
    const curve = curveOf(value, 0, shape);
    expect(oddityOf(value, 0, curve, shape)).toBe(wanted);
    expect([...curve.x, ...curve.y].every(Number.isFinite)).toBe(true);
    expect([...curve.x]).toEqual([...curve.x].sort((a, b) => a - b));
    expect(curve.x.length > 0 || wanted !== null).toBe(true);
  }
});

test('what was damaged or is gone says so', () => {
  const nothing = { ...valueOf([], [], [], []), state: Float64Array.of(1) };
  const curve = curveOf(nothing, 0, 'pr');
  expect(oddityOf(nothing, 0, curve, 'pr')).toBe('Damaged: this value cannot be read');
  expect(oddityOf({ ...nothing, state: Float64Array.of(2) }, 0, curve, 'pr')).toBe(
    'The file is gone or was replaced',
  );
});
