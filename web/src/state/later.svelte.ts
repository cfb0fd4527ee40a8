// A part of the page that most visits never need: its code is fetched by the first look at it, and whoever looked hears
// when it is there. So the first view pays for the hook alone.

export class Later<T extends { destroy(): void }> {
  readonly #load: () => Promise<T>;
  readonly #onError: (error: unknown) => void;
  #value = $state.raw<T | null>(null);
  #loading: Promise<T | null> | null = null;
  #isDestroyed = false;

  constructor(load: () => Promise<T>, onError: (error: unknown) => void = () => undefined) {
    this.#load = load;
    this.#onError = onError;
  }

  /** null until it is there; asking for it lets it be loaded. */
  get value(): T | null {
    if (this.#value === null) void this.load();
    return this.#value;
  }

  /** The same without loading it. */
  get loaded(): T | null {
    return this.#value;
  }

  /** null: it cannot be fetched now; the next look tries again. Never rejects. */
  load(): Promise<T | null> {
    this.#loading ??= this.#load().then(
      (value) => {
        if (this.#isDestroyed) value.destroy();
        else this.#value = value;
        return value;
      },
      (error: unknown) => {
        this.#loading = null;
        this.#onError(error);
        return null;
      },
    );
    return this.#loading;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#value?.destroy();
  }
}
