// Copying what may have to be fetched first, and saying how it went.
import type { Page } from '../../state/page.svelte';
import { copyText } from '../../widgets/clipboard';

/** `what` begins the sentence: "Cell". */
export async function copyTold(
  page: Pick<Page, 'announce'>,
  what: string,
  text: () => Promise<string>,
): Promise<void> {
  try {
    page.announce((await copyText(await text())) ? `${what} copied` : `${what} could not be copied`);
  } catch (error) {
    page.announce(`${what} could not be copied: ${error instanceof Error ? error.message : String(error)}`);
  }
}
