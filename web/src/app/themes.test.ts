// @vitest-environment happy-dom
// The tokens are read from the style sheet itself: text has to be readable on every ground it may stand on.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync('src/app/themes.css', 'utf8');

function tokens(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!]));
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const light = tokens(':root');
const dark = new Map([...light, ...tokens(":root[data-theme='dark']")]);
const TEXTS = ['--text', '--text-muted', '--text-faint', '--accent', '--danger', '--warning', '--success'];
const GROUNDS = ['--bg', '--bg-raised', '--bg-sunken', '--bg-hover'];

describe.each([
  ['light', light],
  ['dark', dark],
])('in the %s theme', (_, theme) => {
  const pairs = TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const));
  test.each([...pairs, ['--accent-text', '--accent'] as const])('%s is readable on %s', (text, ground) => {
    expect(contrast(theme.get(text)!, theme.get(ground)!)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(GROUNDS)('the focus ring stands out from %s', (ground) => {
    expect(contrast(theme.get('--focus')!, theme.get(ground)!)).toBeGreaterThanOrEqual(3);
  });
});

test('the dark theme changes every colour of the light one', () => {
  const colors = [...light].filter(([, value]) => value.startsWith('#')).map(([name]) => name);
  expect(colors.filter((name) => dark.get(name) === light.get(name))).toEqual([]);
});
