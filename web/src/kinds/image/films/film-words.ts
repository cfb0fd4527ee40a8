// What the player shows, as settings: a link brings the same films, at the same frame and in the same stretch.
//
// Frames are counted from 0, as the film that leads has them. While films play there is no word for the frame: who opens the
// link sees them play.
import { choiceSetting, lookedAt, optionalSetting } from '../../../state/settings/setting';
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
export const FRAMES = lookedAt(optionalSetting('film.frame', readFrames, (frames) => frames.join('_')));
export const REGION = lookedAt(
  optionalSetting('film.loop', readRegion, ({ first, last }) => `${first}..${last}`),
);
export const SYNC = lookedAt(choiceSetting<Sync>('film.sync', 'time', ['time', 'frame', 'off']));

function readFrames(text: string): readonly number[] | undefined {
  const frames = text.split('_').slice(0, MOST_FILMS).map(frameIn);
  return frames.includes(-1) ? undefined : frames;
}

function readRegion(text: string): FrameRegion | undefined {
  const [first = -1, last = -1, ...more] = text.split('..').map(frameIn);
  return first >= 0 && last >= first && more.length === 0 ? { first, last } : undefined;
}

/** −1: it is none. */
function frameIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}
