// Two canvases on top of each other that fill a host element in device pixels: data below, everything that follows the
// pointer above. Watches the host's size, the pixel ratio (a window moved to another monitor) and whether it is on screen.
import type { SizePx } from './layout';

/** Wide enough for any screen, small enough for every browser's limit. */
const LONGEST_SIDE_PX = 8192;

export interface Layer {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

export class Surface {
  readonly data: Layer | null;
  readonly overlay: Layer | null;
  /** null until the host has a size. */
  size: SizePx | null = null;
  isVisible = true;
  readonly #resizes: ResizeObserver;
  readonly #onResize: () => void;
  readonly #host: HTMLElement;

  /** `onShown`: it came into view again. */
  constructor(host: HTMLElement, { onResize, onShown }: { onResize: () => void; onShown: () => void }) {
    this.#host = host;
    this.#onResize = onResize;
    host.style.position ||= 'relative';
    this.data = addLayer(host);
    this.overlay = addLayer(host);
    this.#resizes = new ResizeObserver((entries) => this.#resize(entries[entries.length - 1]!));
    try {
      this.#resizes.observe(host, { box: 'device-pixel-content-box' });
    } catch {
      // Not known by every browser; then sizes are rounded from CSS pixels.
      this.#resizes.observe(host);
    }
    watchVisibility(host, (isVisible) => {
      const wasVisible = this.isVisible;
      this.isVisible = isVisible;
      if (isVisible && !wasVisible) onShown();
    });
  }

  #resize(entry: ResizeObserverEntry): void {
    const ratio = window.devicePixelRatio || 1;
    const { width: cssWidth, height: cssHeight } = entry.contentRect;
    // The type promises it, Safari does not have it.
    const boxes = entry.devicePixelContentBoxSize as readonly ResizeObserverSize[] | undefined;
    const reported = boxes?.[0];
    // Exact device pixels where the browser tells them; emulated phones report CSS pixels there, which is seen by the ratio.
    const device = reported && Math.abs(reported.inlineSize - cssWidth * ratio) < 2 ? reported : null;
    const width = device ? device.inlineSize : Math.round(cssWidth * ratio);
    const height = device ? device.blockSize : Math.round(cssHeight * ratio);
    // A host that is hidden (display: none) has no size; what was drawn stays for when it comes back.
    if (width < 1 || height < 1) return;
    const size = {
      width: Math.min(width, LONGEST_SIDE_PX),
      height: Math.min(height, LONGEST_SIDE_PX),
      ratio,
    };
    if (
      this.size &&
      this.size.width === size.width &&
      this.size.height === size.height &&
      this.size.ratio === ratio
    ) {
      return;
    }
    this.size = size;
    this.#onResize();
  }

  destroy(): void {
    this.#resizes.disconnect();
    forgetVisibility(this.#host);
    this.data?.canvas.remove();
    this.overlay?.canvas.remove();
  }
}

/** Gives the canvas this size; that clears it, so it happens only when something else is drawn at once. */
export function fitLayer(layer: Layer, size: SizePx): void {
  if (layer.canvas.width !== size.width) layer.canvas.width = size.width;
  if (layer.canvas.height !== size.height) layer.canvas.height = size.height;
}

// Layers that are not shown, for charts that take several frames to draw. A few are kept: getting one costs more than
// clearing one, and at any time only one or two charts need them.
const spareLayers: Layer[] = [];
const SPARE_LAYERS_MAX = 3;

export function takeLayer(size: SizePx): Layer | null {
  const layer = spareLayers.pop() ?? makeLayer();
  if (!layer) return null;
  fitLayer(layer, size);
  layer.context.clearRect(0, 0, size.width, size.height);
  return layer;
}

export function giveBackLayer(layer: Layer): void {
  if (spareLayers.length < SPARE_LAYERS_MAX) spareLayers.push(layer);
}

/** Frees what is kept. */
export function dropSpareLayers(): void {
  spareLayers.length = 0;
}

function addLayer(host: HTMLElement): Layer | null {
  const layer = makeLayer();
  if (!layer) return null;
  const { canvas } = layer;
  // What a canvas shows is told in words by the host's label.
  canvas.setAttribute('aria-hidden', 'true');
  Object.assign(canvas.style, {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    pointerEvents: 'none',
  });
  canvas.width = 1;
  canvas.height = 1;
  host.append(canvas);
  return layer;
}

/** null where canvases cannot draw (tests without one): the chart then keeps quiet instead of failing. */
function makeLayer(): Layer | null {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  return context ? { canvas, context } : null;
}

// One observer for all charts of the page.
const visibilityCallbacks = new WeakMap<Element, (isVisible: boolean) => void>();
let visibilityObserver: IntersectionObserver | null = null;

function watchVisibility(element: Element, callback: (isVisible: boolean) => void): void {
  if (typeof IntersectionObserver === 'undefined') return;
  visibilityObserver ??= new IntersectionObserver((entries) => {
    for (const entry of entries) visibilityCallbacks.get(entry.target)?.(entry.isIntersecting);
  });
  visibilityCallbacks.set(element, callback);
  visibilityObserver.observe(element);
}

function forgetVisibility(element: Element): void {
  visibilityCallbacks.delete(element);
  visibilityObserver?.unobserve(element);
}
