// Tells an element's owner whether it is in sight, or nearly.

const MARGIN_PX = 300;
const listeners = new WeakMap<Element, (isInSight: boolean) => void>();
let observer: IntersectionObserver | null = null;

/** An attachment: `{@attach inSight((is) => (isInSight = is))}`. */
export function inSight(onChange: (isInSight: boolean) => void): (element: Element) => () => void {
  return (element) => {
    observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
      },
      // Scrolling boxes on the way clip without a margin, those of other roots with it.
      { rootMargin: `${MARGIN_PX}px` },
    );
    listeners.set(element, onChange);
    observer.observe(element);
    return () => {
      listeners.delete(element);
      observer?.unobserve(element);
    };
  };
}
