// “Change the smoothing” by a key: to the slider in the settings, and with Esc back to the chart.

export class SmoothingFocus {
  /** Where Esc goes from the settings, when a key has led there. */
  #returnTo: HTMLElement | null = null;

  /** `slot`: the card that the keyboard is on, or was on last. `open` resolves when the settings are there. */
  async go(slot: Element | null, open: () => Promise<unknown>): Promise<void> {
    this.#returnTo = slot?.querySelector<HTMLElement>('[data-chart-host]') ?? this.#returnTo;
    await open();
    // After the pane has been drawn.
    requestAnimationFrame(() => document.getElementById('smoothing-slider')?.focus());
  }

  readonly goBack = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !this.#returnTo?.isConnected) return;
    this.#returnTo.focus();
    this.#returnTo = null;
    event.preventDefault();
  };
}
