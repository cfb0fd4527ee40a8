import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fittedLabel, shortLabel } from './short-label';

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

test('a name of wide letters is cut shorter than one of narrow letters, and neither is wider than its place', () => {
  const widthOf = (text: string) => 4 * text.length + 8 * (text.split('w').length - 1);
  expect(fittedLabel('iiiiiiiiii', 40, widthOf)).toBe('iiiiiiiiii');
  expect(fittedLabel('wwwwwwwwww', 40, widthOf)).toBe('…www');
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 24, max: 400 }), (label, widthPx) => {
      expect(widthOf(fittedLabel(label, widthPx, widthOf))).toBeLessThanOrEqual(widthPx);
    }),
  );
});
