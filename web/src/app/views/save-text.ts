// A text as a file on the user's disk.
import { saveBlob } from '../../widgets/save-file';

/** Names come from people: what some file system does not take is replaced. */
export function safeFileName(name: string): string {
  const safe = name
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replace(/^[-. ]+|[-. ]+$/g, '')
    .slice(0, 100);
  return safe === '' || safe.startsWith('.') ? `view${safe}` : safe;
}

export function saveText(text: string, name: string): void {
  saveBlob(new Blob([text], { type: 'application/json' }), safeFileName(name));
}
