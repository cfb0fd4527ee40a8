// What the player shows, as settings: a link brings the same films at the same frame.
import { lookedAt, optionalSetting } from '../../../state/settings/setting';
import { slotsSetting } from '../../../board/tiles/slots';

/** More side by side are too small to see anything, and browsers decode no more at once. */
export const MOST_FILMS = 9;
export const FILM_SLOTS = slotsSetting('film', MOST_FILMS);

/**
 * Where they stand, counted from 0 by the longest film; null: they play, and so they do for whoever opens the link. Links from when
 * each film could have a frame of its own have several: the first counts.
 */
export const FRAME = lookedAt(
  optionalSetting('film.frame', (text) =>
    /^\d{1,9}(_\d{1,9})*$/.test(text) ? Number.parseInt(text, 10) : undefined,
  ),
);
