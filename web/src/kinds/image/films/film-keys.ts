// What keys mean in the player. Sliders keep their own arrow keys and buttons their space bar, except for the one slider that
// is the film's own.
import { matchesKeys, takesText } from '../../../state/command-keys';
import type { KeyLine } from '../../../board/full-view/full-view-keys';

const KEYS = [
  ['Space', 'toggle', 'Play or pause'],
  ['Right', 'next-frame', 'Next frame'],
  ['Left', 'previous-frame', 'Previous frame'],
  ['Home', 'first-frame', 'First frame'],
  ['End', 'last-frame', 'Last frame'],
  ['Shift+Right', 'next-step', 'Next step'],
  ['Shift+Left', 'previous-step', 'Previous step'],
  ['r', 'loop', 'Repeat or not'],
  ['+', 'faster', 'Twice as fast'],
  ['-', 'slower', 'Half as fast'],
  ['f', 'full-screen', 'All of the screen'],
] as const;

export type FilmAction = (typeof KEYS)[number][1];

/** For the help sheet. */
export const FILM_KEY_LINES: readonly KeyLine[] = KEYS.map(([keys, , title]) => [title, keys]);

/** Holding these down goes on and on. */
const REPEATING: readonly FilmAction[] = ['next-frame', 'previous-frame', 'next-step', 'previous-step'];

/** A slider in an element with this attribute is moved by the film's own keys. */
export const FILM_SLIDER = 'data-film-slider';

export function actionFor(event: KeyboardEvent): FilmAction | null {
  if (event.defaultPrevented || event.isComposing || takesText(event.target)) return null;
  const found = KEYS.find(([keys]) => matchesKeys(keys, event));
  if (found === undefined) return null;
  const [, action] = found;
  if (event.repeat && !REPEATING.includes(action)) return null;
  const { target } = event;
  if (!(target instanceof Element)) return action;
  if (target.closest('[popover]') !== null) return null;
  const isSlider = target instanceof HTMLInputElement && target.type === 'range';
  const isMovement = /^(Arrow|Home|End)/.test(event.key);
  if (isSlider && isMovement && !event.shiftKey && target.closest(`[${FILM_SLIDER}]`) === null) return null;
  const isChoice = target.matches('input[type="radio"]') && isMovement;
  const isPressed = event.key === ' ' && target.matches('button, a, summary, input:not([type="range"])');
  return isChoice || isPressed ? null : action;
}
