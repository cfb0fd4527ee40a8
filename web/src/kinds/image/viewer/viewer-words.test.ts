import { expect, test } from 'vitest';
import { RANGE, settingOf } from './viewer-words';

test('a typed range is two numbers, the smaller one first', () => {
  const read = (text: string) => settingOf({ kindWords: { 'open.range': text } }, RANGE);
  expect(read('auto')).toBe('auto');
  expect(read('10..2000.5')).toEqual({ least: 10, greatest: 2000.5 });
  for (const text of ['', '5', '5..5', '9..1', 'a..b', '..3', '1..Infinity']) expect(read(text)).toBe('full');
});
