// Writes the page's address: the view in words, what does not fit into a link, and the habits of this browser. For
// url-sync.svelte.ts, which says when; it is fetched beside the first view, of which there is nothing to write.
import { defaultView } from './default-view';
import type { Selection, ViewState } from './types';
import { HABITS_KEY, SAVED_KEY, savedSelections, type UrlOptions } from './url-sync.svelte';
import { pairsOfSearch } from './url-text';
import { isTensorboardQuery } from './view-url';
import { formatView, MOST_LINK_CHARS, type NamedView } from './view-words';

export { namedWords } from './view-words';

const MOST_SAVED = 20;
/** Of all saved selections together; browsers give a site about five million. */
const MOST_SAVED_CHARS = 1_000_000;
/** Browsers refuse URLs of some millions; the last one that fits stays. */
const MOST_URL_CHARS = 1_000_000;

export class UrlWriter {
  readonly #options: Pick<UrlOptions, 'window' | 'storage' | 'announce'>;
  /** Of the selection that this tab saved last and nobody was given a link to. */
  #savedName: string | null = null;
  #wasCutAnnounced = false;
  #wasLengthAnnounced = false;

  constructor(options: Pick<UrlOptions, 'window' | 'storage' | 'announce'>) {
    this.#options = options;
  }

  urlOf(view: ViewState, named: NamedView | 'none' | null, isForOthers: boolean): string {
    const { window, announce } = this.#options;
    const nameOfSaved = (selection: Selection): string | null => this.#save(selection);
    const { hash, isSelectionCut } = formatView(view, { nameOfSaved, isForOthers, named });
    if (hash.length > MOST_LINK_CHARS && !this.#wasLengthAnnounced) {
      this.#wasLengthAnnounced = true;
      announce(
        'The address of this page is too long to be passed on. Save the view and pass on its link instead',
      );
    }
    if (hash.length > MOST_URL_CHARS) return window.location.href;
    if (isSelectionCut && !this.#wasCutAnnounced) {
      this.#wasCutAnnounced = true;
      announce(
        'So many single runs do not fit into a link: it works in this browser only. A filter would fit',
      );
    }
    const url = new URL(window.location.href);
    const kept = url.search
      .replace(/^\?/, '')
      .split('&')
      .filter((part) => part !== '' && !pairsOfSearch(part).some(({ word }) => isTensorboardQuery(word)));
    url.search = kept.join('&');
    url.hash = hash;
    return url.href;
  }

  /** Someone may keep the last link: what it names stays. */
  keepSaved(): void {
    this.#savedName = null;
  }

  /** What the next visit begins with. */
  remember(view: ViewState): void {
    const habits: ViewState = {
      ...defaultView(),
      runFilterKind: view.runFilterKind,
      smoothing: view.smoothing,
      ignoreOutliers: view.ignoreOutliers,
      tooltipSort: view.tooltipSort,
      tooltipRows: view.tooltipRows,
      cardWidthPx: view.cardWidthPx,
      pins: view.pins,
      table: view.table,
    };
    this.#options.storage.write(HABITS_KEY, formatView(habits).hash);
  }

  #save(selection: Selection): string | null {
    const { storage } = this.#options;
    const text = JSON.stringify(selection);
    const name = nameOf(text);
    // Clicking through a thousand runs is one selection, not a thousand.
    const kept = savedSelections(storage).filter(
      (saved) => saved.name !== name && saved.name !== this.#savedName,
    );
    kept.push({ name, text });
    let chars = kept.reduce((sum, saved) => sum + saved.text.length, 0);
    while (kept.length > MOST_SAVED || chars > MOST_SAVED_CHARS) chars -= kept.shift()!.text.length;
    // Full of what others keep there: the newest alone may fit.
    const isSaved =
      kept.length > 0 && (storage.write(SAVED_KEY, kept) || storage.write(SAVED_KEY, kept.slice(-1)));
    this.#savedName = isSaved ? name : null;
    return this.#savedName;
  }
}

/** Short, and the same for the same choice. */
function nameOf(text: string): string {
  let h1 = 0x811c9dc5;
  let h2 = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    h1 = Math.imul(h1 ^ text.charCodeAt(i), 0x01000193);
    h2 = Math.imul(h2 ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return (h1 >>> 0).toString(36) + (h2 >>> 0).toString(36);
}
