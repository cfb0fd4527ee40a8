// How high logged HTML is shown: what its document says, up to a bound, and of which tags people want to see all.
import { setSetting, settingOf, type Setting, type WithKindWords } from '../../state/settings/setting';

/** Nobody scrolls through more in a tile. */
export const GREATEST_HEIGHT_PX = 4000;
const MOST_CHANGES = 20;
const MOST_TAGS = 20;
const NONE: readonly string[] = [];

/** Tags whose pages are shown at their whole height; a link has room for the last ones. */
export const WHOLE_PAGES: Setting<readonly string[]> = {
  word: 'wholepages',
  usual: NONE,
  read: (text) => (text === '' ? undefined : text.split('\n').slice(-MOST_TAGS)),
  write: (tags) => tags.slice(-MOST_TAGS).join('\n'),
};

export function isWhole(view: WithKindWords, tag: string): boolean {
  return settingOf(view, WHOLE_PAGES).includes(tag);
}

export function setWhole(view: WithKindWords, tag: string, isWanted: boolean): void {
  const others = settingOf(view, WHOLE_PAGES).filter((one) => one !== tag);
  const tags = isWanted ? [...others, tag] : others;
  setSetting(view, WHOLE_PAGES, tags.length === 0 ? NONE : tags);
}

/** What a document says that its height is; null: it says something else. */
export function heightFrom(message: unknown): number | null {
  const { kind, height } = (message as { kind?: unknown; height?: unknown } | null) ?? {};
  if (kind !== 'height' || typeof height !== 'number' || !Number.isFinite(height)) return null;
  return Math.min(GREATEST_HEIGHT_PX, Math.max(0, Math.ceil(height)));
}

/**
 * Heights that one document tells. While it is being loaded it may tell what it likes. After that one that answers each height of its
 * frame with another (it is always a bit higher than its window, or swings between two heights) is not heard for ever.
 */
export class ToldHeights {
  private changesLeft = MOST_CHANGES;
  private last: number | null = null;
  isLoaded = false;

  /** Somebody changed the window: its documents have reason to be of other heights. */
  allowMore(): void {
    this.changesLeft = MOST_CHANGES;
  }

  /** What the frame should be like after this message; null: it is not known. */
  after(message: unknown): number | null {
    const height = heightFrom(message);
    if (height === null || height === this.last || this.changesLeft === 0) return this.last;
    if (this.isLoaded) this.changesLeft -= 1;
    this.last = height;
    return height;
  }
}
