// What of the frame is open right now. None of it belongs into a link or outlives the page; what does is in the page's
// view and settings.
import { MediaQuery } from 'svelte/reactivity';

/** The width up to which one column is shown; the style sheets repeat it, since media queries know no variables. */
const PHONE_MAX_WIDTH_PX = 720;

export class Shell {
  isPaletteOpen = $state(false);
  isHelpOpen = $state(false);
  isDamageOpen = $state(false);
  areViewsOpen = $state(false);
  /** By a key or the palette; answered by whoever keeps the views. */
  isSaveAsked = $state(false);
  /** The run table on phones. */
  isRunSheetOpen = $state(false);

  readonly #phone = new MediaQuery(`(max-width: ${PHONE_MAX_WIDTH_PX}px)`);
  readonly #dark = new MediaQuery('(prefers-color-scheme: dark)');

  get isPhone(): boolean {
    return this.#phone.current;
  }

  get isSystemDark(): boolean {
    return this.#dark.current;
  }
}
