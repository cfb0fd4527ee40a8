// Copying what may have to be fetched first, and saying how it went.
import type { Page } from '../../state/page.svelte';
import { copyText } from '../../widgets/clipboard';

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
    // Only pages on https or localhost have it.
    if (!('ClipboardItem' in window)) throw new Error('this browser does not let the page copy pictures');
    const png = await asPng(await picture());
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
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

/** The one type that every clipboard takes. */
async function asPng(blob: Blob): Promise<Blob> {
  if (blob.type === 'image/png') return blob;
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/png' });
}
