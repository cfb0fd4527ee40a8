import { describe, expect, test } from 'vitest';
import { contrast, mixColors, parseColor, withAlpha } from './color';

describe('parseColor', () => {
  test.each([
    ['#fff', { r: 255, g: 255, b: 255, a: 1 }],
    ['#1f77b4', { r: 31, g: 119, b: 180, a: 1 }],
    ['#00000080', { r: 0, g: 0, b: 0, a: 128 / 255 }],
    ['rgb(1, 2, 3)', { r: 1, g: 2, b: 3, a: 1 }],
    ['rgba(1, 2, 3, 0.5)', { r: 1, g: 2, b: 3, a: 0.5 }],
    ['rgb(100% 0% 0% / 25%)', { r: 255, g: 0, b: 0, a: 0.25 }],
  ])('reads %s', (text, rgba) => {
    expect(parseColor(text)).toEqual(rgba);
  });

  test.each(['', 'red', '#12', '#12345', 'rgb(1,2)', 'rgb(a,b,c)', 'var(--x)'])(
    'does not read %s',
    (text) => {
      expect(parseColor(text)).toBeNull();
    },
  );
});

test('black on white has the highest contrast there is', () => {
  expect(contrast(parseColor('#000')!, parseColor('#fff')!)).toBeCloseTo(21, 5);
  expect(contrast(parseColor('#777')!, parseColor('#777')!)).toBe(1);
});

test('opacity is replaced, and unread colours are left alone', () => {
  expect(withAlpha('#ff0000', 0.5)).toBe('rgba(255, 0, 0, 0.5)');
  expect(withAlpha('rebeccapurple', 0.5)).toBe('rebeccapurple');
});

test('half way between black and white is grey', () => {
  expect(mixColors(parseColor('#000')!, parseColor('#fff')!, 0.5)).toEqual({
    r: 127.5,
    g: 127.5,
    b: 127.5,
    a: 1,
  });
});
