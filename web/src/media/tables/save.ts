// Files for the person at this browser.
import type { Client } from '../../wire/client';

/** An address of our own server whose answer is a file. */
export function saveUrl(url: string, name = ''): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveUrl(url, name);
  // The browser has taken hold of the data by the next turn.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 0);
}

/** A file that is made for a question; the server names it. */
export async function savePosted(client: Client, path: string, body: unknown): Promise<void> {
  const answer = await client.post(path, body);
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  saveBlob(await answer.blob(), name ?? 'table.csv');
}
