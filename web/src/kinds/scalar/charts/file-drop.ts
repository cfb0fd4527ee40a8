// Files that are dragged onto the page from outside. Cards are dragged by pointer events (card-drag.ts) and never get here.

export interface FileDropOptions {
  /** Files are held above the page, or not any more. */
  readonly onOver: (isOver: boolean) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Returns how to end it. */
export function takeDroppedFiles({ onOver, onFiles }: FileDropOptions): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    // Else the browser would leave the page and show the file.
    event.preventDefault();
    onOver(true);
  };
  const leave = (event: DragEvent): void => {
    // From one element to the next it leaves all the time; without a next one it has left the window.
    if (event.relatedTarget === null) onOver(false);
  };
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    onOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  };
  window.addEventListener('dragover', over, options);
  window.addEventListener('dragleave', leave, options);
  window.addEventListener('drop', drop, options);
  return () => ended.abort();
}
