import { expect, test } from 'vitest';
import { placeText, xText } from './x-text';

test('every axis says its places in its own words', () => {
  expect(placeText(1200.4, { axis: 'step', tag: '' })).toBe('Step 1,200');
  expect(placeText(87_520_000, { axis: 'metric', tag: 'tokens' })).toBe('tokens 87.52M');
  expect(placeText(3.5, { axis: 'metric', tag: 'epoch' })).toBe('epoch 3.5');
});

test('active time reads like relative time', () => {
  expect(xText(3725, 'active')).toBe(xText(3725, 'relative'));
});
