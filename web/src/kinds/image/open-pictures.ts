// From a tile to a closer look: stills into the viewer, films into their player. The code of both is fetched on first use.
import type { Page } from '../../state/page.svelte';
import { openFilms } from './films/open';
import type { PictureItem } from './picture-item';
import { openViewer } from './viewer/open';

export function openPictures(page: Page, items: readonly PictureItem[], areFilms: boolean): void {
  if (areFilms) openFilms(page, items);
  else openViewer(page, items);
}
