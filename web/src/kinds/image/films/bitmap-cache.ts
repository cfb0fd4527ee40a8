// Decoded frames, as many as fit into a fixed number of pixels. A frame takes four bytes a pixel, so a film of a megabyte
// may be gigabytes when decoded; those near the one that is shown are kept, and decoded ahead of time.

/** 64 million pixels: 256 MB. Several films share it by getting a part each, which is smaller with every film that comes. */
export const MOST_PIXELS = 64_000_000;

interface Closable {
  close(): void;
}

export class BitmapCache<T extends Closable> {
  readonly #decode: (frame: number) => Promise<T>;
  readonly #count: number;
  readonly #roomNow: () => number;
  readonly #kept = new Map<number, T>();
  readonly #pending = new Set<number>();
  readonly #broken = new Set<number>();
  #wanted = 0;
  #isClosed = false;
  /** A frame is there, or will never be. */
  onready: (frame: number) => void = () => {};

  /** `room`: frames at most, at the moment; the one that is shown and one more in any case. */
  constructor({
    count,
    room,
    decode,
  }: {
    count: number;
    room: () => number;
    decode: (frame: number) => Promise<T>;
  }) {
    this.#count = count;
    this.#roomNow = room;
    this.#decode = decode;
  }

  get #room(): number {
    return Math.max(2, Math.min(Math.floor(this.#roomNow()), this.#count));
  }

  get size(): number {
    return this.#kept.size;
  }

  isBroken(frame: number): boolean {
    return this.#broken.has(frame);
  }

  /** The frame if it is decoded; else it is on its way. Those that come next are fetched too. */
  get(frame: number): T | undefined {
    this.#wanted = frame;
    const found = this.#kept.get(frame);
    this.#fetch(frame);
    // Half of the room ahead, the rest is for what was just shown: people step back.
    const ahead = Math.min(Math.max(1, this.#room >> 1), 8);
    for (let i = 1; i <= ahead; i++) this.#fetch((frame + i) % this.#count);
    return found;
  }

  /** Lets go of what is too much. The farthest goes first, counted around the end: films go round and round. */
  makeRoom(): void {
    const room = this.#room;
    while (this.#kept.size > room) {
      let farthest = -1;
      let most = -1;
      for (const frame of this.#kept.keys()) {
        const straight = Math.abs(frame - this.#wanted);
        const distance = Math.min(straight, this.#count - straight);
        if (distance > most) [farthest, most] = [frame, distance];
      }
      this.#kept.get(farthest)?.close();
      this.#kept.delete(farthest);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const bitmap of this.#kept.values()) bitmap.close();
    this.#kept.clear();
  }

  #fetch(frame: number): void {
    const isKnown = this.#kept.has(frame) || this.#pending.has(frame) || this.#broken.has(frame);
    if (isKnown || this.#isClosed) return;
    // Few at a time, but never too few for the one that is waited for.
    if (this.#pending.size >= 4 && frame !== this.#wanted) return;
    this.#pending.add(frame);
    this.#decode(frame)
      .then(
        (bitmap) => {
          if (this.#isClosed) {
            bitmap.close();
            return;
          }
          this.#kept.set(frame, bitmap);
          this.makeRoom();
        },
        () => {
          this.#broken.add(frame);
        },
      )
      .finally(() => {
        this.#pending.delete(frame);
        if (!this.#isClosed) this.onready(frame);
      });
  }
}
