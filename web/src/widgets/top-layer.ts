// The browser's top layer, where popups stand above dialogs and no ancestor clips them. Browsers from before 2024, and the
// simulated DOM of the tests, do not have it; there a popup is simply positioned, which is enough outside of dialogs.

/**
 * Lets the element be seen in front of the dialogs that are open (they make it inert all the same). Without any it is left
 * alone: hiding a live region for a moment may swallow what it has to say. It gets the class is-in-front for good.
 */
export function bringBeforeDialogs(element: HTMLElement): void {
  if (!('showPopover' in element) || document.querySelector('dialog[open]') === null) return;
  element.popover = 'manual';
  element.classList.add('is-in-front');
  // Whoever is shown last is on top.
  element.hidePopover();
  element.showPopover();
}

/** The element has the attribute popover="manual" and is in the document. */
export function showOnTop(element: HTMLElement): void {
  if ('showPopover' in element) element.showPopover();
}
