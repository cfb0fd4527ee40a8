// What can be done with pictures besides looking at them. What goes wrong is told to the user here.
import { formatInteger, messageOf } from '../../base/format';
import { answersOf } from '../../state/feeds/answer-cache';
import type { Page } from '../../state/page.svelte';
import type { PictureZipRequest } from '../../wire/client';
import { saveBlob, saveUrl } from '../../widgets/save-file';
import { copyPictureTold, copyTold } from '../../board/copy-told';
import type { FullView } from '../../board/full-view/full-view.svelte';
import { fullViewLink } from '../../board/full-view/full-view-link';
import { slotOf } from '../../board/tiles/slot-value';
import { originalPath, type PictureItem } from './picture-item';

/** As the server has it (dashboards/images/schemas.py). */
const MOST_ZIP_ITEMS = 10_000;

export function downloadPicture(page: Page, item: PictureItem): void {
  saveUrl(page.client.url(originalPath(item, { isDownload: true })));
}

/** All of them in one file, as they were logged. */
export async function downloadZip(page: Page, items: readonly PictureItem[]): Promise<void> {
  if (items.length > MOST_ZIP_ITEMS) {
    page.announce(`A zip file holds ${formatInteger(MOST_ZIP_ITEMS)} pictures at most; select fewer`);
    return;
  }
  const request: PictureZipRequest = {
    pictures: items.map(({ run, tag, index, step, sample }) => ({ run, tag, index, step, sample })),
    server_id: page.runs.serverId,
  };
  try {
    const answer = await page.client.post('images/zip', request);
    saveBlob(await answer.blob(), 'pictures.zip');
  } catch (error) {
    page.announce(`The pictures could not be downloaded: ${messageOf(error)}`);
  }
}

export async function copyPicture(page: Page, item: PictureItem): Promise<void> {
  await copyPictureTold(page, async () => (await answersOf(page.client).load(originalPath(item))).blob);
}

/** `full`: what the link opens it in. */
export async function copyPictureLink(page: Page, item: PictureItem, full: FullView): Promise<void> {
  const slot = slotOf(page, item);
  if (slot !== null) await copyTold(page, 'Link', () => fullViewLink(page.link(), full, slot));
}
