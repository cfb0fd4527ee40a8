// What of the frame is open right now. None of it belongs into a link or outlives the page; what does is in the page's
// view and settings.

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

  #isPhone = $state(false);
  #isSystemDark = $state(false);

  constructor() {
    follow(`(max-width: ${PHONE_MAX_WIDTH_PX}px)`, (isPhone) => (this.#isPhone = isPhone));
    follow('(prefers-color-scheme: dark)', (isDark) => (this.#isSystemDark = isDark));
  }

  get isPhone(): boolean {
    return this.#isPhone;
  }

  get isSystemDark(): boolean {
    return this.#isSystemDark;
  }
}

/**
 * For as long as the page lives. The framework's MediaQuery would do, but brings its reactive maps into the first view
 * as soon as anything that is loaded later has one.
 */
function follow(query: string, tell: (isMatching: boolean) => void): void {
  const list = matchMedia(query);
  list.addEventListener('change', () => tell(list.matches));
  tell(list.matches);
}
