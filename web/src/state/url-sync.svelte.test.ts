import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LiveView } from './live-view.svelte';
import { emptyStorage } from './testing.fixture';
import { initialView, UrlSync, type UrlWindow } from './url-sync.svelte';

/** A browser window with a history, as far as the page can see. */
class ScriptedWindow implements UrlWindow {
  readonly entries: { url: string; state: unknown }[];
  #at = 0;
  readonly #listeners = new Map<string, () => void>();

  constructor(url: string) {
    this.entries = [{ url, state: null }];
  }

  get location(): URL {
    return new URL(this.entries[this.#at]!.url);
  }

  readonly history = {
    pushState: (state: unknown, _: string, url: string): void => {
      this.entries.splice(++this.#at, Infinity, { url, state });
    },
    replaceState: (state: unknown, _: string, url: string): void => {
      this.entries[this.#at] = { url, state };
    },
    state: null as unknown,
  };

  addEventListener(type: string, listener: () => void): void {
    this.#listeners.set(type, listener);
  }

  removeEventListener(type: string): void {
    this.#listeners.delete(type);
  }

  /** The user types into the address bar. */
  type(url: string): void {
    this.entries.splice(++this.#at, Infinity, { url, state: null });
    this.#arrive();
  }

  back(): void {
    this.#at--;
    this.#arrive();
  }

  #arrive(): void {
    this.history.state = this.entries[this.#at]!.state;
    this.#listeners.get('popstate')?.();
    this.#listeners.get('hashchange')?.();
    flushSync();
  }
}

const HOST = 'http://host:6006/prefix/';
let browser: ScriptedWindow;
let view: LiveView;
let sync: UrlSync;
let saved = emptyStorage();
const announce = vi.fn();

function open(url: string): void {
  browser = new ScriptedWindow(url);
  view = new LiveView(initialView(browser.location, saved.storage, announce).view);
  sync = new UrlSync(view, { window: browser, storage: saved.storage, announce });
  settle();
}

function settle(): void {
  flushSync();
  vi.advanceTimersByTime(1000);
}

beforeEach(() => {
  vi.useFakeTimers();
  saved = emptyStorage();
  announce.mockReset();
});

afterEach(() => {
  sync.destroy();
  vi.useRealTimers();
});

describe('the URL', () => {
  test('follows the view, in place', () => {
    open(HOST);
    view.smoothing.amount = 0.3;
    view.pins.push('loss');
    settle();
    expect(browser.entries.map(({ url }) => url)).toEqual([`${HOST}#timeseries&smoothing=0.3&pins=loss`]);
  });

  test('is written once for many quick changes', () => {
    open(HOST);
    const replace = vi.spyOn(browser.history, 'replaceState');
    for (let i = 1; i < 9; i++) {
      view.smoothing.amount = i / 10;
      flushSync();
      vi.advanceTimersByTime(50);
    }
    settle();
    expect(replace).toHaveBeenCalledOnce();
  });

  test('of TensorBoard becomes our own; other words of the query stay', () => {
    open(`${HOST}?smoothing=0.9&run=x&tagFilter=acc#timeseries`);
    expect(browser.location.href).toBe(`${HOST}?run=x#timeseries&tagFilter=acc&smoothing=0.9`);
  });

  test('gets a new entry for another dashboard and for full screen', () => {
    open(HOST);
    view.dashboard = 'scalars';
    settle();
    view.fullScreenTag = 'loss';
    settle();
    expect(browser.entries.map(({ url }) => url.slice(HOST.length))).toEqual([
      '#timeseries',
      '#scalars',
      '#scalars&full=loss',
    ]);
  });

  test('gets none for leaving full screen', () => {
    open(HOST);
    view.fullScreenTag = 'loss';
    settle();
    view.fullScreenTag = null;
    settle();
    expect(browser.entries.length).toBe(2);
    expect(browser.location.hash).toBe('#timeseries');
  });

  test('gives a link at any moment', () => {
    open(HOST);
    view.tagFilter = 'loss';
    expect(sync.link).toBe(`${HOST}#timeseries&tagFilter=loss`);
  });
});

describe('navigation', () => {
  test('Back leaves full screen and keeps what was set there', () => {
    open(HOST);
    settle();
    view.fullScreenTag = 'loss';
    settle();
    view.smoothing.amount = 0.1;
    settle();
    browser.back();
    settle();
    expect(view.fullScreenTag).toBeNull();
    expect(view.smoothing.amount).toBe(0.1);
    expect(browser.location.hash).toBe('#timeseries&smoothing=0.1');
    expect(browser.entries.length).toBe(2);
  });

  test('a URL that is typed is taken as a whole', () => {
    open(`${HOST}#timeseries&smoothing=0.1&tagFilter=acc`);
    browser.type(`${HOST}#scalars&regexInput=baseline`);
    settle();
    expect(view).toMatchObject({
      dashboard: 'scalars',
      runFilter: 'baseline',
      tagFilter: '',
      smoothing: { amount: 0.6 },
    });
    expect(browser.location.hash).toBe('#scalars&runFilter=baseline');
  });
});

describe('what was used last', () => {
  function useAndLeave(): void {
    open(HOST);
    view.smoothing = { kind: 'gaussian', amount: 5 };
    view.pins = ['loss'];
    view.tagFilter = 'only now';
    view.table.columns = ['status', 'metric:loss'];
    settle();
    sync.destroy();
  }

  test('is where a URL that says nothing starts', () => {
    useAndLeave();
    open(`${HOST}#scalars`);
    expect(view).toMatchObject({
      dashboard: 'scalars',
      smoothing: { kind: 'gaussian', amount: 5 },
      pins: ['loss'],
      tagFilter: '',
      table: { columns: ['status', 'metric:loss'] },
    });
  });

  test('does not change what a link says, beyond pins and columns', () => {
    useAndLeave();
    open(`${HOST}#scalars&tagFilter=acc`);
    expect(view).toMatchObject({
      smoothing: { kind: 'ema', amount: 0.6 },
      pins: ['loss'],
      table: { columns: ['status', 'metric:loss'] },
    });
  });
});

describe('a choice of runs that is too long', () => {
  const except = Array.from({ length: 1000 }, (_, i) => `experiment/run_${i}`);

  test('stays in this browser, and is announced once', () => {
    open(HOST);
    view.selection = { rule: 'none', except };
    settle();
    view.tagFilter = 'x';
    settle();
    const url = browser.location.href;
    expect(url.length).toBeLessThan(200);
    expect(announce).toHaveBeenCalledOnce();
    sync.destroy();
    open(url);
    expect(view.selection).toEqual({ rule: 'none', except });
  });

  test('that this browser does not know leaves the rule, and says so', () => {
    open(`${HOST}#timeseries&runs=none&saved=abc`);
    expect(view.selection).toEqual({ rule: 'none', except: [] });
    expect(announce).toHaveBeenCalledOnce();
  });
});
