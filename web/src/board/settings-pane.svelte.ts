// Whether a page's settings are open: a pane at its right, which this browser remembers; on phones a sheet, which is never open at
// first.
import type { Page } from '../state/page.svelte';
import { isPhone } from '../widgets/phone.svelte';

export class SettingsPane {
  readonly #settings: Page['settings'];
  isSheetOpen = $state(false);

  constructor(settings: Page['settings']) {
    this.#settings = settings;
  }

  get isPaneOpen(): boolean {
    return !isPhone() && this.#settings.isSettingsPaneOpen;
  }

  get isOpen(): boolean {
    return isPhone() ? this.isSheetOpen : this.#settings.isSettingsPaneOpen;
  }

  readonly setOpen = (isOpen: boolean): void => {
    if (isPhone()) this.isSheetOpen = isOpen;
    else this.#settings.isSettingsPaneOpen = isOpen;
  };

  readonly toggle = (): void => this.setOpen(!this.isOpen);
}
