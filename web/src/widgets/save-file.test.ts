import { expect, test } from 'vitest';
import { safeStem } from './save-file';

test('titles come from people: what some file system does not take is replaced', () => {
  expect(safeStem('train/loss, val/loss', 'chart')).toBe('train-loss-val-loss');
  expect(safeStem('../..', 'chart')).toBe('chart');
});
