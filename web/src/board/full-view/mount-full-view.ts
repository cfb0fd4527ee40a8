// Puts what covers the page into the document, beside it: it is a dialog of its own, whoever asked for it.
import { mount, unmount, type Component } from 'svelte';
import type { Page } from '../../state/page.svelte';
import FullViewHost from './FullViewHost.svelte';

/** For FullView.load: what mounts it, which returns the way to take it away. */
export function mountOf(content: Component): (page: Page) => () => void {
  return (page) => {
    const root = mount(FullViewHost, { target: document.body, props: { page, content } });
    return () => void unmount(root);
  };
}
