import { lineOfTag } from '../../../board/cards/card-spec';
import { expect, test } from 'vitest';
import { cardSeriesFrom } from '../card-series';
import { wireSeries } from '../fakes';
import { SeriesByKey } from '../value-rows';
import { annotationsByName, marksOf, xAtStep } from './annotation-marks';

const LOOK = { label: 'a', color: 'red', dash: null };
const series = (kind: 'step' | 'relative', more: Parameters<typeof wireSeries>[1] = {}) =>
  cardSeriesFrom([wireSeries([5, 4, 3], { steps: [0, 10, 20], walls: [1000, 1100, 1400], ...more })], kind, {
    showSuperseded: true,
    lookOf: () => LOOK,
  });

test('on an axis of steps a note is at its step, whatever was reduced away', () => {
  expect(xAtStep(series('step')[0]!, 'step', 7)).toBe(7);
});

test('on another axis it is where its point is, or between its neighbours', () => {
  const [line] = series('relative');
  expect(xAtStep(line!, 'relative', 10)).toBe(100);
  expect(xAtStep(line!, 'relative', 15)).toBe(250);
});

test('there is no place before the first point or after the last', () => {
  const [line] = series('relative');
  expect(xAtStep(line!, 'relative', 21)).toBeNull();
  expect(xAtStep(line!, 'relative', -1)).toBeNull();
});

test('clocks that were set back do not move a note to another point', () => {
  const [line] = series('relative', { walls: [1400, 1100, 1000], firstWallS: 1000 });
  expect(xAtStep(line!, 'relative', 20)).toBe(0);
});

const note = (id: string, more = {}) => ({ id, tag: 'loss', run: 'a', step: 10, text: id, ...more });
const idOf = (name: string) => (name === 'a' ? 0 : undefined);

test('a card shows the notes of its lines and of runs that are drawn', () => {
  const drawn = new SeriesByKey(series('step'));
  const byName = annotationsByName([
    note('later', { step: 20 }),
    note('here'),
    note('other tag', { tag: 'accuracy' }),
    note('other run', { run: 'b' }),
  ]);
  const marks = marksOf({ lines: [lineOfTag('loss')] }, 'step', drawn, { byName, idOf });
  expect(marks).toEqual([
    { id: 'here', key: '0', x: 10, text: 'here' },
    { id: 'later', key: '0', x: 20, text: 'later' },
  ]);
});

test('of several lines a note is on the one it is about', () => {
  const second = cardSeriesFrom([wireSeries([1], { steps: [10] })], 'step', {
    showSuperseded: false,
    lookOf: () => LOOK,
    line: 1,
  });
  const formula = { ...lineOfTag(''), formula: 'loss * 2' };
  const byName = annotationsByName([note('on the formula', { tag: 'loss * 2' })]);
  const marks = marksOf({ lines: [lineOfTag('loss'), formula] }, 'step', new SeriesByKey(second), {
    byName,
    idOf,
  });
  expect(marks.map(({ key }) => key)).toEqual(['0@1']);
});
