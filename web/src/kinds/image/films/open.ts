// The door to the film player, for tiles and for the viewer of still pictures. The player itself is fetched on first use.
import { formatInteger } from '../../../base/format';
import type { Page } from '../../../state/page.svelte';
import { openFullView, type FullView } from '../../../board/full-view/full-view.svelte';
import type { PictureItem } from '../picture-item';
import { mountOf } from '../../../board/full-view/mount-full-view';
import { slotOf } from '../../../board/tiles/slot-value';
import { FILM_SLOTS, FRAMES, MOST_FILMS, REGION, SYNC } from './film-words';

export const FILMS: FullView = {
  place: 'viewer:films',
  slots: FILM_SLOTS,
  words: [FRAMES.word, REGION.word, SYNC.word],
  name: 'The player',
  load: async () => mountOf((await import('./FilmPlayer.svelte')).default),
};

/** Shows the films side by side, in step with each other, above the page; of more than nine the first, and says so. */
export function openFilms(page: Page, items: readonly PictureItem[]): void {
  if (items.length > MOST_FILMS) {
    page.announce(`The first ${MOST_FILMS} of ${formatInteger(items.length)} films are compared`);
  }
  const slots = items.slice(0, MOST_FILMS).flatMap((item) => slotOf(page, item) ?? []);
  openFullView(page, FILMS, slots);
}
