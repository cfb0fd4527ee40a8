import { expect, test } from 'vitest';
import { likeliestAxis, likelyAxes } from './likely-axes';

test('what counts something comes first, the rest in natural order', () => {
  expect(likelyAxes(['loss/10', 'loss/9', 'train/global_step', 'Tokens seen', 'epoch'])).toEqual([
    'epoch',
    'Tokens seen',
    'train/global_step',
    'loss/9',
    'loss/10',
  ]);
});

test('nothing is chosen where nothing looks like an axis', () => {
  expect(likeliestAxis(['loss', 'acc'])).toBe('');
  expect(likeliestAxis(['loss', 'samples'])).toBe('samples');
  expect(likeliestAxis([])).toBe('');
});
