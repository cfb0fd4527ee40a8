// Markers of the step selector and pins of notes, as far as pointer and keys are concerned: what is under them, what a press
// takes hold of, where a marker goes. How they look is in handles.ts.
import { lowerBound, upperBound } from '../base/arrays';
import type { DrawContext } from './draw-context';
import type { Engine } from './engine';
import type { Grip, Place } from './gestures';
import {
  drawPins,
  drawSelected,
  markAt,
  markOn,
  moveSelected,
  selectedEndAt,
  type HandleScene,
  type Selected,
  type SelectedEnd,
} from './handles';
import type { PointCursor } from './point-cursor';
import type { ChartMark, ChartSeries } from './types';

export class Grips {
  readonly #engine: Engine;
  readonly #queueOverlay: () => void;
  /** A marker is being dragged. */
  #isGripped = false;
  #shape = '';

  constructor(engine: Engine, queueOverlay: () => void) {
    this.#engine = engine;
    this.#queueOverlay = queueOverlay;
  }

  draw(context: DrawContext, pointer: Place | null, cursor: PointCursor | null): void {
    const scene = this.#scene();
    if (!scene) return;
    drawSelected(context, scene);
    drawPins(context, scene, pointer ? this.markAt(pointer) : cursor && this.markOn(cursor));
  }

  markAt(place: Place): ChartMark | null {
    const scene = this.#scene();
    return scene && markAt(scene, place);
  }

  markOn({ key, index }: PointCursor): ChartMark | null {
    const scene = this.#scene();
    return scene && markOn(scene, key, index);
  }

  /** The pointer's shape tells what a press would take hold of. */
  showShape(pointer: Place | null): void {
    const isOnMarker = this.#isGripped || (pointer && this.#endAt(pointer));
    const shape = isOnMarker ? 'ew-resize' : pointer && this.markAt(pointer) ? 'pointer' : '';
    // A pan has a shape of its own, which is none of this one's business.
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#engine.host.style.cursor = shape;
  }

  /** `onEnd`: let go. */
  grab(place: Place, onEnd: () => void): Grip | null {
    let end = this.#endAt(place);
    if (!end) return null;
    this.#isGripped = true;
    return {
      move: ({ x }) => {
        const { selected } = this.#engine.options;
        const layout = this.#engine.layout();
        if (!selected || !layout || !end) return;
        const { plot, ratio, xScale } = layout;
        const px = Math.max(plot.left, Math.min(plot.right, x * ratio));
        const next = moveSelected(selected, end, xScale.valueFromPx(px));
        end = next.end;
        this.#select(next.selected);
      },
      end: () => {
        this.#isGripped = false;
        onEnd();
      },
    };
  }

  /** By keys a marker goes from point to point of the line at hand: pixels are too coarse to reach one otherwise. */
  move(end: SelectedEnd, by: number, line: ChartSeries | null): void {
    const { selected } = this.#engine.options;
    if (!selected) return;
    const from = end === 'to' ? (selected.to ?? selected.from) : selected.from;
    const x = line && pointBeside(line.x, from, by);
    if (x !== null) this.#select(moveSelected(selected, end, x).selected);
  }

  destroy(): void {
    this.#engine.scheduler.cancelUrgent(this.#tellSelected);
  }

  #scene(): HandleScene | null {
    const { options, seriesByKey } = this.#engine;
    const layout = this.#engine.layout();
    return layout && { layout, options, seriesByKey };
  }

  #endAt(place: Place): SelectedEnd | null {
    const scene = this.#scene();
    const context = this.#engine.overlay?.context;
    return (scene && context && selectedEndAt(context, scene, place)) ?? null;
  }

  #select(selected: Selected): void {
    this.#engine.select(selected);
    this.#engine.scheduler.urgent(this.#tellSelected);
    this.#queueOverlay();
  }

  /** Once per frame, however often the pointer moved. */
  readonly #tellSelected = (): void => {
    const { options, callbacks } = this.#engine;
    if (options.selected) callbacks.onSelected?.(options.selected);
  };
}

/** The nearest x before or after this one in the ascending list; null: there is none. */
function pointBeside(x: Float64Array, from: number, by: number): number | null {
  const index = by > 0 ? upperBound(x, from) : lowerBound(x, from) - 1;
  return x[index] ?? null;
}
