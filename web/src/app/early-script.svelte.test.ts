// @vitest-environment happy-dom
// public/early.js knows by heart where the settings are kept, since it runs before everything else.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { flushSync } from 'svelte';
import { expect, test } from 'vitest';
import { LiveSettings } from '../state/settings.svelte';
import { emptyStorage } from '../state/testing.fixture';

const script = readFileSync('public/early.js', 'utf8');

interface Link {
  rel: string;
  as?: string;
  crossOrigin: string;
  href: string;
}

/** Runs it in a browser that has nothing but what it needs. */
function run({ texts = new Map<string, string>(), isSystemDark = false, late = '', hash = '' }): {
  theme: string;
  links: Link[];
} {
  const root = { dataset: { theme: '' } };
  const links: Link[] = [];
  runInNewContext(script, {
    localStorage: { getItem: (key: string) => texts.get(key) ?? null },
    matchMedia: () => ({ matches: isSystemDark }),
    location: { hash },
    document: {
      documentElement: root,
      currentScript: { dataset: { late } },
      createElement: () => ({}),
      head: { append: (link: Link) => links.push(link) },
    },
  });
  return { theme: root.dataset.theme, links };
}

test.each(['light', 'dark'] as const)('the first paint has the %s theme that was chosen', (theme) => {
  const { storage, texts } = emptyStorage();
  const settings = new LiveSettings(storage);
  settings.theme = theme;
  flushSync();
  settings.destroy();
  expect(run({ texts, isSystemDark: theme === 'light' }).theme).toBe(theme);
});

const LATE = 'text ./assets/t.js; images ./assets/i.js ./assets/i.css';

test('the code of the dashboard that the address names is fetched at once', () => {
  const { links } = run({ late: LATE, hash: '#images&media=step:10' });
  expect(links).toEqual([
    { rel: 'modulepreload', crossOrigin: '', href: './assets/i.js' },
    { rel: 'preload', as: 'style', crossOrigin: '', href: './assets/i.css' },
  ]);
});

test.each(['', '#scalars', '#view=images', '#constructor', '#', '#imagesx'])(
  'nothing is fetched for %j, which names none that comes late',
  (hash) => {
    expect(run({ late: LATE, hash }).links).toEqual([]);
    expect(run({ hash }).links).toEqual([]);
  },
);
