// What covers the page and is a place of its own: the viewer of pictures, the player of films, the comparison of texts.
//
// Whether it is open is part of the view (view.fullScreenCard names its place), as is what it shows (words of view.kindWords):
// opening it only says so there, and whoever hosts it (a page, or a card of it) sees to it that it comes and goes with that –
// also by a link, by a reload, or by the browser's Back and Forward.
import { untrack } from 'svelte';
import type { Page } from '../../state/page.svelte';
import type { ViewState } from '../../state/types';
import { parseView } from '../../state/settings/link';
import {
  setSetting,
  settingOf,
  withoutWords,
  type KindWords,
  type Setting,
  type WithKindWords,
} from '../../state/settings/setting';
import type { Slot } from '../tiles/slots';

export interface FullView {
  /** What view.fullScreenCard says while it is open: a place of its own in the browser's history. */
  readonly place: string;
  /** What it shows. */
  readonly slots: Setting<readonly Slot[]>;
  /** More words that belong to one look at them; all others are habits, and stay for the next one. */
  readonly words: readonly string[];
  /** Those that may lie over it: it stays below them. */
  readonly above?: readonly FullView[];
  /** How it is called when it cannot be had: "The viewer". */
  readonly name: string;
  /** Fetches it on first use. What comes puts it into the document, and returns the way to take it away. */
  readonly load: () => Promise<(page: Page) => () => void>;
}

type WithPlace = Pick<ViewState, 'fullScreenCard' | 'kindWords'>;

export function isFullViewOpen(view: WithPlace, full: FullView): boolean {
  const isHere = [full, ...(full.above ?? [])].some(({ place }) => place === view.fullScreenCard);
  return isHere && settingOf(view, full.slots).length > 0;
}

export function openFullView(page: Page, full: FullView, slots: readonly Slot[]): void {
  const { view } = page;
  if (slots.length === 0) return;
  const host = keepHost(page, full);
  if (view.fullScreenCard !== full.place) host.before = view.fullScreenCard;
  clearWords(view, full);
  setSetting(view, full.slots, slots);
  view.fullScreenCard = full.place;
}

/** Back to what it was opened from: a card in full screen, or another one of these. */
export function closeFullView(page: Page, full: FullView): void {
  const { view } = page;
  const [lower] = lowerOf(page, full);
  view.fullScreenCard = lower?.place ?? hosts.get(page)?.get(full)?.before ?? null;
  clearWords(view, full);
}

/** Those that are open below it. */
function lowerOf(page: Page, full: FullView): FullView[] {
  const others = [...(hosts.get(page)?.keys() ?? [])];
  return others.filter((one) => one.above?.includes(full) && isFullViewOpen(page.view, one));
}

/** Takes away what a closed one leaves behind. */
function clearWords(view: WithKindWords, full: FullView): void {
  if (Object.keys(view.kindWords).some((word) => isOfLook(full, word)))
    view.kindWords = withoutWords(view.kindWords, (word) => isOfLook(full, word));
}

/** What Back or Forward lead to says itself what was shown there: the entry of the history keeps its link, also over a reload. */
function wordsInLink(full: FullView): KindWords {
  return withoutWords(parseView(location.hash).view.kindWords, (word) => !isOfLook(full, word));
}

export function isOfLook({ slots, words }: FullView, word: string): boolean {
  return word === slots.word || words.includes(word);
}

interface Host {
  readonly full: FullView;
  users: number;
  /** What was open before it: a card in full screen, or nothing. */
  before: string | null;
  readonly end: () => void;
}

const hosts = new WeakMap<Page, Map<FullView, Host>>();

/** For effects: it is there whenever the view says so, until the returned function is called by all who asked. */
export function hostFullView(page: Page, full: FullView): () => void {
  const host = keepHost(page, full);
  host.users += 1;
  return () => {
    host.users -= 1;
    if (host.users > 0) return;
    hosts.get(page)?.delete(full);
    host.end();
  };
}

function keepHost(page: Page, full: FullView): Host {
  const ofPage = hosts.get(page) ?? new Map<FullView, Host>();
  hosts.set(page, ofPage);
  let host = ofPage.get(full);
  if (host === undefined) {
    host = { full, users: 0, before: null, end: untrack(() => follow(page, full)) };
    ofPage.set(full, host);
  }
  return host;
}

/** Shows and hides it as the view says. */
function follow(page: Page, full: FullView): () => void {
  let close: (() => void) | null = null;
  let isWanted = false;

  const open = async (): Promise<void> => {
    // What lies below comes first: the last one to come is on top.
    await Promise.all(lowerOf(page, full).map((one) => one.load()));
    const mount = await full.load();
    if (isWanted && close === null) close = mount(page);
  };
  const end = $effect.root(() => {
    $effect(() => {
      const { view } = page;
      if (view.fullScreenCard === full.place && !isFullViewOpen(view, full)) {
        view.kindWords = { ...view.kindWords, ...wordsInLink(full) };
        if (!isFullViewOpen(view, full)) view.fullScreenCard = lowerOf(page, full)[0]?.place ?? null;
      }
      isWanted = isFullViewOpen(view, full);
      const host = hosts.get(page)?.get(full);
      // Forward may lead here, too.
      if (!isWanted && host !== undefined) host.before = view.fullScreenCard;
      if (isWanted) {
        open().catch((error: unknown) => {
          // Nobody waits for it any more.
          if (!isWanted) return;
          page.announce(`${full.name} could not be loaded: ${String(error)}`);
          closeFullView(page, full);
        });
      } else {
        untrack(() => clearWords(view, full));
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
