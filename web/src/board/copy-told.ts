// Copying what may have to be fetched first, and saying how it went.
import type { Page } from '../state/page.svelte';
import { copyText } from '../widgets/clipboard';
import { copyPicture } from '../widgets/copy-picture';

type Announcer = Pick<Page, 'announce'>;

/** `what` begins the sentence: "Cell". */
export async function copyTold(
  page: Announcer,
  what: string,
  text: () => string | Promise<string>,
): Promise<void> {
  await told(page, what, async () => {
    if (!(await copyText(await text()))) throw new Error('the browser did not let us');
  });
}

/** The picture itself, as other programs paste it. */
export async function copyPictureTold(
  page: Announcer,
  picture: () => Blob | ImageBitmap | Promise<Blob>,
): Promise<void> {
  await told(page, 'Picture', async () => copyPicture(await picture()));
}

async function told(page: Announcer, what: string, copy: () => Promise<void>): Promise<void> {
  try {
    await copy();
    page.announce(`${what} copied`);
  } catch (error) {
    page.announce(`${what} could not be copied: ${error instanceof Error ? error.message : String(error)}`);
  }
}
