// The door to the film player, for tiles and for the viewer of still pictures. The player itself is fetched on first use.
import type { Page } from '../../state/page.svelte';
import { openFullView, type FullView } from '../full-view.svelte';
import type { PictureItem } from '../images/picture-item';
import { mountOf } from '../mount-full-view';
import { slotOf } from '../slot-value';
import { FILM_SLOTS, FRAMES, MOST_FILMS, REGION, SYNC } from './film-words';

export const FILMS: FullView = {
  place: 'viewer:films',
  slots: FILM_SLOTS,
  words: [FRAMES.word, REGION.word, SYNC.word],
  name: 'The player',
  load: async () => mountOf((await import('./FilmPlayer.svelte')).default),
};

/** Shows the films side by side, in step with each other, above the page. */
export function openFilms(page: Page, items: readonly PictureItem[]): void {
  const slots = items.slice(0, MOST_FILMS).flatMap((item) => slotOf(page, item) ?? []);
  openFullView(page, FILMS, slots);
}
