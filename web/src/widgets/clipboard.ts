// Copying text. The browser's own clipboard only exists on https and on localhost; a page that is opened by a machine's
// name gets the old way, through a selected text.

/** Whether it worked: whoever asked says so, either way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  // Inside an open dialog the rest of the page is inert and cannot be selected.
  const host = before?.closest('dialog') ?? document.querySelector('dialog[open]') ?? document.body;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  area.setAttribute('aria-hidden', 'true');
  host.append(area);
  area.select();
  // Deprecated, and the only way there is without https.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
