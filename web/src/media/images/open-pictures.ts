// From a tile to a closer look: stills into the viewer, films into their player. Both are fetched on first use.
import type { Page } from '../../state/page.svelte';
import type { PictureItem } from './picture-item';

export async function openPictures(
  page: Page,
  items: readonly PictureItem[],
  areFilms: boolean,
): Promise<void> {
  try {
    if (areFilms) {
      const { openFilms } = await import('../films/open');
      openFilms(page, items);
    } else {
      const { openViewer } = await import('./viewer/open');
      openViewer(page, items);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    page.announce(`The pictures could not be opened: ${message}`);
  }
}
