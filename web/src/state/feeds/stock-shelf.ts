// Keeps the data of cards that are out of sight for a while, so that scrolling back shows them at once. Bounded: the
// least recently seen go first. What is kept still hears of changes, and is asked for anew when it is seen again.
import { isAbout, outdatedBy, renumberedStock, stockBytes, type Stock } from './wanted-line';

const MOST_BYTES = 64 * 1024 * 1024;

export class StockShelf {
  readonly #mostBytes: number;
  /** Least recently seen first. */
  readonly #stocks = new Map<string, { stock: Stock<object>; readonly bytes: number }>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  put(key: string, stock: Stock<object>): void {
    this.take(key);
    const bytes = stockBytes(stock);
    this.#stocks.set(key, { stock, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#stocks.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.take(oldest);
    }
  }

  take(key: string): Stock<object> | undefined {
    const entry = this.#stocks.get(key);
    if (entry === undefined) return undefined;
    this.#stocks.delete(key);
    this.#bytes -= entry.bytes;
    return entry.stock;
  }

  /** `tags` null: all. */
  outdate(runs: readonly number[], tags: ReadonlySet<string> | null): void {
    for (const entry of this.#stocks.values()) {
      if (isAbout(entry.stock, tags)) entry.stock = outdatedBy(entry.stock, runs);
    }
  }

  renumber(renumbered: ReadonlyMap<number, number>): void {
    for (const entry of this.#stocks.values()) entry.stock = renumberedStock(entry.stock, renumbered);
  }

  clear(): void {
    this.#stocks.clear();
    this.#bytes = 0;
  }
}
