// A file that is made for a question.
import { saveBlob } from '../../widgets/save-file';
import type { Client } from '../../wire/client';

/** The server names it. */
export async function savePosted(client: Client, path: string, body: unknown): Promise<void> {
  const answer = await client.post(path, body);
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  saveBlob(await answer.blob(), name ?? 'table.csv');
}
