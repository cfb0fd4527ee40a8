// A film of still pictures (a GIF, an animated WebP or PNG that the server has taken apart), drawn on a canvas: every frame is
// exactly the logged one, forwards and backwards.
import { BitmapCache } from './bitmap-cache';
import type { Film, Order } from './film';
import type { StillFrames } from './frames-answer';
import { Timeline } from './timeline';

export class StillFilm implements Film {
  readonly timeline: Timeline;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly element: HTMLCanvasElement;
  onchange: () => void = () => {};
  readonly #cache: BitmapCache<ImageBitmap>;
  #shownFrame = -1;
  #wantedFrame = 0;
  #direction: 1 | -1 = 1;
  #problem = '';

  /** `mostPixels`: of its decoded frames, at the moment. */
  constructor({ stills, durationsS, widthPx, heightPx }: StillFrames, mostPixels: () => number) {
    this.timeline = Timeline.fromDurations(durationsS);
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.element = document.createElement('canvas');
    this.element.width = widthPx;
    this.element.height = heightPx;
    this.#cache = new BitmapCache({
      count: stills.length,
      room: () => mostPixels() / Math.max(1, widthPx * heightPx),
      decode: (frame) => createImageBitmap(stills[frame]!),
    });
    this.#cache.onready = (frame) => {
      if (frame !== this.#wantedFrame) return;
      if (this.#cache.isBroken(frame)) {
        this.#problem = `Frame ${frame + 1} could not be decoded.`;
        this.#shownFrame = frame;
      }
      this.#draw();
      this.onchange();
    };
  }

  get isReady(): boolean {
    return this.#shownFrame === this.#wantedFrame;
  }

  get shownFrame(): number {
    return this.#shownFrame;
  }

  get problem(): string {
    return this.#problem;
  }

  follow({ timeS, rate }: Order): void {
    this.#wantedFrame = this.timeline.frameAt(timeS);
    this.#direction = rate < 0 ? -1 : 1;
    // Also while it stands: a film beside it that has come needs its part.
    this.#cache.makeRoom();
    if (!this.isReady) this.#draw();
  }

  close(): void {
    this.#cache.close();
  }

  #draw(): void {
    const bitmap = this.#cache.get(this.#wantedFrame, this.#direction);
    if (bitmap === undefined) return;
    const context = this.element.getContext('2d');
    if (context === null) return;
    this.#problem = '';
    context.clearRect(0, 0, this.widthPx, this.heightPx);
    context.drawImage(bitmap, 0, 0);
    this.#shownFrame = this.#wantedFrame;
  }
}
