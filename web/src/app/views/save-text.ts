// A text as a file on the user's disk.

/** Names come from people: what some file system does not take is replaced. */
export function safeFileName(name: string): string {
  const safe = name
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replace(/^[-. ]+|[-. ]+$/g, '')
    .slice(0, 100);
  return safe === '' || safe.startsWith('.') ? `view${safe}` : safe;
}

export function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = safeFileName(name);
  anchor.click();
  // The browser has taken hold of the data by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}
