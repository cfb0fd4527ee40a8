// Keeps the data of cards that are out of sight for a while, so that scrolling back shows them at once. Bounded: the
// least recently seen go first. What is kept still hears of changes, and is asked for anew when it is seen again.
import { outdated, renumberedStock, stockBytes, type Stock } from './card-feed';

const MOST_BYTES = 64 * 1024 * 1024;

export class StockShelf {
  readonly #mostBytes: number;
  /** Least recently seen first. */
  readonly #stocks = new Map<string, { stock: Stock; readonly bytes: number }>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  put(tag: string, stock: Stock): void {
    this.take(tag);
    const bytes = stockBytes(stock);
    this.#stocks.set(tag, { stock, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#stocks.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.take(oldest);
    }
  }

  take(tag: string): Stock | undefined {
    const entry = this.#stocks.get(tag);
    if (entry === undefined) return undefined;
    this.#stocks.delete(tag);
    this.#bytes -= entry.bytes;
    return entry.stock;
  }

  /** `tags` null: all. */
  outdate(runs: readonly number[], tags: ReadonlySet<string> | null): void {
    for (const [tag, entry] of this.#stocks) {
      if (tags !== null && !tags.has(tag)) continue;
      const known = runs.filter((run) => entry.stock.seriesByRun.has(run));
      if (known.length > 0) entry.stock = outdated(entry.stock, known);
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
