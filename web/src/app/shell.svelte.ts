// What of the frame is open right now. None of it belongs into a link or outlives the page; what does is in the page's
// view and settings.
import { isPhone, Media } from '../widgets/phone.svelte';

export class Shell {
  isPaletteOpen = $state(false);
  isHelpOpen = $state(false);
  isDamageOpen = $state(false);
  areViewsOpen = $state(false);
  /** By a key or the palette; answered by whoever keeps the views. */
  isSaveAsked = $state(false);
  /** The run table on phones. */
  isRunSheetOpen = $state(false);

  readonly #darkness = new Media('(prefers-color-scheme: dark)');

  get isPhone(): boolean {
    return isPhone();
  }

  get isSystemDark(): boolean {
    return this.#darkness.matches;
  }
}
