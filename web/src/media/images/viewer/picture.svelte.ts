// One picture in the viewer: its facts, its pixels (which are in the worker) and the bitmap that is drawn. What was shown stays
// until what comes next is ready, so that going through the steps does not flicker.
import { answersOf, problemOf } from '../../../state/media-answers';
import type { Page } from '../../../state/page.svelte';
import type { PictureFacts } from '../../../wire/client';
import type { PictureShape, RenderedPicture, WishedLook } from '../../../workers/pixels.worker';
import { itemPath } from '../../addresses';
import { factsIn, originalPath, thumbnailPath, type PictureItem } from '../picture-item';
import type { PixelSource } from './pixel-service';

/** 200 MB of pixels, and what the server hands out at most. Beyond that a tab may die of it. */
export const MOST_PIXELS = 64 * 1024 * 1024;

const CLOSE_DELAY_MS = 500;

export interface PictureProblem {
  readonly message: string;
  readonly isTemporary: boolean;
}

/** What is drawn. */
export interface Drawn {
  /** Which pixels the worker has under this name. */
  readonly key: string;
  readonly item: PictureItem;
  readonly shape: PictureShape;
  readonly rendered: RenderedPicture;
}

export class Picture {
  readonly #page: Page;
  readonly #pixels: PixelSource;
  #abort: AbortController | null = null;
  #item: PictureItem | null = null;
  #generation = 0;
  #look: WishedLook | null = null;
  #shape: { readonly key: string; readonly item: PictureItem; readonly shape: PictureShape } | null = null;
  #renderCount = 0;
  #facts = $state.raw<PictureFacts | null>(null);
  #drawn = $state.raw<Drawn | null>(null);
  #problem = $state.raw<PictureProblem | null>(null);
  #isLoading = $state(false);

  constructor(page: Page, pixels: PixelSource) {
    this.#page = page;
    this.#pixels = pixels;
  }

  /** Of the item that was asked for last, as soon as they are known. */
  get facts(): PictureFacts | null {
    return this.#facts;
  }

  get drawn(): Drawn | null {
    return this.#drawn;
  }

  /** Why there is nothing to see. */
  get problem(): PictureProblem | null {
    return this.#problem;
  }

  get isLoading(): boolean {
    return this.#isLoading;
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
      void this.#load();
    } else if (!isSameLook(look, wasLook)) void this.#render();
  }

  retry(): void {
    void this.#load();
  }

  destroy(): void {
    this.#abort?.abort();
    this.#item = null;
    this.#renderCount += 1;
    this.#drawn?.rendered.bitmap.close();
  }

  async #load(): Promise<void> {
    this.#abort?.abort();
    const item = this.#item;
    this.#problem = null;
    this.#shape = null;
    this.#isLoading = item !== null;
    if (item === null) {
      this.#replace(null);
      this.#facts = null;
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const shape = await this.#decode(item, abort.signal);
      if (abort.signal.aborted) return;
      this.#shape = { key: keyOf(item), item, shape };
      await this.#render();
    } catch (error) {
      if (abort.signal.aborted) return;
      const problem = problemOf(error);
      if (problem !== null) this.#fail(problem);
    }
  }

  #fail(problem: PictureProblem): void {
    this.#problem = problem;
    this.#isLoading = false;
    this.#replace(null);
  }

  async #decode(item: PictureItem, signal: AbortSignal): Promise<PictureShape> {
    const answers = answersOf(this.#page.client);
    // Facts first: what a picture says of its size decides whether it is loaded at all.
    const facts = factsIn((await answers.load(thumbnailPath(item, 256), signal)).headers);
    signal.throwIfAborted();
    this.#facts = facts;
    if (facts === null) throw new Error('The server does not say what kind of picture this is');
    if (facts.width * facts.height > MOST_PIXELS) {
      throw new Error(
        `${facts.width} × ${facts.height} pixels are too many to be shown here; the limit is 67 million`,
      );
    }
    if (facts.mime_type.startsWith('video/')) throw new Error('This is a film; the film player shows it');
    // The browser has the bytes anyway, from the grid or for the next time; samples of the server are many more.
    const byBrowser = async (): Promise<PictureShape | null> => {
      const { blob } = await answers.load(originalPath(item), signal);
      const shape = await this.#pixels.ask({ type: 'decode', key: keyOf(item), blob });
      signal.throwIfAborted();
      return shape;
    };
    const decoded = facts.bits <= 8 ? await byBrowser() : null;
    if (decoded?.isExact === true) return decoded;
    try {
      return await this.#samplesOf(item, signal);
    } catch (error) {
      // Too many for the server to send: better what the browser makes of it than nothing.
      const rough = signal.aborted ? null : (decoded ?? (await byBrowser()));
      if (rough === null) throw error;
      return { ...rough, isExact: false };
    }
  }

  /** Every value as it is, decoded by the server. */
  async #samplesOf(item: PictureItem, signal: AbortSignal): Promise<PictureShape> {
    const path = itemPath('images/pixels', item, { sample: item.sample });
    const { blob, headers } = await answersOf(this.#page.client).load(path, signal);
    const facts = factsIn(headers);
    if (facts === null) throw new Error('The server does not say what kind of picture this is');
    const { width, height, channels } = facts;
    const bytes = await blob.arrayBuffer();
    const shape = await this.#pixels.ask({ type: 'take', key: keyOf(item), bytes, width, height, channels });
    signal.throwIfAborted();
    if (shape === null) throw new Error('The values of this picture could not be read');
    return shape;
  }

  /** With the look of the moment; of several in a row only the last one counts. */
  async #render(): Promise<void> {
    const [known, look] = [this.#shape, this.#look];
    if (known === null || look === null) return;
    const turn = ++this.#renderCount;
    const rendered = await this.#pixels.ask({ type: 'render', key: known.key, look });
    if (turn !== this.#renderCount || this.#shape !== known) {
      rendered?.bitmap.close();
      return;
    }
    if (rendered === null) {
      // Dropped by the worker in favour of others: once more from the start. A second time it is no accident.
      if (this.#drawn?.key === known.key) void this.#load();
      else this.#fail({ message: 'This picture is too large for this browser', isTemporary: true });
      return;
    }
    this.#isLoading = false;
    this.#replace({ ...known, rendered });
  }

  #replace(next: Drawn | null): void {
    const before = this.#drawn;
    this.#drawn = next;
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
