// The picture of one tile: fetched, decoded away from the main thread, and shown when it is complete. Until then the last one
// stays, together with its step, so that nothing flashes and the step that is said is the step that is seen.
//
// One picture is on its way at a time. While the slider moves faster than pictures come, each one that arrives is shown and
// the newest wish is next: something moves under the hand, and the line never grows.
import { problemOf, type LoadProblem, type LoadedAnswer } from '../../state/feeds/answer-cache';
import type { PictureFacts } from '../../wire/client';
import { factsIn, isFilm, type PictureItem } from './picture-item';

export interface ShownPicture {
  readonly item: PictureItem;
  /** null: the server did not tell. */
  readonly facts: PictureFacts | null;
  /** Of what is drawn, in pixels; 0 × 0 for what only a player can draw. */
  readonly width: number;
  readonly height: number;
  /** Given to the canvas, which owns it from then on; null: there is nothing to draw. */
  readonly bitmap: ImageBitmap | null;
}

export interface TileProblem extends LoadProblem {
  readonly item: PictureItem;
}

interface Wanted {
  readonly item: PictureItem;
  readonly path: string;
}

interface Needs {
  load(path: string, signal: AbortSignal, item: PictureItem): Promise<LoadedAnswer>;
  decode(blob: Blob): Promise<ImageBitmap>;
  /** Called before `shown` changes: where the pixels go. */
  draw(bitmap: ImageBitmap | null): void;
}

export class TilePicture {
  readonly #needs: Needs;
  readonly #abort = new AbortController();
  shown = $state.raw<ShownPicture | null>(null);
  /** Why the wanted picture is not shown. */
  problem = $state.raw<TileProblem | null>(null);
  isLoading = $state(false);
  #next: Wanted | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  show(item: PictureItem, path: string): void {
    this.#next = { item, path };
    if (!this.isLoading) void this.#run();
  }

  /** Nothing arrives from now on. */
  destroy(): void {
    this.#next = null;
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    this.isLoading = true;
    while (this.#next !== null) {
      const wanted = this.#next;
      this.#next = null;
      await this.#load(wanted);
    }
    this.isLoading = false;
  }

  async #load({ item, path }: Wanted): Promise<void> {
    try {
      const answer = await this.#needs.load(path, this.#abort.signal, item);
      const facts = factsIn(answer.headers);
      const bitmap = isDrawable(answer.blob, facts) ? await this.#decoded(answer.blob) : null;
      if (this.#abort.signal.aborted) {
        bitmap?.close();
        return;
      }
      // Read before it is drawn: the canvas takes the pixels away.
      const shown = { item, facts, width: bitmap?.width ?? 0, height: bitmap?.height ?? 0, bitmap };
      this.#needs.draw(bitmap);
      this.shown = shown;
      this.problem = null;
    } catch (error) {
      const problem = problemOf(error);
      if (problem !== null && !this.#abort.signal.aborted) this.problem = { ...problem, item };
    }
  }

  async #decoded(blob: Blob): Promise<ImageBitmap> {
    try {
      return await this.#needs.decode(blob);
    } catch {
      throw new Error(`This browser cannot show the picture (${blob.type || 'unknown type'})`);
    }
  }
}

/** Of a video there is no still: the server sends what it knows about it, and a player does the rest. */
function isDrawable(blob: Blob, facts: PictureFacts | null): boolean {
  return facts === null || !isFilm(facts) || (blob.size > 0 && blob.type.startsWith('image/'));
}
