// “Open in Images”: which tag somebody wants to see on the dashboard that is opened next.
import type { Page } from '../state/page.svelte';
import type { Tag } from '../state/types';

const wishes = new WeakMap<Page, Tag>();

export function wishForTag(page: Page, tag: Tag): void {
  wishes.set(page, tag);
}

/** Once: whoever has taken it shows it. */
export function takeWish(page: Page): Tag | null {
  const tag = wishes.get(page) ?? null;
  wishes.delete(page);
  return tag;
}
