// What a page (or a view) has one of, made by the first who asks. That may be a component which goes again, and what it made stays: so
// it is made outside of whoever asks, as Svelte lets everything derived end with the effect that it was made in.
import type { Page } from './page.svelte';

export function onePer<Owner extends object, T extends object>(
  make: (owner: Owner) => T,
): (owner: Owner) => T {
  const made = new WeakMap<Owner, T>();
  return (owner) => {
    if (!made.has(owner)) $effect.root(() => void made.set(owner, make(owner)));
    return made.get(owner)!;
  };
}

export const onePerPage = <T extends object>(make: (page: Page) => T): ((page: Page) => T) => onePer(make);
