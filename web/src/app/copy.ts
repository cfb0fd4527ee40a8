// Copies text and says how it went: the clipboard is the one place where nobody sees that something arrived.
import type { Page } from '../state/page.svelte';
import { copyText } from '../widgets/clipboard';

/** `what` ends the sentence “Copied …”. */
export async function copy(page: Page, text: string, what: string): Promise<void> {
  const isCopied = await copyText(text);
  page.announce(
    isCopied
      ? `Copied ${what}`
      : 'This browser does not let the page copy; select the text and copy it yourself',
  );
}
