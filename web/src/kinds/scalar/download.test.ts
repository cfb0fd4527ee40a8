import { expect, test } from 'vitest';
import { fileNameOf } from './download';

test('a file of one chart is named after its tag, safely', () => {
  expect(fileNameOf({ tags: ['train/loss'], format: 'csv' })).toBe('train-loss.csv');
  expect(fileNameOf({ tags: ['../../etc: "x"'], format: 'json' })).toBe('etc-x.json');
  expect(fileNameOf({ tags: ['精度/验证'], format: 'csv' })).toBe('精度-验证.csv');
  expect(fileNameOf({ tags: ['???'], format: 'csv' })).toBe('scalars.csv');
});

test('a file of several charts says how many', () => {
  expect(fileNameOf({ tags: ['a', 'b'], format: 'json' })).toBe('scalars-2-tags.json');
});
