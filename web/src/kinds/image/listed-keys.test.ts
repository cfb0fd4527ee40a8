// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { parseKeys } from '../../state/command-keys';
import { actionFor as filmActionFor, FILM_KEY_LINES } from './films/film-keys';
import { actionFor as viewerActionFor, VIEWER_KEY_LINES } from './viewer/viewer-keys';

/** The press that a text of keys means. */
function pressed(text: string): KeyboardEvent {
  const { key, hasMod, hasAlt, hasShift } = parseKeys(text);
  return new KeyboardEvent('keydown', { key, ctrlKey: hasMod, altKey: hasAlt, shiftKey: hasShift });
}

test.each([
  { name: 'viewer', lines: VIEWER_KEY_LINES, actionFor: (e: KeyboardEvent) => viewerActionFor(e, false) },
  { name: 'player', lines: FILM_KEY_LINES, actionFor: filmActionFor },
])('every key that is listed for the $name means something there', ({ lines, actionFor }) => {
  for (const key of lines.flatMap(([, ...keys]) => keys))
    expect([key, actionFor(pressed(key))]).not.toContain(null);
});
