// Keeps values that are not in use, because people scroll and step back. Bounded by their sizes together: those that were not
// used for longest go first.

export class RecentlyUsed<Value> {
  readonly #most: number;
  readonly #onDrop: (key: string) => void;
  /** Least recently used first. */
  readonly #kept = new Map<string, { readonly value: Value; readonly size: number }>();
  #size = 0;

  constructor(most: number, onDrop: (key: string) => void = () => undefined) {
    this.#most = most;
    this.#onDrop = onDrop;
  }

  /** Of all values together. */
  get size(): number {
    return this.#size;
  }

  values(): Value[] {
    return [...this.#kept.values()].map(({ value }) => value);
  }

  put(key: string, value: Value, size: number): void {
    this.take(key);
    this.#kept.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) break;
      this.take(oldest);
      this.#onDrop(oldest);
    }
  }

  /** Leaves it there, as the last that goes. */
  use(key: string): Value | undefined {
    const entry = this.#kept.get(key);
    if (entry === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    return entry.value;
  }

  take(key: string): Value | undefined {
    const entry = this.#kept.get(key);
    this.#kept.delete(key);
    this.#size -= entry?.size ?? 0;
    return entry?.value;
  }

  clear(): void {
    this.#kept.clear();
    this.#size = 0;
  }
}
