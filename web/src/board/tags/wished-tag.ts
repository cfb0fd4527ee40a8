// Which tag somebody wants to see: “Open in Images” on the dashboard that is opened next, a place found in texts on the one that is
// there. The dashboard opens its group, and its section brings itself into sight once it exists.
import { onePerPage } from '../../state/one-per-page.svelte';
import type { Page } from '../../state/page.svelte';
import type { Tag } from '../../state/types';
import { Wishes } from './wishes.svelte';

export interface TagWish {
  readonly tag: Tag;
  /** The section gets the focus, too. */
  readonly isFocused: boolean;
}

export const tagWishesOf = onePerPage(() => new Wishes<TagWish>());

export function wishForTag(page: Page, tag: Tag, { isFocused = true } = {}): void {
  tagWishesOf(page).make({ tag, isFocused });
}

/** Tags become other objects when runs join them; a table and a figure may have one name. */
export function isSameTag(one: Tag, other: Tag): boolean {
  return one.kind === other.kind && one.tag === other.tag;
}
