// Copying what may have to be fetched first, and saying how it went.
import type { Page } from '../../state/page.svelte';
import { copyText } from '../../widgets/clipboard';
import { copyAsPng } from '../copy-as-png';

/** `what` begins the sentence: "Cell". */
export async function copyTold(
  page: Pick<Page, 'announce'>,
  what: string,
  text: () => Promise<string>,
): Promise<void> {
  await told(page, what, async () => copyText(await text()));
}

/** The picture itself, as other programs paste it. */
export async function copyPictureTold(
  page: Pick<Page, 'announce'>,
  picture: () => Promise<Blob>,
): Promise<void> {
  await told(page, 'Picture', async () => {
    await copyAsPng(picture);
    return true;
  });
}

async function told(page: Pick<Page, 'announce'>, what: string, copy: () => Promise<boolean>): Promise<void> {
  try {
    page.announce((await copy()) ? `${what} copied` : `${what} could not be copied`);
  } catch (error) {
    page.announce(`${what} could not be copied: ${error instanceof Error ? error.message : String(error)}`);
  }
}
