// What belongs to the person at this browser, not to a link: theme, side bar, whether to follow. Kept in localStorage;
// what is found there is checked, since an older or newer version may have written it.
import type { BrowserStorage } from './browser-storage';
import type { Settings, ThemeChoice } from './types';

const KEY = 'settings.1';
const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];
const LEAST_WIDTH_PX = 160;
const MOST_WIDTH_PX = 2000;

export class LiveSettings implements Settings {
  theme = $state<ThemeChoice>('system');
  sideBarWidthPx = $state(340);
  isSideBarOpen = $state(true);
  isSettingsPaneOpen = $state(true);
  isLive = $state(true);
  readonly #endEffects: () => void;

  constructor(storage: BrowserStorage) {
    this.#take(storage.read(KEY));
    this.#endEffects = $effect.root(() => {
      $effect(() => {
        storage.write(KEY, this.plain);
      });
    });
  }

  get plain(): Settings {
    return {
      theme: this.theme,
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
    this.theme = THEMES.find((known) => known === theme) ?? this.theme;
    if (
      typeof sideBarWidthPx === 'number' &&
      sideBarWidthPx >= LEAST_WIDTH_PX &&
      sideBarWidthPx <= MOST_WIDTH_PX
    ) {
      this.sideBarWidthPx = sideBarWidthPx;
    }
    for (const key of ['isSideBarOpen', 'isSettingsPaneOpen', 'isLive'] as const) {
      const value = switches[key];
      if (typeof value === 'boolean') this[key] = value;
    }
  }
}
