// What the parts of a chart that follow pointer and keys may know of it, and ask of it.
import type { FrameScheduler } from '../base/scheduler';
import type { Selected } from './handles';
import type { Layout } from './layout';
import type { Layer } from './surface';
import type { ChartCallbacks, ChartOptions, ChartSeries, LineChart, Range } from './types';

export interface Engine {
  readonly host: HTMLElement;
  readonly callbacks: ChartCallbacks;
  readonly scheduler: FrameScheduler;
  readonly options: ChartOptions;
  readonly series: readonly ChartSeries[];
  readonly seriesByKey: ReadonlyMap<string, ChartSeries>;
  readonly view: LineChart['view'];
  /** Where another chart's cursor is; null: nowhere. */
  readonly linkedX: number | null;
  /** The line that stands out; null: none. */
  readonly highlightKey: string | null;
  /** What is drawn above the lines; null: the browser has no canvas. */
  readonly overlay: Layer | null;
  /** On screen, as far as anybody knows. */
  isVisible(): boolean;
  /** null before the chart has a size. */
  layout(): Layout | null;
  /** Zoomed, panned or reset by hand: the owner is told. null: fitted. */
  show(x: Range | null, y: Range | null, yRight: Range | null): void;
  /** The markers of the step selector stand elsewhere now; nobody is told, and nothing is drawn yet. */
  select(selected: Selected): void;
}
