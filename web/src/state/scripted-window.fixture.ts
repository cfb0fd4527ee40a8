// A browser's window with a history, for tests: typing, Back, Forward and reloading as the page sees them.
import { flushSync } from 'svelte';
import type { UrlWindow } from './url-sync.svelte';

export class ScriptedWindow implements UrlWindow {
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
    /** Later, as in a browser; what is not there is not gone to. */
    go: (by: number): void => {
      setTimeout(() => {
        if (this.entries[this.#at + by] !== undefined) this.#goTo(this.#at + by);
      }, 5);
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

  leave(): void {
    this.#listeners.get('pagehide')?.();
  }

  back(): void {
    this.#goTo(this.#at - 1);
  }

  forward(): void {
    this.#goTo(this.#at + 1);
  }

  /** The same entries in a page that has just been loaded. */
  reloaded(): ScriptedWindow {
    const next = new ScriptedWindow('');
    next.entries.splice(0, 1, ...this.entries);
    next.#at = this.#at;
    next.history.state = this.entries[this.#at]!.state;
    return next;
  }

  #goTo(at: number): void {
    this.#at = at;
    this.#arrive();
  }

  #arrive(): void {
    this.history.state = this.entries[this.#at]!.state;
    this.#listeners.get('popstate')?.();
    this.#listeners.get('hashchange')?.();
    flushSync();
  }
}
