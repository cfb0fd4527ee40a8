// Puts the viewer into the document, beside the page: it is a dialog of its own, whoever asked for it.
import { mount, unmount } from 'svelte';
import type { Page } from '../../../state/page.svelte';
import ViewerRoot from './ViewerRoot.svelte';

/** Returns the way to take it away. */
export function mountViewer(page: Page): () => void {
  const root = mount(ViewerRoot, { target: document.body, props: { page } });
  return () => void unmount(root);
}
