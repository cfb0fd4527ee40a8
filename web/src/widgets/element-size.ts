// How large an element is, told after each layout of the browser. Asking for it instead would make the browser lay out the page at
// once, for each of the many tiles that come while somebody scrolls.
import type { Attachment } from 'svelte/attachments';

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

type Hear = (size: Size) => void;

const heard = new WeakMap<Element, Hear>();
let observer: ResizeObserver | null = null;

/** An attachment: of the content, in whole CSS pixels. */
export function sized(hear: Hear): Attachment {
  return (element) => {
    observer ??= new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) {
        const size = { widthPx: Math.round(contentRect.width), heightPx: Math.round(contentRect.height) };
        heard.get(target)?.(size);
      }
    });
    heard.set(element, hear);
    observer.observe(element);
    return () => {
      heard.delete(element);
      observer?.unobserve(element);
    };
  };
}
