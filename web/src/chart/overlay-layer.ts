// Paints the overlay canvas. The highlighted line is a wide stroke and expensive; it is kept as a picture of its own, so that
// moving the cursor over it costs a copy and not a stroke.
import { drawBrush, drawCrosshair, drawHighlight, drawHoverPoints, type Brush } from './overlay';
import type { DrawContext } from './draw-context';
import type { Layout } from './layout';
import { fitLayer, giveBackLayer, takeLayer, type Layer } from './surface';
import type { ChartOptions, ChartSeries, Hover } from './types';

export interface OverlayScene {
  readonly layout: Layout;
  readonly options: ChartOptions;
  readonly seriesByKey: ReadonlyMap<string, ChartSeries>;
  readonly hover: Hover | null;
  /** The line that the cursor is about; null: about all of them. */
  readonly mainKey: string | null;
  readonly brush: Brush | null;
  readonly highlight: ChartSeries | null;
  /** Paints markers and pins; null: there are none. */
  readonly drawHandles: ((context: DrawContext) => void) | null;
}

export class OverlayLayer {
  readonly #shown: Layer;
  #isClean = true;
  #highlight: { readonly layer: Layer; readonly layout: Layout; readonly line: ChartSeries } | null = null;

  constructor(shown: Layer) {
    this.#shown = shown;
  }

  paint(scene: OverlayScene): void {
    const { layout, options, hover, brush, highlight, drawHandles } = scene;
    if (!highlight) this.#dropHighlight();
    const isEmpty = !hover && !brush && !highlight && !drawHandles;
    if (isEmpty && this.#isClean) return;
    const { context } = this.#shown;
    fitLayer(this.#shown, layout);
    context.clearRect(0, 0, layout.width, layout.height);
    this.#isClean = isEmpty;
    if (isEmpty) return;
    if (highlight) this.#paintHighlight(layout, options, highlight);
    if (hover) {
      const y = hover.pointerPx ? hover.pointerPx.top * layout.ratio : null;
      drawCrosshair(context, layout, options, layout.xScale.pxFromValue(hover.x), y);
      drawHoverPoints(context, layout, options, hover, scene.seriesByKey, scene.mainKey);
    }
    drawHandles?.(context);
    if (brush) drawBrush(context, layout, options, brush);
  }

  destroy(): void {
    this.#dropHighlight();
  }

  #paintHighlight(layout: Layout, options: ChartOptions, line: ChartSeries): void {
    if (this.#highlight?.layout !== layout || this.#highlight.line !== line) {
      this.#dropHighlight();
      const layer = takeLayer(layout);
      if (!layer) return;
      drawHighlight(layer.context, layout, options, line);
      this.#highlight = { layer, layout, line };
    }
    this.#shown.context.drawImage(this.#highlight.layer.canvas, 0, 0);
  }

  #dropHighlight(): void {
    if (this.#highlight) giveBackLayer(this.#highlight.layer);
    this.#highlight = null;
  }
}
