// Which tag somebody wants to see: “Open in Images” on the dashboard that is opened next, a place found in texts on the one that is
// there. The dashboard opens its group, and its section brings itself into sight once it exists.
import { onePerPage } from '../../state/one-per-page.svelte';
import type { Page } from '../../state/page.svelte';
import type { Tag } from '../../state/types';

/** What somebody wants to see and is not there yet. A new one takes the place of the last; what shows it ends it. */
export class Requests<T extends object> {
  current = $state.raw<T | null>(null);

  make(request: T): void {
    this.current = request;
  }

  /** It is in sight, or cannot be. */
  end(): void {
    this.current = null;
  }
}

export interface TagRequest {
  readonly tag: Tag;
  /** The section gets the focus, too. */
  readonly isFocused: boolean;
}

export const tagRequestsOf = onePerPage(() => new Requests<TagRequest>());

export function requestTag(page: Page, tag: Tag, { isFocused = true } = {}): void {
  tagRequestsOf(page).make({ tag, isFocused });
}

/** Tags become other objects when runs join them; a table and a figure may have one name. */
export function isSameTag(one: Tag, other: Tag): boolean {
  return one.kind === other.kind && one.tag === other.tag;
}
