// Which stretch of an element is in sight, with as much again above and below: what is built before it is seen. It changes in
// large steps only, so that most scroll events change nothing.

const STEP_PX = 200;
/** Taken before anything is measured, and where there is no layout: a screen's height. */
const ASSUMED_PX = 900;

export class WhereInScroller {
  #fromPx = $state(-ASSUMED_PX);
  #toPx = $state(2 * ASSUMED_PX);

  /** From the element's upper edge. */
  get stretch(): { readonly fromPx: number; readonly toPx: number } {
    return { fromPx: this.#fromPx, toPx: this.#toPx };
  }

  /** For effects: measures until the returned function is called. */
  watch(element: HTMLElement): () => void {
    const scroller = element.closest<HTMLElement>('[data-scroller]');
    if (scroller === null) return () => undefined;
    let frame: number | null = null;
    const measure = (): void => {
      frame = null;
      const heightPx = scroller.clientHeight;
      if (heightPx === 0) return;
      const hiddenPx = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
      this.#fromPx = Math.floor((hiddenPx - heightPx / 2) / STEP_PX) * STEP_PX;
      this.#toPx = Math.ceil((hiddenPx + 1.5 * heightPx) / STEP_PX) * STEP_PX;
    };
    const later = (): void => {
      frame ??= requestAnimationFrame(measure);
    };
    const sizes = new ResizeObserver(later);
    sizes.observe(scroller);
    sizes.observe(element);
    // What is above may close, grow or go: that moves the element without a scroll event, and leaves its size as it is.
    for (const child of scroller.children) sizes.observe(child);
    const children = new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        for (const node of removedNodes) if (node instanceof Element) sizes.unobserve(node);
        for (const node of addedNodes) if (node instanceof Element) sizes.observe(node);
      }
      later();
    });
    children.observe(scroller, { childList: true });
    scroller.addEventListener('scroll', later, { passive: true });
    measure();
    return () => {
      children.disconnect();
      sizes.disconnect();
      scroller.removeEventListener('scroll', later);
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }
}
