// Asking the server for texts.
import { MARKDOWN_CHARS } from '../../markdown/pieces';
import type { LoadedAnswer } from '../../state/feeds/answer-cache';
import type { Page } from '../../state/page.svelte';
import type { TextAnswer } from '../../wire/client';
import { itemPath, type ItemAddress } from '../../board/tiles/addresses';
import { jsonOf } from '../../board/tiles/tile-answer.svelte';
import { isOneText, wordsOf } from './text-words';

type Asking = Pick<Page, 'client' | 'runs'>;

/** How a reader gets more of a text than is shown. */
export interface TextExtent {
  /** null: there is no more to be had, but as a file. */
  readonly more: { readonly chars: number; readonly load: () => void } | null;
  readonly isLoading: boolean;
  readonly problem: string | null;
  readonly fileUrl: string;
}

/** Characters of one text at first: as many as can be Markdown. */
export const FIRST_CHARS = MARKDOWN_CHARS;
/** Of tables, and of texts that are too long for a page: the server's own bound. */
const MOST_CHARS = 4 << 20;
/** One text of no more than this comes whole. */
const MOST_WHOLE_CHARS = 32 << 20;

export function textPath({ runs }: Asking, address: ItemAddress, limit: number): string {
  return itemPath('text/item', address, { limit, ...serverWord(runs.serverId) });
}

function filePath({ runs }: Asking, address: ItemAddress): string {
  return itemPath('text/download', address, serverWord(runs.serverId));
}

export function textFileUrl(page: Asking, address: ItemAddress): string {
  return page.client.url(filePath(page, address));
}

type Extent = Pick<TextAnswer, 'rows' | 'columns' | 'cells' | 'total_chars'>;

function comesWhole(answer: Extent): boolean {
  return isOneText(answer) && answer.total_chars <= MOST_WHOLE_CHARS;
}

/** How many characters of it a page can show. */
export function mostChars(answer: Extent): number {
  return comesWhole(answer) ? answer.total_chars : Math.min(answer.total_chars, MOST_CHARS);
}

/** Where as much of it is as a page can show; see readMore. */
export function morePath(page: Asking, address: ItemAddress, beginning: Extent): string {
  return comesWhole(beginning) ? filePath(page, address) : textPath(page, address, MOST_CHARS);
}

export async function readMore(beginning: TextAnswer, answer: LoadedAnswer): Promise<TextAnswer> {
  if (!comesWhole(beginning)) return await jsonOf<TextAnswer>(answer);
  // Letter by letter: a mark at the beginning that tells the order of bytes is one of them.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { ...beginning, cells: [decoder.decode(await answer.blob.arrayBuffer())], is_cut: false };
}

/** Every letter of it, for the clipboard. */
export async function wholeText(page: Asking, address: ItemAddress, shown: TextAnswer): Promise<string> {
  if (!shown.is_cut) return wordsOf(shown);
  const answer = await page.client.get(filePath(page, address));
  return await answer.text();
}

/** Numbers of runs belong to one start of the server. */
function serverWord(serverId: string): { server_id?: string } {
  return serverId === '' ? {} : { server_id: serverId };
}
