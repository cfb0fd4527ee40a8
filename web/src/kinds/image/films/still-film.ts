// A film of still pictures (a GIF, an animated WebP or PNG that the server has taken apart), drawn on a canvas: every frame is
// exactly the logged one.
import { BitmapCache } from './bitmap-cache';
import type { Film, Order } from './film';
import { Timeline } from './timeline';
import type { FramesHeader } from '../../../wire/client';

export interface StillFrames {
  readonly stills: readonly Blob[];
  readonly durationsS: readonly number[];
  readonly widthPx: number;
  readonly heightPx: number;
  /** Frames at the end are missing: the file is damaged there. */
  readonly isCut: boolean;
}

const PREFIX_BYTES = 4;
const CUT_OFF = 'The answer of the server is cut off: it holds no frames';

/**
 * The answer of images/frames: the length of a header (FramesHeader in dashboards/images/schemas.py), the header, and every frame as a
 * still of its own. The frames are parts of the answer's blob: none of them is copied.
 */
export async function readFrames(answer: Blob): Promise<StillFrames> {
  if (answer.size < PREFIX_BYTES) throw new Error(CUT_OFF);
  const prefix = await answer.slice(0, PREFIX_BYTES).arrayBuffer();
  const headerEnd = PREFIX_BYTES + new DataView(prefix).getUint32(0, true);
  if (answer.size < headerEnd) throw new Error(CUT_OFF);
  const header = JSON.parse(await answer.slice(PREFIX_BYTES, headerEnd).text()) as FramesHeader;
  let at = headerEnd;
  const stills = header.sizes.map((size) => {
    const still = answer.slice(at, at + size, header.mime_type);
    at += size;
    return still;
  });
  if (stills.length === 0 || at > answer.size) throw new Error(CUT_OFF);
  return {
    stills,
    durationsS: header.durations_ms.map((durationMs) => durationMs / 1000),
    widthPx: header.width,
    heightPx: header.height,
    isCut: header.is_cut,
  };
}

export class StillFilm implements Film {
  readonly timeline: Timeline;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly element: HTMLCanvasElement;
  onchange: () => void = () => {};
  readonly #cache: BitmapCache<ImageBitmap>;
  shownFrame = -1;
  #wantedFrame = 0;
  problem = '';

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
        this.problem = `Frame ${frame + 1} could not be decoded.`;
        this.shownFrame = frame;
      }
      this.#draw();
      this.onchange();
    };
  }

  get isReady(): boolean {
    return this.shownFrame === this.#wantedFrame;
  }

  follow({ timeS }: Order): void {
    this.#wantedFrame = this.timeline.frameAt(timeS);
    // Also while it stands: a film beside it that has come needs its part.
    this.#cache.makeRoom();
    if (!this.isReady) this.#draw();
  }

  close(): void {
    this.#cache.close();
  }

  #draw(): void {
    const bitmap = this.#cache.get(this.#wantedFrame);
    if (bitmap === undefined) return;
    const context = this.element.getContext('2d');
    if (context === null) return;
    this.problem = '';
    context.clearRect(0, 0, this.widthPx, this.heightPx);
    context.drawImage(bitmap, 0, 0);
    this.shownFrame = this.#wantedFrame;
  }
}
