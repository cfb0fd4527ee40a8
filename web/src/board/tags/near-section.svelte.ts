// A section of a long page: what it shows is built while it is near the viewport, or was a moment ago. As high as it was when
// it was last there, so that nothing moves when it goes.
import { untrack } from 'svelte';
import type { NearViewport, Presence } from '../../widgets/near-viewport';

export class NearSection {
  #presence = $state.raw<Presence>('far');
  #heightPx = $state.raw(0);

  /**
   * `heightPx` is taken until it was built once. `isFirst`: of the page, and so in sight before anything has been laid out;
   * what it shows is asked for at once.
   */
  constructor(heightPx: number, isFirst = false) {
    this.#heightPx = heightPx;
    if (isFirst) this.#presence = 'near';
  }

  get isBuilt(): boolean {
    return this.#presence !== 'far';
  }

  /** Only then it is kept fresh. */
  get isNear(): boolean {
    return this.#presence === 'near';
  }

  /** For `style:min-height`. */
  get minHeight(): string | undefined {
    return this.isBuilt ? undefined : `${this.#heightPx}px`;
  }

  /** An attachment. */
  readonly watchedBy =
    (near: NearViewport) =>
    (element: HTMLElement): (() => void) =>
      untrack(() =>
        near.watch(
          element,
          (now) => {
            if (now === 'far') this.#heightPx = element.offsetHeight;
            this.#presence = now;
          },
          this.isNear ? 'near' : 'far',
        ),
      );
}
