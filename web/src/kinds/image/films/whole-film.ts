// An animated picture that is too long to be taken apart: the browser plays it as it is. It cannot be led, so it takes no part in
// what the controls do.
import type { Film } from './film';

export class WholeFilm implements Film {
  readonly timeline = null;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly element = document.createElement('img');
  readonly isReady = true;
  readonly shownFrame = -1;
  readonly problem = '';
  onchange: () => void = () => {};
  readonly #url: string;

  constructor(blob: Blob, size: { readonly width: number; readonly height: number }) {
    this.widthPx = size.width;
    this.heightPx = size.height;
    this.#url = URL.createObjectURL(blob);
    this.element.alt = '';
    this.element.src = this.#url;
  }

  follow(): void {}

  close(): void {
    this.element.removeAttribute('src');
    URL.revokeObjectURL(this.#url);
  }
}

/** Its first frame alone, where a system asks for less motion: nothing else would stop it. */
export async function firstFrameOf(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/png' });
}
