// What belongs to the person at this browser, not to a link: theme, side bar, whether to follow. Kept in localStorage;
// what is found there is checked, since an older or newer version may have written it.
import type { BrowserStorage } from './browser-storage';
import type { Settings, ThemeChoice } from './types';

const KEY = 'settings.1';
const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];
export const DEFAULT_SIDE_BAR_PX = 340;
export const LEAST_SIDE_BAR_PX = 200;
const MOST_SIDE_BAR_PX = 2000;

export class LiveSettings implements Settings {
  #chosenTheme = $state<ThemeChoice>('system');
  /** What the link asks for; never saved, and gone with the first choice of the user's own. */
  #linkTheme = $state<ThemeChoice | null>(null);
  sideBarWidthPx = $state(DEFAULT_SIDE_BAR_PX);
  isSideBarOpen = $state(true);
  isSettingsPaneOpen = $state(true);
  isLive = $state(true);
  readonly #endEffects: () => void;

  constructor(storage: BrowserStorage, linkTheme: ThemeChoice | null = null) {
    this.#take(storage.read(KEY));
    this.#linkTheme = linkTheme;
    this.#endEffects = $effect.root(() => {
      $effect(() => {
        storage.write(KEY, this.plain);
      });
    });
  }

  get theme(): ThemeChoice {
    return this.#linkTheme ?? this.#chosenTheme;
  }

  set theme(choice: ThemeChoice) {
    this.#linkTheme = null;
    this.#chosenTheme = choice;
  }

  /** As it is saved. */
  get plain(): Settings {
    return {
      theme: this.#chosenTheme,
      sideBarWidthPx: this.sideBarWidthPx,
      isSideBarOpen: this.isSideBarOpen,
      isSettingsPaneOpen: this.isSettingsPaneOpen,
      isLive: this.isLive,
    };
  }

  destroy(): void {
    this.#endEffects();
  }

  #take(saved: unknown): void {
    if (typeof saved !== 'object' || saved === null) return;
    const { theme, sideBarWidthPx, ...switches } = saved as Partial<Record<keyof Settings, unknown>>;
    this.#chosenTheme = THEMES.find((known) => known === theme) ?? this.#chosenTheme;
    if (
      typeof sideBarWidthPx === 'number' &&
      sideBarWidthPx >= LEAST_SIDE_BAR_PX &&
      sideBarWidthPx <= MOST_SIDE_BAR_PX
    ) {
      this.sideBarWidthPx = sideBarWidthPx;
    }
    for (const key of ['isSideBarOpen', 'isSettingsPaneOpen', 'isLive'] as const) {
      const value = switches[key];
      if (typeof value === 'boolean') this[key] = value;
    }
  }
}
