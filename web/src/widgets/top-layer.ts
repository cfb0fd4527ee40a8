// The browser's top layer, where popups stand above dialogs and no ancestor clips them. Browsers from before 2024, and the
// simulated DOM of the tests, do not have it; there a popup is simply positioned, which is enough outside of dialogs.

/** The element has the attribute popover="manual" and is in the document. */
export function showOnTop(element: HTMLElement): void {
  if ('showPopover' in element) element.showPopover();
}
