import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortLabel } from './short-label';

test('a name that fits stays as it is', () => {
  expect(shortLabel('gpt/seed0', 9)).toBe('gpt/seed0');
});

test('what differs, the last part, is kept', () => {
  expect(shortLabel('gpt/baseline/seed0', 14)).toBe('gpt/base…seed0');
});

test('a last part that is too long itself is cut at its beginning', () => {
  expect(shortLabel('gpt/a-very-long-run-name-17', 10)).toBe('…n-name-17');
});

test('never longer than asked for', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 2, max: 40 }), (label, most) => {
      expect(shortLabel(label, most).length).toBeLessThanOrEqual(most);
    }),
  );
});
