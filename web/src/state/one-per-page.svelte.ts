// What a page has one of, made by the first who asks. That may be a component which goes again, and what it made stays: so it is
// made outside of whoever asks, as Svelte lets everything derived end with the effect that it was made in.
import type { Page } from './page.svelte';

export function onePerPage<T extends object>(make: (page: Page) => T): (page: Page) => T {
  const made = new WeakMap<Page, T>();
  return (page) => {
    if (!made.has(page)) $effect.root(() => void made.set(page, make(page)));
    return made.get(page)!;
  };
}
