// What the player shows, in words of view.media: a link brings the same films, at the same frame and in the same stretch.
//
// Frames are counted from 0, as the film that leads has them. While films play there is no word for the frame: who opens the
// link sees them play.
import { choiceSetting, type MediaSetting } from '../../../board/media-view';
import { slotsSetting } from '../../../board/tiles/slots';
import type { Sync } from './sync';

/** First and last frame that are played, of the film that leads. */
export interface FrameRegion {
  readonly first: number;
  readonly last: number;
}

/** More side by side are too small to see anything, and browsers decode no more at once. */
export const MOST_FILMS = 9;
export const FILM_SLOTS = slotsSetting('film', MOST_FILMS);

/** Where they stand: one for all, or one for each where each goes its own way; null: they play. */
export const FRAMES: MediaSetting<readonly number[] | null> = {
  word: 'film.frame',
  usual: null,
  read: (text) => {
    const frames = text.split('_').slice(0, MOST_FILMS).map(frameIn);
    return frames.includes(-1) ? undefined : frames;
  },
  write: (frames) => frames?.join('_') ?? '',
};

export const REGION: MediaSetting<FrameRegion | null> = {
  word: 'film.loop',
  usual: null,
  read: (text) => {
    const [first = -1, last = -1, ...more] = text.split('..').map(frameIn);
    return first >= 0 && last >= first && more.length === 0 ? { first, last } : undefined;
  },
  write: (region) => (region === null ? '' : `${region.first}..${region.last}`),
};

export const SYNC = choiceSetting<Sync>('film.sync', 'time', ['time', 'frame', 'off']);

/** −1: it is none. */
function frameIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}
