// Files for the user's disk.

/** A name that every file system takes, without an extension; `instead` where nothing is left of it. */
export function safeStem(title: string, instead: string): string {
  const safe = title
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 100);
  return safe === '' ? instead : safe;
}

/** What the page has made or fetched. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveUrl(url, name);
  // The browser has taken hold of the data by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** What the server sends as a file, under the name that it gives unless told. */
export function saveUrl(url: string, name = ''): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
}
