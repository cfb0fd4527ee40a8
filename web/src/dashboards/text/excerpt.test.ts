import { expect, it } from 'vitest';
import { lastWords } from './excerpt';

it.each([
  ['', ''],
  ['few words ', 'few words '],
  ['…The quick brown fox jumps over the lazy dog near the ', '…fox jumps over the lazy dog near the '],
  [`…${'x'.repeat(60)}`, `…${'x'.repeat(40)}`],
  [`x${'😀'.repeat(30)}y`, `…${'😀'.repeat(19)}y`],
  [`${'x'.repeat(60)} `, `…${'x'.repeat(39)} `],
])('of %j the row has %j', (before, expected) => {
  expect(lastWords(before)).toBe(expected);
});
