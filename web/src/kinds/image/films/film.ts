// One film that can be told where to be: still-film.ts draws decoded frames on a canvas, video-film.ts leads the browser's own
// player. Whoever holds one asks it at every animation frame to follow the clock.
import type { LoadProblem } from '../../../state/feeds/answer-cache';
import type { Timeline } from './timeline';

export interface Order {
  /** Where it should be now. */
  readonly timeS: number;
  /** Seconds of film in a second; 0: it stands. */
  readonly rate: number;
}

export interface Film {
  readonly timeline: Timeline;
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

/** What is shown instead of a film. */
export interface FilmProblem extends LoadProblem {
  readonly detail: string;
}

/** The browser does not say what is wrong: a format that it does not know, or a damaged file. */
export const UNPLAYABLE: FilmProblem = {
  message: 'This browser cannot play the film, or the file is damaged.',
  detail:
    'Download it for another player, or log films as H.264 in MP4 or VP9 in WebM, which nearly all browsers play.',
  isTemporary: false,
};
