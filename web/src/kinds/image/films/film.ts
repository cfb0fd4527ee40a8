// One film that can be told where to be: still-film.ts draws decoded frames on a canvas, video-film.ts leads the browser's own
// player, and whole-film.ts is what cannot be led. Whoever holds one asks it at every animation frame to follow the clock.
import type { Timeline } from './timeline';

export interface Order {
  /** Where it should be now. */
  readonly timeS: number;
  /** Seconds of film in a second; 0: it stands, below 0: backwards. */
  readonly rate: number;
}

export interface Film {
  /** null: it plays as it is, and follows nobody. */
  readonly timeline: Timeline | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** What shows it. */
  readonly element: HTMLElement;
  /** False: it is on its way to where it was sent, and the clock should wait for it. */
  readonly isReady: boolean;
  /** The frame that is seen; −1: none yet. */
  readonly shownFrame: number;
  /** Something changed without being asked: a frame arrived, or it broke. */
  onchange: () => void;
  /** Why it cannot go on, as a sentence; '' while all is well. */
  readonly problem: string;
  follow(order: Order): void;
  close(): void;
}
