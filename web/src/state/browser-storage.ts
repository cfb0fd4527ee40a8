// localStorage that never fails: in private windows, sandboxed frames and when it is full, it forgets instead.
// Every key of ours begins with "sightline.".

const PREFIX = 'sightline.';

export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

function browserStorage(): TextStorage | null {
  try {
    // Reading the property alone throws where storage is forbidden.
    return window.localStorage;
  } catch {
    return null;
  }
}

export class BrowserStorage {
  readonly #storage: TextStorage | null;

  constructor(storage: TextStorage | null = browserStorage()) {
    this.#storage = storage;
  }

  /** What was saved, as JSON gives it back – anyone may have written it, so check it; undefined: nothing. */
  read(key: string): unknown {
    try {
      const text = this.#storage?.getItem(PREFIX + key);
      return text === null || text === undefined ? undefined : (JSON.parse(text) as unknown);
    } catch {
      return undefined;
    }
  }

  /** Returns whether it will be there the next time. */
  write(key: string, value: unknown): boolean {
    if (this.#storage === null) return false;
    try {
      this.#storage.setItem(PREFIX + key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
