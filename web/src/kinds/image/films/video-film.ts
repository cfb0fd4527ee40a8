// A film that the browser decodes. Playing forwards it runs by itself, and its speed is changed a little where it is ahead or
// behind; standing, it is sent to the middle of the frame that is wanted, one journey at a time. Which frame is
// seen is what the browser says it has shown, not what was asked for.
import type { Film, Order } from './film';
import type { FilmFrames } from './container';
import type { Timeline } from './timeline';

export class VideoFilm implements Film {
  readonly timeline: Timeline;
  readonly element: HTMLVideoElement;
  onchange: () => void = () => {};
  readonly #offsetS: number;
  readonly #url: string;
  readonly #ends = new AbortController();
  shownFrame = -1;
  /** Where it was sent last; null: it runs by itself. */
  #sentTo: number | null = null;
  problem = '';

  private constructor(element: HTMLVideoElement, url: string, timeline: Timeline, offsetS: number) {
    this.element = element;
    this.#url = url;
    this.timeline = timeline;
    this.#offsetS = offsetS;
    const { signal } = this.#ends;
    element.addEventListener('error', this.#break, { signal });
    for (const name of ['seeked', 'loadeddata', 'pause']) {
      element.addEventListener(name, this.#notice, { signal });
    }
    this.#watch();
    this.#notice();
  }

  /**
   * Rejects with a VideoError when the browser cannot decode it, and with an AbortError. `framesOf` knows the frames once
   * the length is known.
   */
  static async open(
    blob: Blob,
    framesOf: (durationS: number) => FilmFrames,
    signal: AbortSignal,
  ): Promise<VideoFilm> {
    const url = URL.createObjectURL(blob);
    const element = document.createElement('video');
    element.muted = true;
    element.playsInline = true;
    element.preload = 'auto';
    element.disablePictureInPicture = true;
    try {
      await new Promise<void>((resolve, reject) => {
        element.addEventListener('loadeddata', () => {
          resolve();
        });
        element.addEventListener('error', () => {
          reject(new VideoError());
        });
        signal.addEventListener('abort', () => {
          reject(new DOMException('Given up', 'AbortError'));
        });
        element.src = url;
      });
      // Sound alone: the browser knows the container, but not what the pictures are encoded with.
      if (element.videoWidth === 0) throw new VideoError();
    } catch (error) {
      discard(element, url);
      throw error;
    }
    const { timeline, offsetS } = framesOf(Number.isFinite(element.duration) ? element.duration : 0);
    return new VideoFilm(element, url, timeline, offsetS);
  }

  get widthPx(): number {
    return this.element.videoWidth;
  }

  get heightPx(): number {
    return this.element.videoHeight;
  }

  get isReady(): boolean {
    return !this.element.seeking && this.element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  }

  follow({ timeS, rate }: Order): void {
    if (this.problem !== '') return;
    if (rate > 0) this.#run(timeS + this.#offsetS, rate);
    else this.#stand(this.timeline.frameAt(timeS));
  }

  close(): void {
    this.#ends.abort();
    discard(this.element, this.#url);
  }

  #run(timeS: number, rate: number): void {
    const { element } = this;
    this.#sentTo = null;
    if (!element.seeking) {
      const { isSeek, rate: corrected } = correctionFor(element.currentTime - timeS, rate);
      if (isSeek) element.currentTime = timeS;
      if (Math.abs(element.playbackRate - corrected) > 0.005) element.playbackRate = corrected;
    }
    // Refused only when it is taken away meanwhile, or broken, of which we hear.
    if (element.paused && !element.ended) element.play().catch(() => {});
  }

  #stand(frame: number): void {
    const { element } = this;
    if (!element.paused) element.pause();
    if (this.#sentTo === frame || element.seeking) return;
    this.#sentTo = frame;
    element.currentTime = this.timeline.middleOf(frame) + this.#offsetS;
  }

  /** The browser tells of each frame that it shows; where it does not, its time has to do. */
  #watch(): void {
    if (typeof this.element.requestVideoFrameCallback !== 'function') return;
    const { signal } = this.#ends;
    const see: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      if (signal.aborted) return;
      this.#show(mediaTime);
      this.element.requestVideoFrameCallback(see);
    };
    this.element.requestVideoFrameCallback(see);
  }

  readonly #notice = (): void => {
    // A frame that is sought and already seen is not shown anew, so nobody tells of it.
    if (!this.element.seeking) this.#show(this.element.currentTime);
  };

  readonly #break = (): void => {
    this.problem = 'The film is damaged: it cannot be played any further.';
    this.onchange();
  };

  #show(timeS: number): void {
    this.shownFrame = this.timeline.frameAt(timeS - this.#offsetS);
    this.onchange();
  }
}

/** The browser cannot decode it; its own words are for engineers of browsers. */
export class VideoError extends Error {}

function discard(element: HTMLVideoElement, url: string): void {
  element.pause();
  element.removeAttribute('src');
  element.load();
  URL.revokeObjectURL(url);
}

interface Correction {
  /** Go to the target at once. */
  readonly isSeek: boolean;
  /** Speed to play at, so that the difference vanishes. */
  readonly rate: number;
}

/** A difference beyond this, at the usual speed, is a jump. Seeking takes about as long, so smaller ones are played away. */
const JUMP_S = 0.35;
/** Slowly played films cannot wait long for each other: a little film is much time. */
const LEAST_JUMP_SPEED = 0.25;
/** A difference below this is not seen: a tenth of a frame of a film of ten frames a second. */
const UNSEEN_S = 0.01;
/** Differences are played away within about this time. */
const CATCH_UP_S = 0.4;
const MOST_CHANGE = 0.5;
/** What browsers can do. */
const LEAST_RATE = 0.0625;
const GREATEST_RATE = 16;

/** For a film that plays by itself and is `aheadS` seconds in front of where it should be (behind: negative). */
export function correctionFor(aheadS: number, rate: number): Correction {
  const distanceS = Math.abs(aheadS);
  if (distanceS > JUMP_S * Math.max(LEAST_JUMP_SPEED, rate)) return { isSeek: true, rate: playable(rate) };
  if (distanceS <= UNSEEN_S * Math.max(1, rate)) return { isSeek: false, rate: playable(rate) };
  const change = Math.min(Math.max(aheadS / (CATCH_UP_S * Math.max(1, rate)), -MOST_CHANGE), MOST_CHANGE);
  return { isSeek: false, rate: playable(rate * (1 - change)) };
}

function playable(rate: number): number {
  return Math.min(Math.max(rate, LEAST_RATE), GREATEST_RATE);
}
