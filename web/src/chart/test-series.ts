// Test support: series, options and charts with everything that a test does not care about filled in.
import { ManualClock } from '../base/manual-clock';
import { FrameScheduler } from '../base/scheduler';
import { loadGrips } from './interaction';
import { createLineChart } from './line-chart';
import { RecordingContext } from './recording-context';
import { dropSpareLayers } from './surface';
import type { ChartCallbacks, ChartOptions, ChartSeries, LineChart } from './types';

// Charts of tests have markers at once.
await loadGrips();

export function testSeries(parts: {
  key?: string;
  x?: readonly number[];
  y: readonly number[];
  raw?: readonly number[];
  color?: string;
  dash?: readonly number[];
  isFaint?: boolean;
  axis?: 'left' | 'right';
  widthPx?: number;
  band?: { low: readonly number[]; high: readonly number[] };
  isBackground?: boolean;
}): ChartSeries {
  const y = Float64Array.from(parts.y);
  return {
    key: parts.key ?? 'a',
    label: parts.key ?? 'a',
    color: parts.color ?? '#1f77b4',
    dash: parts.dash ?? null,
    x: parts.x ? Float64Array.from(parts.x) : y.map((_, i) => i),
    y,
    raw: parts.raw ? Float64Array.from(parts.raw) : null,
    isFaint: parts.isFaint ?? false,
    ...(parts.axis && { axis: parts.axis }),
    ...(parts.widthPx !== undefined && { widthPx: parts.widthPx }),
    ...(parts.band && {
      band: { low: Float64Array.from(parts.band.low), high: Float64Array.from(parts.band.high) },
    }),
    ...(parts.isBackground && { isBackground: true }),
  };
}

export function testOptions(options: Partial<ChartOptions> = {}): ChartOptions {
  return {
    xKind: 'step',
    xScale: 'linear',
    yScale: 'linear',
    xRange: null,
    xLimits: null,
    yRange: null,
    yCore: null,
    theme: {
      text: '#text',
      mutedText: '#muted',
      grid: '#grid',
      axis: '#axis',
      background: '#background',
      cursor: '#cursor',
      brush: '#brush',
      fontFamily: 'sans-serif',
      fontSizePx: 11,
    },
    isTouchPanning: true,
    ...options,
  };
}

export interface TestChart {
  readonly chart: LineChart;
  readonly host: HTMLElement;
  readonly clock: ManualClock;
  /** What is drawn on the data canvas and on the overlay. */
  readonly data: RecordingContext;
  readonly overlay: RecordingContext;
  /** Contexts of all canvases in the order in which they were made; data and overlay are the first two. */
  readonly contexts: readonly RecordingContext[];
  resize(width: number, height: number): void;
  /** Destroys the chart and gives the DOM its own canvases back. */
  close(): void;
}

const ownGetContext = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'getContext')!;
const OwnResizeObserver = globalThis.ResizeObserver;

export const TEST_WIDTH = 400;
export const TEST_HEIGHT = 240;

/** A chart of 400 × 240 px with recording canvases; `close` undoes it. */
export function makeTestChart(
  callbacks: ChartCallbacks = {},
  options: Partial<ChartOptions> = {},
): TestChart {
  const contexts: RecordingContext[] = [];
  // Layers of an earlier test would draw elsewhere.
  dropSpareLayers();
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
    configurable: true,
    value: () => {
      const context = new RecordingContext();
      contexts.push(context);
      return context.asCanvas;
    },
  });
  let tellSize: (width: number, height: number) => void = () => {};
  globalThis.ResizeObserver = class {
    constructor(callback: ResizeObserverCallback) {
      tellSize = (width, height) => {
        callback([{ contentRect: { width, height } } as ResizeObserverEntry], this);
      };
    }
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  const host = document.createElement('div');
  document.body.append(host);
  const clock = new ManualClock();
  const chart = createLineChart(host, callbacks, testOptions(options), new FrameScheduler(clock));
  const resize = (width: number, height: number): void => tellSize(width, height);
  resize(TEST_WIDTH, TEST_HEIGHT);
  clock.runAll();
  const close = (): void => {
    chart.destroy();
    host.remove();
    Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', ownGetContext);
    globalThis.ResizeObserver = OwnResizeObserver;
  };
  return { chart, host, clock, contexts, data: contexts[0]!, overlay: contexts[1]!, resize, close };
}

/** The same with lines, all drawn. */
export function openTestChart(
  series: readonly ChartSeries[],
  options: Partial<ChartOptions> = {},
  callbacks: ChartCallbacks = {},
): TestChart {
  const page = makeTestChart(callbacks, options);
  page.chart.setSeries(series);
  page.clock.runAll();
  return page;
}

/** Where the plot lies. The layout has no fractions to lose here. */
export function plotOf({ data }: TestChart): { left: number; top: number; right: number; bottom: number } {
  const clip = data.named('rect').at(-1)!.args as [number, number, number, number];
  // Lines are clipped with an overhang of 3 px on both sides.
  return { left: clip[0] + 3, top: clip[1], right: clip[0] + clip[2] - 3, bottom: clip[1] + clip[3] };
}

/** A pointer event at this place of the host (which has no layout and lies at 0, 0). */
export function pointer(
  host: HTMLElement,
  type: string,
  x: number,
  y: number,
  init: Partial<PointerEventInit> = {},
): void {
  host.dispatchEvent(
    new PointerEvent(type, {
      bubbles: true,
      cancelable: true,
      clientX: x,
      clientY: y,
      pointerId: 1,
      pointerType: 'mouse',
      button: 0,
      ...init,
    }),
  );
}

export function drag(
  host: HTMLElement,
  from: readonly [number, number],
  to: readonly [number, number],
  init: Partial<PointerEventInit> = {},
): void {
  pointer(host, 'pointerdown', ...from, init);
  pointer(host, 'pointermove', (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, init);
  pointer(host, 'pointermove', ...to, init);
  pointer(host, 'pointerup', ...to, init);
}

/** Answers the event when all that it leads to is drawn. */
export function press({ host, clock }: TestChart, key: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  host.dispatchEvent(event);
  clock.runAll();
  return event;
}

/** Strokes in this colour, with their pen. */
export function strokes(context: RecordingContext, color: string) {
  return context.named('stroke').filter((call) => call.strokeStyle === color);
}
