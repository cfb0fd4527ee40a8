// The browser's top layer, where popups stand above dialogs and no ancestor clips them. Browsers from before 2024, and the
// simulated DOM of the tests, do not have it; there a popup is simply positioned, which is enough outside of dialogs.

/**
 * Lets the element be seen and used in front of the dialogs that are open: a modal one makes everything outside of it inert,
 * so the element stays inside until that dialog closes. Without any it is left alone: hiding a live region for a moment may
 * swallow what it has to say. It gets the class is-in-front for good.
 */
export function bringBeforeDialogs(element: HTMLElement): void {
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
  if (!('showPopover' in element) || dialog === undefined) return;
  element.popover = 'manual';
  element.classList.add('is-in-front');
  if (element.parentElement !== dialog) {
    const home = element.parentNode;
    const next = element.nextSibling;
    dialog.append(element);
    const goHome = (): void => {
      if (element.parentElement !== dialog) return;
      // Home may have been another dialog, which is gone.
      const place = home?.isConnected === true ? home : document.body;
      place.insertBefore(element, next?.parentNode === place ? next : null);
      element.showPopover();
    };
    dialog.addEventListener('close', goHome, { once: true });
  }
  // Whoever is shown last is on top.
  element.hidePopover();
  element.showPopover();
}

/** The element has the attribute popover="manual" and is in the document. */
export function showOnTop(element: HTMLElement): void {
  if ('showPopover' in element) element.showPopover();
}
