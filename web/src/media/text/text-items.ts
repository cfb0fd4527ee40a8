// Asking the server for texts.
import type { Page } from '../../state/page.svelte';
import type { TextAnswer } from '../../wire/client';
import { itemPath, type ItemAddress } from '../addresses';
import { wordsOf } from './text-words';

type Asking = Pick<Page, 'client' | 'runs'>;

/** Characters of one text at first, and when somebody wants all: the server's own bound. */
export const FIRST_CHARS = 262_144;
export const MOST_CHARS = 4 << 20;

export function textPath({ runs }: Asking, address: ItemAddress, limit: number): string {
  return itemPath('text/item', address, { limit, ...serverWord(runs.serverId) });
}

export function textFileUrl({ client, runs }: Asking, address: ItemAddress): string {
  return client.url(itemPath('text/download', address, serverWord(runs.serverId)));
}

/** Every letter of it, for the clipboard. */
export async function wholeText(page: Asking, address: ItemAddress, shown: TextAnswer): Promise<string> {
  if (!shown.is_cut) return wordsOf(shown);
  const answer = await page.client.get(itemPath('text/download', address, serverWord(page.runs.serverId)));
  return await answer.text();
}

/** Numbers of runs belong to one start of the server. */
function serverWord(serverId: string): { server_id?: string } {
  return serverId === '' ? {} : { server_id: serverId };
}
