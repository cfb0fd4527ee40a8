// Draws a whole chart at once onto any context: what is shown of small charts, and what a figure needs.
import { drawGrid, drawLabels, drawNote } from './draw-axes';
import { clipTo, type DrawContext } from './draw-context';
import type { LinePass } from './draw-lines';
import type { Layout } from './layout';
import type { ChartOptions, ChartSeries } from './types';

export interface Scene {
  readonly layout: Layout;
  readonly series: readonly ChartSeries[];
  readonly options: ChartOptions;
  /** A sentence to show with the data; null: none. */
  readonly note: string | null;
}

/** `pass`: the lines of the scene, not begun yet. `hairlinePx`: of the grid. */
export function paintScene(context: DrawContext, scene: Scene, pass: LinePass, hairlinePx = 1): void {
  drawGround(context, scene, hairlinePx);
  pass.drawSlice(context, null);
  paintText(context, scene);
}

/** What lies below the lines. */
export function drawGround(context: DrawContext, { layout, options }: Scene, hairlinePx = 1): void {
  drawGrid(context, layout, options, hairlinePx);
  if (!options.backdrop) return;
  context.save();
  clipTo(context, layout.plot);
  options.backdrop(context, layout);
  context.restore();
}

export function paintText(context: DrawContext, { layout, options, note }: Scene): void {
  drawLabels(context, layout, options);
  if (note) drawNote(context, layout, options, note);
}
