// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { describe, expect, test } from 'vitest';
import { BrowserStorage } from './browser-storage';
import { LiveSettings } from './settings.svelte';
import { emptyStorage } from './testing.fixture';

describe('settings', () => {
  test('are there the next time', () => {
    const { storage } = emptyStorage();
    const settings = new LiveSettings(storage);
    settings.theme = 'dark';
    settings.sideBarWidthPx = 420;
    flushSync();
    settings.destroy();
    expect(new LiveSettings(storage).plain).toMatchObject({ theme: 'dark', sideBarWidthPx: 420 });
  });

  test('keep the chosen theme when a link asks for another', () => {
    const { storage } = emptyStorage();
    const chosen = new LiveSettings(storage);
    chosen.theme = 'light';
    flushSync();
    chosen.destroy();
    const linked = new LiveSettings(storage, 'dark');
    linked.isLive = false;
    flushSync();
    expect(linked.theme).toBe('dark');
    linked.destroy();
    const later = new LiveSettings(storage, 'dark');
    expect(new LiveSettings(storage).theme).toBe('light');
    later.theme = 'system';
    flushSync();
    expect(later.theme).toBe('system');
    later.destroy();
  });

  test('that make no sense are the defaults', () => {
    const { storage, texts } = emptyStorage();
    const standard = new LiveSettings(storage).plain;
    for (const text of ['nonsense', '7', '{"theme":"pink","sideBarWidthPx":-5,"isLive":"yes"}', 'null']) {
      texts.set('sightline.settings.1', text);
      expect(new LiveSettings(storage).plain).toEqual(standard);
    }
  });

  test('work where nothing can be stored', () => {
    const refuse = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    const storages = [null, { getItem: refuse, setItem: refuse }];
    for (const broken of storages) {
      const settings = new LiveSettings(new BrowserStorage(broken));
      settings.isLive = false;
      flushSync();
      expect(settings.isLive).toBe(false);
      settings.destroy();
    }
  });
});
