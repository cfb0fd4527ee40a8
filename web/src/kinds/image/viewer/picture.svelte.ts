// One picture in the viewer: its facts, its pixels (which are in the worker) and the bitmap that is drawn. What was shown stays
// until what comes next is ready, so that going through the steps does not flicker.
//
// The worker keeps the pixels of a few large pictures only. So each is decoded and drawn in one turn: of those side by side one would
// push out the other before it is drawn, and again when that one is decoded once more, for ever.
import { WorkQueue } from '../../../base/work-queue';
import { answersOf, problemOf, type LoadProblem } from '../../../state/feeds/answer-cache';
import type { Page } from '../../../state/page.svelte';
import type { PictureFacts } from '../../../wire/client';
import type { PictureShape, RenderedPicture, WishedLook } from '../../../workers/pixels.worker';
import { itemPath } from '../../../board/tiles/addresses';
import { factsIn, originalPath, thumbnailPath, type PictureItem } from '../picture-item';
import type { PixelSource } from './pixel-service';

/** 200 MB of pixels, and what the server hands out at most. Beyond that a tab may die of it. */
export const MOST_PIXELS = 64 * 1024 * 1024;

const CLOSE_DELAY_MS = 500;

export const NO_ROOM =
  'This browser has not enough memory for this picture; with fewer beside it there may be';

/** What is drawn. */
export interface Drawn {
  /** Which pixels the worker has under this name. */
  readonly key: string;
  readonly item: PictureItem;
  readonly shape: PictureShape;
  readonly rendered: RenderedPicture;
}

/** Pixels that the worker has, or had. */
type Decoded = Omit<Drawn, 'rendered'>;

export class Picture {
  readonly #page: Page;
  readonly #pixels: PixelSource;
  readonly #queue: WorkQueue;
  #abort: AbortController | null = null;
  #item: PictureItem | null = null;
  #generation = 0;
  #look: WishedLook | null = null;
  #decoded: Decoded | null = null;
  /** How often in a row its pixels were gone when they were to be drawn. */
  #misses = 0;
  #isRenderWaiting = false;
  /** Of the item that was asked for last, as soon as they are known. */
  facts = $state.raw<PictureFacts | null>(null);
  drawn = $state.raw<Drawn | null>(null);
  /** Why there is nothing to see. */
  problem = $state.raw<LoadProblem | null>(null);
  isLoading = $state(false);

  /** `queue`: shared by all pictures whose pixels the same worker keeps. */
  constructor(page: Page, pixels: PixelSource, queue = new WorkQueue()) {
    this.#page = page;
    this.#pixels = pixels;
    this.#queue = queue;
  }

  /**
   * Shows this item in this look, as soon as it can. Nothing happens when that is what is shown, unless the generation of what
   * the server has is another one.
   */
  show(item: PictureItem | null, look: WishedLook, generation = 0): void {
    const wasLook = this.#look;
    this.#look = look;
    if (keyOf(item) !== keyOf(this.#item) || generation !== this.#generation) {
      this.#item = item;
      this.#generation = generation;
      this.#misses = 0;
      void this.#load();
    } else if (!isSameLook(look, wasLook)) void this.#render();
  }

  retry(): void {
    this.#misses = 0;
    void this.#load();
  }

  destroy(): void {
    this.#abort?.abort();
    this.#item = null;
    this.#decoded = null;
    this.drawn?.rendered.bitmap.close();
  }

  async #load(): Promise<void> {
    this.#abort?.abort();
    const item = this.#item;
    this.problem = null;
    this.#decoded = null;
    this.isLoading = item !== null;
    if (item === null) {
      this.#replace(null);
      this.facts = null;
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    try {
      await this.#decode(item, abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      const problem = problemOf(error);
      if (problem !== null) this.#fail(problem);
    }
  }

  #fail(problem: LoadProblem): void {
    this.problem = problem;
    this.isLoading = false;
    this.#replace(null);
  }

  async #decode(item: PictureItem, signal: AbortSignal): Promise<void> {
    const answers = answersOf(this.#page.client);
    // Facts first: what a picture says of its size decides whether it is loaded at all.
    const facts = factsIn((await answers.load(thumbnailPath(item, 256), signal)).headers);
    signal.throwIfAborted();
    this.facts = facts;
    if (facts === null) throw new Error('The server does not say what kind of picture this is');
    if (facts.width * facts.height > MOST_PIXELS) {
      throw new Error(
        `${facts.width} × ${facts.height} pixels are too many to be shown here; the limit is 67 million`,
      );
    }
    if (facts.mime_type.startsWith('video/')) throw new Error('This is a film; the film player shows it');
    // The browser has the bytes anyway, from the grid or for the next time; samples of the server are many more.
    if (facts.bits <= 8 && (await this.#decodeHere(item, signal, { isRoughEnough: false }))) return;
    try {
      await this.#takeSamples(item, signal);
    } catch (error) {
      // Too many for the server to send: better what the browser makes of it than nothing.
      if (signal.aborted || !(await this.#decodeHere(item, signal, { isRoughEnough: true }))) throw error;
    }
  }

  /** As the browser does it. False: it cannot, or not exactly enough. */
  async #decodeHere(
    item: PictureItem,
    signal: AbortSignal,
    { isRoughEnough }: { isRoughEnough: boolean },
  ): Promise<boolean> {
    const { blob } = await answersOf(this.#page.client).load(originalPath(item), signal);
    return this.#queue.take(async () => {
      signal.throwIfAborted();
      const shape = await this.#pixels.ask({ type: 'decode', key: keyOf(item), blob });
      signal.throwIfAborted();
      if (shape === null || !(shape.isExact || isRoughEnough)) return false;
      await this.#show(item, isRoughEnough ? { ...shape, isExact: false } : shape);
      return true;
    });
  }

  /** Every value as it is, decoded by the server. */
  async #takeSamples(item: PictureItem, signal: AbortSignal): Promise<void> {
    const path = itemPath('images/pixels', item, { sample: item.sample });
    const { blob, headers } = await answersOf(this.#page.client).load(path, signal);
    const facts = factsIn(headers);
    if (facts === null) throw new Error('The server does not say what kind of picture this is');
    const { width, height, channels } = facts;
    await this.#queue.take(async () => {
      signal.throwIfAborted();
      const bytes = await blob.arrayBuffer();
      const shape = await this.#pixels.ask({
        type: 'take',
        key: keyOf(item),
        bytes,
        width,
        height,
        channels,
      });
      signal.throwIfAborted();
      if (shape === null) throw new Error('The values of this picture could not be read');
      await this.#show(item, shape);
    });
  }

  /** In the turn in which they were decoded. */
  async #show(item: PictureItem, shape: PictureShape): Promise<void> {
    this.#decoded = { key: keyOf(item), item, shape };
    await this.#draw();
  }

  /** When it is its turn, with the look of that moment: of several in a row those in the middle are left out. */
  async #render(): Promise<void> {
    if (this.#isRenderWaiting) return;
    this.#isRenderWaiting = true;
    await this.#queue.take(() => {
      this.#isRenderWaiting = false;
      return this.#draw();
    });
  }

  async #draw(): Promise<void> {
    const [decoded, look] = [this.#decoded, this.#look];
    if (decoded === null || look === null) return;
    const rendered = await this.#pixels.ask({ type: 'render', key: decoded.key, look });
    if (this.#decoded !== decoded) rendered?.bitmap.close();
    else if (rendered === null) this.#miss();
    else {
      this.#misses = 0;
      this.isLoading = false;
      this.#replace({ ...decoded, rendered });
    }
  }

  /** Dropped by the worker in favour of others: once more from the start. A second time it is no accident. */
  #miss(): void {
    this.#misses += 1;
    if (this.#misses > 1) this.#fail({ message: NO_ROOM, isTemporary: true });
    else void this.#load();
  }

  #replace(next: Drawn | null): void {
    const before = this.drawn;
    this.drawn = next;
    if (before !== null) closeLater(before.rendered.bitmap);
  }
}

/** Whoever draws does so in the next frame: a closed bitmap cannot be drawn. */
export function closeLater(bitmap: ImageBitmap): void {
  setTimeout(() => bitmap.close(), CLOSE_DELAY_MS);
}

function isSameLook(one: WishedLook, other: WishedLook | null): boolean {
  const { range, ...rest } = one;
  if (other === null || JSON.stringify(range) !== JSON.stringify(other.range)) return false;
  return (Object.keys(rest) as (keyof typeof rest)[]).every((name) => one[name] === other[name]);
}

export function keyOf(item: PictureItem | null): string {
  return item === null ? '' : JSON.stringify([item.run, item.tag, item.index, item.step, item.sample]);
}
