// public/theme.js knows by heart where the settings are kept, since it runs before everything else.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { flushSync } from 'svelte';
import { expect, test } from 'vitest';
import { LiveSettings } from '../state/settings.svelte';
import { emptyStorage } from '../state/testing.fixture';

const script = readFileSync('public/theme.js', 'utf8');

test.each(['light', 'dark'] as const)('the first paint has the %s theme that was chosen', (theme) => {
  const { storage, texts } = emptyStorage();
  const settings = new LiveSettings(storage);
  settings.theme = theme;
  flushSync();
  settings.destroy();
  const root = { dataset: { theme: '' } };
  runInNewContext(script, {
    localStorage: { getItem: (key: string) => texts.get(key) ?? null },
    matchMedia: () => ({ matches: theme === 'light' }),
    document: { documentElement: root },
  });
  expect(root.dataset.theme).toBe(theme);
});
