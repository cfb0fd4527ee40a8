// The way into the viewer, small enough for everyone who shows pictures; the viewer itself is loaded when it is wanted.
//
// Whether it is open is part of the view, as is what it shows: openViewer only says so there, and whoever hosts the viewer (a
// page or a card with pictures) sees to it that it comes and goes with that – also by a link, or by the browser's Back.
import { untrack } from 'svelte';
import { formatInteger } from '../../../base/format';
import type { Page } from '../../../state/page.svelte';
import type { PictureItem } from '../picture-item';
import { setSetting } from '../../media-view';
import { clearViewer, isViewerOpen, MOST_SLOTS, OPEN, VIEWER_PLACE } from './viewer-words';

/** Opens the viewer on these pictures, side by side; of more than 16 the first, and says so. */
export function openViewer(page: Page, items: readonly PictureItem[]): void {
  const slots = items.slice(0, MOST_SLOTS).flatMap(({ run, tag, sample, step }) => {
    const name = page.runs.byId.get(run)?.name;
    return name === undefined ? [] : [{ run: name, tag, sample, step }];
  });
  if (slots.length === 0) return;
  if (items.length > MOST_SLOTS) {
    page.announce(`The first ${MOST_SLOTS} of ${formatInteger(items.length)} pictures are compared`);
  }
  keepHost(page);
  clearViewer(page.view);
  setSetting(page.view, OPEN, slots);
  page.view.fullScreenCard = VIEWER_PLACE;
}

export function closeViewer(page: Page): void {
  page.view.fullScreenCard = null;
  clearViewer(page.view);
}

interface Host {
  users: number;
  readonly end: () => void;
}

const hosts = new WeakMap<Page, Host>();

/** For effects: the viewer is there whenever the view says so, until the returned function is called by all who asked. */
export function hostViewer(page: Page): () => void {
  const host = keepHost(page);
  host.users += 1;
  return () => {
    host.users -= 1;
    if (host.users > 0) return;
    hosts.delete(page);
    host.end();
  };
}

function keepHost(page: Page): Host {
  let host = hosts.get(page);
  if (host === undefined) {
    host = { users: 0, end: untrack(() => follow(page)) };
    hosts.set(page, host);
  }
  return host;
}

/** Shows and hides the viewer as the view says. */
function follow(page: Page): () => void {
  let close: (() => void) | null = null;
  let isWanted = false;
  /** What Back has closed, for Forward. */
  let left: Readonly<Record<string, string>> = {};

  const open = async (): Promise<void> => {
    const { mountViewer } = await import('./mount');
    if (isWanted && close === null) close = mountViewer(page);
  };
  const end = $effect.root(() => {
    $effect(() => {
      const { view } = page;
      if (view.fullScreenCard === VIEWER_PLACE && !isViewerOpen(view)) {
        if (Object.keys(left).length > 0) view.media = { ...view.media, ...left };
        else view.fullScreenCard = null;
      }
      isWanted = isViewerOpen(view);
      if (isWanted) {
        open().catch((error: unknown) => {
          page.announce(`The viewer could not be loaded: ${String(error)}`);
          closeViewer(page);
        });
      } else {
        const words = untrack(() => clearViewer(view));
        if (Object.keys(words).length > 0) left = words;
        close?.();
        close = null;
      }
    });
  });
  return () => {
    end();
    // It may be on its way.
    isWanted = false;
    close?.();
  };
}
