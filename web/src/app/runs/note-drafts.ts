// Notes that were typed and not saved yet, kept in this browser: they outlive a reload and a server that went away. With
// each goes the text that the writer started from, so that saving it later cannot undo what others wrote meanwhile.
import { BrowserStorage } from '../../state/browser-storage';

const KEY = 'noteDrafts.1';
/** Newest last to keep: a note is at most 100,000 letters. */
const MOST_DRAFTS = 20;

export interface NoteDraft {
  /** What the note said when the writing began. */
  readonly base: string;
  readonly text: string;
}

type Saved = [place: string, run: string, base: string, text: string];

export class NoteDrafts {
  readonly #storage: BrowserStorage;

  constructor(storage = new BrowserStorage()) {
    this.#storage = storage;
  }

  /** `place` tells logs apart that are shown at the same address one after the other. */
  read(place: string, run: string): NoteDraft | null {
    const saved = this.#all().find((one) => one[0] === place && one[1] === run);
    return saved === undefined ? null : { base: saved[2], text: saved[3] };
  }

  /** null: there is none any more. */
  write(place: string, run: string, draft: NoteDraft | null): void {
    const others = this.#all().filter((one) => one[0] !== place || one[1] !== run);
    const all = draft === null ? others : [...others, [place, run, draft.base, draft.text]];
    this.#storage.write(KEY, all.slice(-MOST_DRAFTS));
  }

  #all(): Saved[] {
    const saved = this.#storage.read(KEY);
    if (!Array.isArray(saved)) return [];
    return saved.filter(
      (one): one is Saved =>
        Array.isArray(one) && one.length === 4 && one.every((part) => typeof part === 'string'),
    );
  }
}
