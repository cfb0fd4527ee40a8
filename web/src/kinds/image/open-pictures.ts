// From a tile to a closer look: stills into the viewer, films into their player. The code of both is fetched on first use.
import { formatInteger } from '../../base/format';
import { hostFullView, openFullView, type FullView } from '../../board/full-view/full-view.svelte';
import { mountOf } from '../../board/full-view/mount-full-view';
import { slotOf } from '../../board/tiles/slot-value';
import type { Page } from '../../state/page.svelte';
import { FILM_SLOTS, FRAME, MOST_FILMS } from './films/film-words';
import type { PictureItem } from './picture-item';
import { MOST_SLOTS, OF_ONE_LOOK, OPEN } from './viewer/viewer-words';

export const FILMS: FullView = {
  place: 'viewer:films',
  slots: FILM_SLOTS,
  words: [FRAME.word],
  name: 'The player',
  load: async () => mountOf((await import('./films/FilmPlayer.svelte')).default),
};

export const VIEWER: FullView = {
  place: 'viewer:pictures',
  slots: OPEN,
  words: OF_ONE_LOOK,
  // Of stills and films together it hands the films over.
  above: [FILMS],
  name: 'The viewer',
  load: async () => mountOf((await import('./viewer/Viewer.svelte')).default),
};

/** Side by side, above the page; of too many the first, and it is said. */
export function openPictures(page: Page, items: readonly PictureItem[], areFilms: boolean): void {
  const [full, most, name] = areFilms
    ? ([FILMS, MOST_FILMS, 'films'] as const)
    : ([VIEWER, MOST_SLOTS, 'pictures'] as const);
  if (items.length > most) {
    page.announce(`The first ${most} of ${formatInteger(items.length)} ${name} are compared`);
  }
  const slots = items.slice(0, most).flatMap((item) => slotOf(page, item) ?? []);
  openFullView(page, full, slots);
}

/** For effects: the viewer and the player of films are there whenever the view says so. */
export function hostPictures(page: Page): () => void {
  const endings = [VIEWER, FILMS].map((full) => hostFullView(page, full));
  return () => {
    for (const end of endings) end();
  };
}
