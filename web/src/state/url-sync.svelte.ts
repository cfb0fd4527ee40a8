// Ties the view to the browser's URL, both ways.
//
// Every change of the view is written into the URL at once, in place (replaceState), so that the address bar is always a
// link to what is seen, and a reload shows it again. Browsers allow only so many writes: while a slider is dragged, the
// first positions are written, then one now and then, and the last.
//
// Opening another dashboard or a card in full screen makes a new entry in the history, so that Back leaves it again. Closing
// what covers the page goes back to the entry that it was opened from, so that the next Back leads to what was before, and
// Forward opens it again. A URL that was typed, or a link that was clicked, is taken as a whole and begins a visit of its
// own, and so does a saved view: from one visit to another Back and Forward restore all that was there. Within a visit they
// are navigation, not undo: another dashboard shows the runs, tags and steps that it showed then, what covers the page
// shares even these with it, and smoothing, charts and all else that was set stays.
//
// A URL that says nothing starts with what was used last in this browser (smoothing, tooltip, columns, pins). The long
// part of a selection – thousands of runs named one by one – stays in this browser's storage, and the URL names it.
//
// A URL may name a saved view. Whoever can ask the server for it (app/views) finds it in `wanted` and hands it over; until
// then nothing is written, or the name would be lost. From then on the URL says the name and what was changed since.
// A URL that says nothing wants the log's default view, which is known from the last visit or comes later.
import type { BrowserStorage } from './browser-storage';
import type { LiveView } from './live-view.svelte';
import { SavedSelections } from './saved-selections';
import {
  formatView,
  habitsOf,
  habitWords,
  MOST_LINK_CHARS,
  namedWords,
  parseView,
  type NamedView,
  type NamedWords,
  type ParsedView,
} from './settings/link';
import { pairsOfSearch } from './settings/link-text';
import { isTensorboardQuery } from './settings/tensorboard-link';
import { DEFAULT_DASHBOARD, whatWasShown, type ViewState } from './settings/view';
import type { ThemeChoice } from './types';

/** Safari allows 100 writes in 30 seconds: these at once, and one more after each interval. */
const MOST_WRITES_AT_ONCE = 20;
const WRITE_INTERVAL_MS = 400;
/** After Back or Forward: what was opened there reads its part of the entry, and its code may be on its way. */
const ARRIVAL_MS = 300;
/** Going to another entry takes a moment; a browser that has not done so by then never will. */
const LONGEST_LEAVING_MS = 1000;
/** Entries of which an entry knows that they are before it. */
const MOST_TRAIL = 8;
/** Browsers refuse URLs of some millions; the last one that fits stays. */
const MOST_URL_CHARS = 1_000_000;
const HABITS_KEY = 'view.1';
const DEFAULT_KEY = 'default-view.1';

/** The part of the window that is needed. */
export interface UrlWindow {
  readonly location: { readonly href: string; readonly hash: string; readonly search: string };
  readonly history: Pick<History, 'pushState' | 'replaceState' | 'go' | 'state'>;
  addEventListener(type: UrlEvent, listener: () => void): void;
  removeEventListener(type: UrlEvent, listener: () => void): void;
}

/** popstate also tells of addresses that differ in their hash alone; hashchange would tell of each of them a second time. */
type UrlEvent = 'popstate' | 'pagehide';

export interface InitialView {
  readonly view: ViewState;
  readonly theme: ThemeChoice | null;
}

/** A saved view that is open. */
export interface OpenView extends NamedView {
  /** Of the server; what is saved replaces this one. */
  readonly revision: string;
}

export interface WantedView {
  readonly name: string;
  /** Nobody has named it: no word is lost about it if it is not there. */
  readonly isDefault: boolean;
}

export interface UrlOptions {
  readonly window: UrlWindow;
  readonly storage: BrowserStorage;
  readonly announce: Announce;
  /** Those that there are; undefined: any. */
  readonly dashboards?: readonly string[] | undefined;
  /** Whether a word of a kind says what is looked at, which Back restores. */
  readonly isLookedAt?: ((word: string) => boolean) | undefined;
}

/** What to show first. `isOurs`: the URL was written by us, and nothing that it does not say is meant. */
export function initialView(options: UrlOptions, isOurs = false): InitialView {
  const { storage, window } = options;
  const habits = storage.read(HABITS_KEY);
  if (typeof habits !== 'string') return readUrl(options);
  const parsed = parseView(window.location.hash, window.location.search);
  return readUrl(options, habitWords(habits, parsed, parsed.said.size === 0 && !isOurs));
}

type Announce = (text: string) => void;

function readUrl(
  { window, storage, announce, dashboards }: UrlOptions,
  named: NamedWords | null = null,
): ParsedView {
  const { hash, search } = window.location;
  const parsed = parseView(hash, search, named);
  const { view, savedSelection } = parsed;
  if (dashboards?.includes(view.dashboard) === false) {
    announce(`There is no dashboard called “${view.dashboard}”`);
    view.dashboard = DEFAULT_DASHBOARD;
  }
  if (savedSelection !== null) {
    const saved = new SavedSelections(storage).find(savedSelection);
    if (saved) view.selection = saved;
    else announce('The link’s choice of runs was too long for a link and is not known in this browser');
  }
  return parsed;
}

/** Which saved view the URL is about. */
function namedIn({ window, storage }: UrlOptions): {
  readonly wanted: WantedView | null;
  readonly isSilent: boolean;
  readonly isNone: boolean;
} {
  const { name, said, isNoneNamed } = parseView(window.location.hash, window.location.search);
  const isSilent = said.size === 0;
  const remembered = isSilent ? storage.read(DEFAULT_KEY) : null;
  const wanted = typeof remembered === 'string' ? { name: remembered, isDefault: true } : null;
  return { wanted: name === null ? wanted : { name, isDefault: false }, isSilent, isNone: isNoneNamed };
}

export class UrlSync {
  readonly #view: LiveView;
  readonly #options: UrlOptions;
  readonly #endEffects: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the intervals of all writes so far have passed, one after the other. */
  #intervalsEndMs = 0;
  /** To be written when the timer fires. */
  #pending: ViewState | null = null;
  readonly #savedSelections: SavedSelections;
  readonly #announced = new Set<string>();
  /** Where the current entry of the history is. */
  #place: string;
  /** Where the entries before it are, from which it was made one after the other. The browser keeps it with the entry. */
  #trail: readonly string[];
  /** The same for all entries that were made from one typed URL or link; kept with them, too. */
  #visit: string;
  /** While it goes back by itself, which is no wish of the user's to be elsewhere. */
  #leaving: ReturnType<typeof setTimeout> | undefined;
  #named = $state.raw<OpenView | null>(null);
  #wanted = $state.raw<WantedView | null>(null);
  /** No view, although the log has a default one. */
  #isNoneChosen = $state(false);
  /** What was shown at first, when the URL said nothing; null: it did. */
  #start: string | null;

  constructor(view: LiveView, options: UrlOptions) {
    this.#view = view;
    this.#options = options;
    this.#savedSelections = new SavedSelections(options.storage);
    this.#place = placeOf(view);
    this.#trail = trailOf(this.#options.window);
    this.#visit = visitOf(this.#options.window) ?? newVisit();
    const { wanted, isSilent, isNone } = namedIn(options);
    this.#wanted = wanted;
    this.#isNoneChosen = isNone;
    this.#start = isSilent ? JSON.stringify(view.plain) : null;
    this.#options.window.addEventListener('popstate', this.#onNavigation);
    this.#options.window.addEventListener('pagehide', this.#flush);
    this.#endEffects = $effect.root(() => {
      $effect(() => {
        const { plain } = this.#view;
        // What else the URL says is read when it is written, which is later: here it is only heard of.
        const said = [this.#named, this.#isNoneChosen];
        if (this.#wanted === null && said.length > 0) this.#write(plain);
      });
    });
  }

  /** A full link to what is shown now, the same for everyone. */
  get link(): string {
    const url = this.#urlOf(this.#view.plain, true);
    // Someone may keep it: what it names stays.
    this.#savedSelections.keepLast();
    return url;
  }

  /** The saved view that is shown, changed or not. */
  get named(): OpenView | null {
    return this.#named;
  }

  /** To be opened: drawing waits for it. */
  get wanted(): WantedView | null {
    return this.#wanted;
  }

  /** The URL said nothing, and nobody has done anything yet: the default view may still come. */
  get isUntouched(): boolean {
    return this.#start !== null && this.#start === JSON.stringify(this.#view.plain);
  }

  /** Shows the view that is wanted, with what the URL changes of it. */
  openWanted(named: OpenView): void {
    const isDefault = this.#wanted?.isDefault ?? true;
    const { view } = isDefault ? named : readUrl(this.#options, namedWords(named.view));
    // A URL that says nothing may still say which dashboard.
    const { dashboard } = this.#view;
    const kept = isDefault && dashboard !== DEFAULT_DASHBOARD ? { ...view, dashboard } : view;
    this.open(named, kept);
  }

  /** Shows a saved view, or something that was made of it. */
  open(named: OpenView, view: ViewState = named.view): void {
    // What the URL wanted belongs to it.
    if (this.#wanted === null) this.#visit = newVisit();
    this.#wanted = null;
    this.#start = null;
    this.#isNoneChosen = false;
    this.#named = named;
    this.#view.assign(view);
  }

  /** What is shown was saved: from now on it is this one, whatever is on screen. */
  rename(named: OpenView): void {
    this.#named = named;
    this.#isNoneChosen = false;
  }

  /** What is shown is no saved view any more. */
  leave(): void {
    this.#start = null;
    this.#named = null;
    this.#isNoneChosen = typeof this.#options.storage.read(DEFAULT_KEY) === 'string';
  }

  /** Shows a view that is not saved. */
  show(view: ViewState): void {
    this.leave();
    this.#visit = newVisit();
    this.#view.assign(view);
  }

  /** The view that is wanted cannot be opened. */
  giveUp(why: string): void {
    const isDefault = this.#wanted?.isDefault ?? true;
    this.#wanted = null;
    if (!isDefault) this.#options.announce(why);
  }

  /** The next visit that says nothing opens it at once; null: there is none. */
  rememberDefault(name: string | null): void {
    if (this.#options.storage.read(DEFAULT_KEY) !== (name ?? undefined))
      this.#options.storage.write(DEFAULT_KEY, name);
  }

  destroy(): void {
    this.#stopTimer();
    clearTimeout(this.#leaving);
    this.#options.window.removeEventListener('popstate', this.#onNavigation);
    this.#options.window.removeEventListener('pagehide', this.#flush);
    this.#endEffects();
  }

  #write(view: ViewState, leastWaitMs = 0): void {
    // What is shown then is written where it arrives.
    if (this.#leaving !== undefined) return;
    const place = placeOf(view);
    if (place !== this.#place) {
      const isOfDashboard = (one: string): boolean => one.startsWith(`${view.dashboard}\n`);
      // Leaving what covers the page is the same step back that Back would make, so it gets no entry of its own.
      const isBack = view.fullScreenCard === null || place === this.#trail.at(-1);
      if (!isBack || !isOfDashboard(this.#place)) {
        // The entry that is left says what it showed last.
        this.#flush();
        this.#trail = [...this.#trail, this.#place].slice(-MOST_TRAIL);
        this.#place = place;
        this.#countWrite();
        this.#options.window.history.pushState(this.#entry, '', this.#urlOf(view));
        this.#options.storage.write(HABITS_KEY, habitsOf(view));
        return;
      }
      const at = this.#trail.lastIndexOf(place);
      if (at !== -1 && this.#trail.slice(at).every(isOfDashboard)) {
        this.#flush();
        this.#leaving = setTimeout(this.#stay, LONGEST_LEAVING_MS);
        this.#options.window.history.go(at - this.#trail.length);
        return;
      }
      // It was opened by a link: there is nothing to go back to.
      this.#place = place;
    }
    this.#pending = view;
    const waitMs = this.#intervalsEndMs - performance.now() - MOST_WRITES_AT_ONCE * WRITE_INTERVAL_MS;
    // In a task of its own at the soonest: effects of the same change may still read the URL.
    this.#timer ??= setTimeout(this.#flush, Math.max(leastWaitMs, waitMs));
  }

  /** Also when the page goes away, or the last change would be lost. */
  readonly #flush = (): void => {
    this.#stopTimer();
    const view = this.#pending;
    this.#pending = null;
    if (view === null) return;
    const url = this.#urlOf(view);
    if (url !== this.#options.window.location.href || visitOf(this.#options.window) === null) {
      this.#countWrite();
      this.#options.window.history.replaceState(this.#entry, '', url);
    }
    this.#options.storage.write(HABITS_KEY, habitsOf(view));
  };

  #countWrite(): void {
    this.#intervalsEndMs = Math.max(this.#intervalsEndMs, performance.now()) + WRITE_INTERVAL_MS;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** There is no such entry any more: then this one says what is shown. */
  readonly #stay = (): void => {
    this.#leaving = undefined;
    this.#trail = [];
    this.#write(this.#view.plain);
  };

  /** What the browser keeps with the current entry of the history. */
  get #entry(): object {
    return { visit: this.#visit, trail: this.#trail };
  }

  #urlOf(view: ViewState, isForOthers = false): string {
    const { hash, isSelectionCut } = formatView(view, {
      nameOfSaved: (selection) => this.#savedSelections.save(selection),
      isForOthers,
      named: this.#named ?? (this.#isNoneChosen ? 'none' : null),
    });
    if (hash.length > MOST_LINK_CHARS) {
      this.#announceOnce(
        'The address of this page is too long to be passed on. Save the view and pass on its link instead',
      );
    }
    if (hash.length > MOST_URL_CHARS) return this.#options.window.location.href;
    if (isSelectionCut) {
      this.#announceOnce(
        'So many single runs do not fit into a link: it works in this browser only. A filter would fit',
      );
    }
    const url = new URL(this.#options.window.location.href);
    const kept = url.search
      .replace(/^\?/, '')
      .split('&')
      .filter((part) => part !== '' && !pairsOfSearch(part).some(({ word }) => isTensorboardQuery(word)));
    url.search = kept.join('&');
    url.hash = hash;
    return url.href;
  }

  #announceOnce(text: string): void {
    if (!this.#announced.has(text)) this.#options.announce(text);
    this.#announced.add(text);
  }

  readonly #onNavigation = (): void => {
    this.#stopTimer();
    this.#pending = null;
    const isLeaving = this.#leaving !== undefined;
    clearTimeout(this.#leaving);
    this.#leaving = undefined;
    const visit = visitOf(this.#options.window);
    const { wanted: found, isNone } = namedIn(this.#options);
    const wanted = visit !== null && found?.isDefault === true ? null : found;
    const named = wanted !== null && this.#named?.name === wanted.name ? this.#named : null;
    const isKnown = named !== null;
    const { view } = isKnown
      ? readUrl(this.#options, namedWords(named.view))
      : initialView(this.#options, visit !== null);
    if (isLeaving) {
      // The view is there already, or further.
    } else if (visit === this.#visit && (wanted === null || isKnown)) {
      if (view.dashboard !== this.#view.dashboard) {
        const isLookedAt = this.#options.isLookedAt ?? (() => true);
        Object.assign(this.#view, whatWasShown(view, this.#view, isLookedAt));
      }
      this.#view.dashboard = view.dashboard;
      this.#view.fullScreenCard = view.fullScreenCard;
    } else {
      this.#start = null;
      this.#isNoneChosen = isNone;
      if (!isKnown) this.#wanted = wanted;
      this.#named = named;
      this.#view.assign(view);
    }
    this.#place = placeOf(view);
    this.#trail = trailOf(this.#options.window);
    this.#visit = visit ?? newVisit();
    // The entry itself may say something older than what is shown now.
    if (this.#wanted === null) this.#write(this.#view.plain, ARRIVAL_MS);
  };
}

function placeOf(view: ViewState): string {
  return `${view.dashboard}\n${view.fullScreenCard ?? ''}`;
}

/** Of an entry that we have written; null: nobody has. */
function visitOf({ history }: UrlWindow): string | null {
  const visit = (history.state as { visit?: unknown } | null)?.visit;
  return typeof visit === 'string' ? visit : null;
}

function newVisit(): string {
  return Math.random().toString(36);
}

function trailOf({ history }: UrlWindow): readonly string[] {
  const trail = (history.state as { trail?: unknown } | null)?.trail;
  return Array.isArray(trail) ? trail.filter((place): place is string => typeof place === 'string') : [];
}
