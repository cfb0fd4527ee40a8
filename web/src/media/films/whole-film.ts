// An animated picture that is too long to be taken apart: the browser plays it as it is. It cannot be led, so it takes no part in
// what the controls do.
import type { Film } from './film';
import type { Timeline } from './timeline';

export class WholeFilm implements Film {
  readonly timeline: Timeline;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly element = document.createElement('img');
  readonly isReady = true;
  readonly shownFrame = -1;
  readonly problem = '';
  onchange: () => void = () => {};
  readonly #url: string;

  constructor(blob: Blob, size: { readonly width: number; readonly height: number }, timeline: Timeline) {
    this.timeline = timeline;
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
