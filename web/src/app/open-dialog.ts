// A dialog has keys of its own (Esc, Tab, typing); the page behind it is inert.
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
