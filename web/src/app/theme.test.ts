import { describe, expect, test } from 'vitest';
import { nextChoice, resolveTheme } from './theme';

describe('the theme', () => {
  test('is the system’s unless somebody chose', () => {
    expect(resolveTheme('system', true)).toBe('dark');
    expect(resolveTheme('system', false)).toBe('light');
    expect(resolveTheme('light', true)).toBe('light');
  });

  test.each([true, false])('every switch changes what is seen (system dark: %s)', (isSystemDark) => {
    for (const choice of ['system', 'light', 'dark'] as const) {
      const next = nextChoice(choice, isSystemDark);
      expect(resolveTheme(next, isSystemDark)).not.toBe(resolveTheme(choice, isSystemDark));
    }
  });

  test('two switches lead back to following the system', () => {
    expect(nextChoice(nextChoice('system', true), true)).toBe('system');
  });
});
