// Paints axes and lines on the data canvas. Two ways, by the number of points:
//
// - Few: everything at once, straight onto the canvas, also for every frame of a pan.
// - Many (more than a frame can draw): lines are drawn in slices onto a layer that is not shown, and the layer is copied
//   when it is complete. Until then the last complete one is shown, moved and stretched to where its data lies now, so
//   that zooming and live updates never show an empty or half-drawn chart. Only the very first drawing is shown growing.
import type { FrameBudget } from '../base/scheduler';
import { clipTo } from './draw-context';
import { LinePass } from './draw-lines';
import type { Layout } from './layout';
import { drawGround, paintScene, paintText, type Scene } from './render';
import { fitLayer, giveBackLayer, takeLayer, type Layer } from './surface';
import type { XKind } from './types';

/** Drawn in one go up to here (points of plain lines): about 10 ms without a GPU. */
const DIRECT_COST_MAX = 60_000;
const OVERHANG_PX = 3;

interface Picture {
  readonly layer: Layer;
  readonly layout: Layout;
  readonly xKind: XKind;
}

interface Growing {
  readonly picture: Picture;
  readonly pass: LinePass;
  readonly scene: Scene;
  slices: number;
}

export class DataLayer {
  /** Whether the canvas shows the last scene as it is, not a stretched picture of an earlier one. */
  isExact = false;
  readonly #shown: Layer;
  #complete: Picture | null = null;
  #growing: Growing | null = null;

  constructor(shown: Layer) {
    this.#shown = shown;
  }

  /**
   * Draws what fits into the budget; true when the canvas shows the scene exactly. While `isMoving` many points are only
   * moved, not drawn: the caller comes back when the movement pauses.
   */
  drawSlice(scene: Scene, budget: FrameBudget, isMoving: boolean): boolean {
    if (isMoving && this.#complete) {
      this.#abandon();
      this.#paintPicture(scene, this.#complete);
      return true;
    }
    if (!this.#growing) {
      const pass = new LinePass(scene.series, scene.layout);
      const { cost } = pass;
      if (cost <= DIRECT_COST_MAX) {
        this.#paintDirectly(scene, pass);
        budget.spend(cost);
        return true;
      }
      this.#begin(scene, pass);
    }
    return this.#grow(scene, budget);
  }

  /** At once, as well as it can be done at once: after a resize the canvas is empty until something is painted. */
  drawNow(scene: Scene): void {
    const pass = new LinePass(scene.series, scene.layout);
    if (pass.cost <= DIRECT_COST_MAX) this.#paintDirectly(scene, pass);
    else this.#paintPicture(scene, this.#complete);
  }

  destroy(): void {
    this.#abandon();
    this.#dropComplete();
  }

  #begin(scene: Scene, pass: LinePass): void {
    const layer = takeLayer(scene.layout);
    if (layer) {
      const picture = { layer, layout: scene.layout, xKind: scene.options.xKind };
      this.#growing = { picture, pass, scene, slices: 0 };
    }
  }

  /** A drawing that was begun is finished even when newer data has arrived: else steady news would never show anything. */
  #grow(scene: Scene, budget: FrameBudget): boolean {
    const growing = this.#growing;
    if (!growing) return true;
    const isDone = growing.pass.drawSlice(growing.picture.layer.context, budget);
    if (isDone) {
      this.#growing = null;
      this.#dropComplete();
      this.#complete = growing.picture;
    }
    growing.slices += 1;
    if (isDone || isPowerOfTwo(growing.slices)) {
      this.#paintPicture(scene, isDone || this.#complete ? this.#complete : growing.picture);
    } else {
      // Copying a pixel makes the canvas turn what it has recorded into pixels now, a slice at a time, instead of all at
      // the end. Copying the whole picture each time would cost as much again as drawing it.
      this.#shown.context.drawImage(growing.picture.layer.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    }
    this.isExact = isDone && growing.scene === scene;
    return this.isExact;
  }

  #paintDirectly(scene: Scene, pass: LinePass): void {
    this.#abandon();
    this.#dropComplete();
    const { context } = this.#shown;
    fitLayer(this.#shown, scene.layout);
    context.clearRect(0, 0, scene.layout.width, scene.layout.height);
    paintScene(context, scene, pass);
    this.isExact = true;
  }

  #paintPicture(scene: Scene, picture: Picture | null): void {
    this.isExact = false;
    const { context } = this.#shown;
    const { layout } = scene;
    fitLayer(this.#shown, layout);
    context.clearRect(0, 0, layout.width, layout.height);
    drawGround(context, scene);
    if (picture && picture.xKind === scene.options.xKind && isSameKind(picture.layout, layout)) {
      const from = picture.layout;
      const overhang = OVERHANG_PX * layout.ratio;
      const left = layout.xScale.pxFromValue(from.xScale.min);
      const right = layout.xScale.pxFromValue(from.xScale.max);
      const top = layout.yScale.pxFromValue(from.yScale.max);
      const bottom = layout.yScale.pxFromValue(from.yScale.min);
      const fromWidth = from.plot.right - from.plot.left;
      const stretch = (right - left) / fromWidth;
      context.save();
      clipTo(context, {
        ...layout.plot,
        left: layout.plot.left - overhang,
        right: layout.plot.right + overhang,
      });
      context.drawImage(
        picture.layer.canvas,
        from.plot.left - overhang,
        from.plot.top,
        fromWidth + 2 * overhang,
        from.plot.bottom - from.plot.top,
        left - overhang * stretch,
        top,
        right - left + 2 * overhang * stretch,
        bottom - top,
      );
      context.restore();
    }
    paintText(context, scene);
  }

  #abandon(): void {
    if (this.#growing) giveBackLayer(this.#growing.picture.layer);
    this.#growing = null;
  }

  #dropComplete(): void {
    if (this.#complete) giveBackLayer(this.#complete.layer);
    this.#complete = null;
  }
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}

/** Whether a picture of one can be stretched into the other. */
function isSameKind(a: Layout, b: Layout): boolean {
  return (
    a.xScale.kind === b.xScale.kind &&
    a.yScale.kind === b.yScale.kind &&
    a.yScale.linearWidth === b.yScale.linearWidth &&
    a.right?.scale.kind === b.right?.scale.kind
  );
}
