// Choices of single runs that are too long for a link: kept in this browser's storage, under a name that the link says.
import type { BrowserStorage } from './browser-storage';
import type { Selection } from './types';

const KEY = 'selections.1';
const MOST_SAVED = 20;
/** Of all of them together; browsers give a site about five million. */
const MOST_CHARS = 1_000_000;

interface Saved {
  readonly name: string;
  readonly text: string;
}

export class SavedSelections {
  readonly #storage: BrowserStorage;
  /** Of the one that this tab saved last and nobody was given a link to. */
  #lastName: string | null = null;

  constructor(storage: BrowserStorage) {
    this.#storage = storage;
  }

  /** null: it is not known in this browser. */
  find(name: string): Selection | null {
    const saved = this.#all.find((one) => one.name === name);
    return saved ? parseSelection(saved.text) : null;
  }

  /** Its name; null: there is no room. */
  save(selection: Selection): string | null {
    const text = JSON.stringify(selection);
    const name = nameOf(text);
    // Clicking through a thousand runs is one selection, not a thousand.
    const kept = this.#all.filter((one) => one.name !== name && one.name !== this.#lastName);
    kept.push({ name, text });
    let chars = kept.reduce((sum, one) => sum + one.text.length, 0);
    while (kept.length > MOST_SAVED || chars > MOST_CHARS) chars -= kept.shift()!.text.length;
    // Full of what others keep there: the newest alone may fit.
    const isSaved =
      kept.length > 0 && (this.#storage.write(KEY, kept) || this.#storage.write(KEY, kept.slice(-1)));
    this.#lastName = isSaved ? name : null;
    return this.#lastName;
  }

  /** Someone may keep the last link: what it names stays. */
  keepLast(): void {
    this.#lastName = null;
  }

  get #all(): Saved[] {
    const saved = this.#storage.read(KEY);
    return Array.isArray(saved) ? saved.filter(isSaved) : [];
  }
}

function isSaved(entry: unknown): entry is Saved {
  const { name, text } = (entry ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string';
}

function parseSelection(text: string): Selection | null {
  try {
    const { rule, except, also, count } = JSON.parse(text) as Record<string, unknown>;
    const names = (list: unknown): string[] =>
      Array.isArray(list) ? list.filter((name): name is string => typeof name === 'string') : [];
    if (rule === 'all' || rule === 'none') return { rule, except: names(except) };
    if (rule === 'latest' && typeof count === 'number')
      return { rule, count, except: names(except), also: names(also) };
  } catch {
    // Not ours.
  }
  return null;
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
