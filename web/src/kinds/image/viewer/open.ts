// The way into the viewer, small enough for everyone who shows pictures; the viewer itself is loaded when it is wanted.
import { formatInteger } from '../../../base/format';
import type { Page } from '../../../state/page.svelte';
import { FILMS } from '../films/open';
import { hostFullView, openFullView, type FullView } from '../../../board/full-view/full-view.svelte';
import { mountOf } from '../../../board/full-view/mount-full-view';
import { slotOf } from '../../../board/tiles/slot-value';
import type { PictureItem } from '../picture-item';
import { MOST_SLOTS, OF_ONE_LOOK, OPEN } from './viewer-words';

export const VIEWER: FullView = {
  place: 'viewer:pictures',
  slots: OPEN,
  words: OF_ONE_LOOK,
  // Of stills and films together it hands the films over.
  above: [FILMS],
  name: 'The viewer',
  load: async () => mountOf((await import('./ViewerRoot.svelte')).default),
};

/** Opens the viewer on these pictures, side by side; of more than 16 the first, and says so. */
export function openViewer(page: Page, items: readonly PictureItem[]): void {
  if (items.length > MOST_SLOTS) {
    page.announce(`The first ${MOST_SLOTS} of ${formatInteger(items.length)} pictures are compared`);
  }
  const slots = items.slice(0, MOST_SLOTS).flatMap((item) => slotOf(page, item) ?? []);
  openFullView(page, VIEWER, slots);
}

/** For effects: the viewer and the player of films are there whenever the view says so. */
export function hostPictures(page: Page): () => void {
  const endings = [VIEWER, FILMS].map((full) => hostFullView(page, full));
  return () => {
    for (const end of endings) end();
  };
}
