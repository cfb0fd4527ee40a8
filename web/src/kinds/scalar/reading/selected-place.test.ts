import { expect, test } from 'vitest';
import { inMode, nextMode, placeFromTyped, rangeText, snapped, typedPlace } from './selected-place';

const AT_STEPS = { cursor: null, kind: 'step' } as const;

test('the selector begins in the middle of what is shown, or where the cursor is', () => {
  expect(inMode('step', null, [0, 101], AT_STEPS)).toEqual({ from: 51, to: null });
  expect(inMode('step', null, [0, 101], { cursor: 7.4, kind: 'step' })).toEqual({ from: 7, to: null });
});

test('a range begins with everything that is shown', () => {
  expect(inMode('range', null, [0, 101], AT_STEPS)).toEqual({ from: 0, to: 101 });
});

test('a step becomes a range from there, and the start of a range a step', () => {
  expect(inMode('range', { from: 40, to: null }, [0, 100], AT_STEPS)).toEqual({ from: 40, to: 100 });
  expect(inMode('range', { from: 100, to: null }, [0, 100], AT_STEPS)).toEqual({ from: 0, to: 100 });
  expect(inMode('step', { from: 40, to: 60 }, [0, 100], AT_STEPS)).toEqual({ from: 40, to: null });
  expect(inMode('off', { from: 40, to: 60 }, [0, 100], AT_STEPS)).toBeNull();
});

test('one key goes through all modes', () => {
  expect(['off', 'step', 'range'].map((mode) => nextMode(mode as 'off'))).toEqual(['step', 'range', 'off']);
});

test('only steps are whole numbers', () => {
  expect(snapped({ from: 1.4, to: 2.6 }, 'step')).toEqual({ from: 1, to: 3 });
  expect(snapped({ from: 1.4, to: null }, 'relative')).toEqual({ from: 1.4, to: null });
});

test.each([
  ['1,200', 'step', 1200],
  ['12.6', 'step', 13],
  ['−3.5', 'metric', -3.5],
  ['', 'step', null],
  ['soon', 'relative', null],
  ['Infinity', 'step', null],
  ['tomorrow', 'wall', null],
] as const)('%s on an axis of %s', (text, kind, place) => {
  expect(placeFromTyped(text, kind)).toBe(place);
});

test('a moment is typed as it is shown', () => {
  const at = 1_700_000_000;
  expect(placeFromTyped(typedPlace(at, 'wall'), 'wall')).toBe(at);
});

test('a range names its axis once', () => {
  expect(rangeText(100, 1200.4, { axis: 'step', tag: '' })).toBe('Step 100 – 1,200');
  expect(rangeText(4e5, 2.8e6, { axis: 'metric', tag: 'tokens' })).toBe('tokens 400k – 2.8M');
  expect(rangeText(60, 120, { axis: 'active', tag: '' })).toMatch(/^[^a-z]*1m 00s – 2m 00s active$/);
});
