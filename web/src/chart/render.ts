// Draws a whole chart at once onto any context: what is shown of small charts, and what an export of a picture needs.
import { drawGrid, drawLabels, drawNote, droppedText } from './draw-axes';
import type { DrawContext } from './draw-context';
import { LinePass } from './draw-lines';
import { fitView } from './fit';
import { makeLayout, type Layout, type SizePx } from './layout';
import type { ChartOptions, ChartSeries } from './types';

export interface Scene {
  readonly layout: Layout;
  readonly series: readonly ChartSeries[];
  readonly options: ChartOptions;
  /** A sentence to show with the data; null: none. */
  readonly note: string | null;
}

/** `pass`: the lines of the scene, not begun yet. */
export function paintScene(context: DrawContext, scene: Scene, pass: LinePass): void {
  drawGrid(context, scene.layout, scene.options);
  pass.drawSlice(context, null);
  paintText(context, scene);
}

export function paintText(context: DrawContext, { layout, options, note }: Scene): void {
  drawLabels(context, layout, options);
  if (note) drawNote(context, layout, options, note);
}

/** A picture of the chart, without a chart: fitted, laid out and drawn for this size. */
export function renderTo(
  context: DrawContext,
  size: SizePx,
  series: readonly ChartSeries[],
  options: ChartOptions,
): void {
  const fit = fitView(series, options);
  const layout = makeLayout(context, size, fit, options, 0);
  const scene = { layout, series, options, note: droppedText(fit.dropped) };
  context.fillStyle = options.theme.background;
  context.fillRect(0, 0, size.width, size.height);
  paintScene(context, scene, new LinePass(series, layout));
}
