// The door to the film player, for tiles and for the viewer of still pictures. The player itself is fetched on first use.
import { mount, unmount } from 'svelte';
import type { Page } from '../../state/page.svelte';
import type { PictureItem } from '../images/picture-item';

/** The second press of a double click means the same player. */
let isOpening = false;

/** Shows the films side by side, in step with each other, above the page. Resolves when the player is there. */
export async function openFilms(page: Page, items: readonly PictureItem[]): Promise<void> {
  if (items.length === 0 || isOpening) return;
  isOpening = true;
  const { default: FilmHost } = await import('./FilmHost.svelte').finally(() => (isOpening = false));
  const host = mount(FilmHost, {
    target: document.body,
    props: {
      page,
      items,
      onclose: () => {
        void unmount(host);
      },
    },
  });
}
