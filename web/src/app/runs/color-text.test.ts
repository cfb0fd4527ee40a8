import { expect, it } from 'vitest';
import { parseColor } from './color-text';

it.each([
  ['#1F77B4', '#1f77b4'],
  [' 1f77b4 ', '#1f77b4'],
  ['#abc', '#aabbcc'],
  ['#abcd', null],
  ['red', null],
  ['#12345g', null],
  ['#123456; background: url(x)', null],
  ['', null],
])('%j as a colour is %j', (text, color) => {
  expect(parseColor(text)).toBe(color);
});
