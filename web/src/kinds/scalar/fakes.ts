// Stand-ins for tests: series as they come over the wire, and a chart engine that records what it is told.
import type { ChartCallbacks, ChartOptions, ChartSeries, Hover, LineChart } from '../../chart/types';
import { unitOfGroup, type GroupSeries } from '../../state/feeds/group-lines';
import type { DecodedSeries } from './card-series';

export function wireSeries(
  values: readonly number[],
  more: Partial<DecodedSeries> & { steps?: readonly number[]; walls?: readonly number[] } = {},
): DecodedSeries {
  const { steps, walls, ...rest } = more;
  return {
    query: 0,
    run: 0,
    isSuperseded: false,
    total: values.length,
    supersededCount: 0,
    isExact: true,
    firstWallS: 1000,
    yRange: null,
    yCore: null,
    step: Float64Array.from(steps ?? values.keys()),
    wall: Float64Array.from(walls ?? values.map((_, i) => 1000 + i)),
    value: Float64Array.from(values),
    smoothed: null,
    x: null,
    ...rest,
  };
}

/** The line of a group, as it comes over the wire. Steps 0, 1, 2 …, one deviation to each side. */
export function wireGroup(
  runs: readonly number[],
  center: readonly number[],
  more: Partial<GroupSeries> = {},
): GroupSeries {
  return {
    unit: unitOfGroup(runs),
    query: 0,
    group: 0,
    runs: runs.length,
    isExact: true,
    yRange: null,
    x: Float64Array.from(center.keys()),
    center: Float64Array.from(center),
    low: Float64Array.from(center, (value) => value - 1),
    high: Float64Array.from(center, (value) => value + 1),
    members: Float64Array.from(center, () => runs.length),
    breaks: [],
    ...more,
  };
}

export class FakeChart implements LineChart {
  series: readonly ChartSeries[] = [];
  cursor: number | null = null;
  highlight: string | null = null;
  isDestroyed = false;
  seriesCalls = 0;
  view = { x: [0, 1] as const, y: [0, 1] as const };
  plotWidthPx = 320;

  constructor(
    readonly host: HTMLElement,
    readonly callbacks: ChartCallbacks,
    public options: ChartOptions,
  ) {}

  setSeries(series: readonly ChartSeries[]): void {
    this.series = series;
    this.seriesCalls += 1;
  }
  setOptions(options: Partial<ChartOptions>): void {
    this.options = { ...this.options, ...options };
  }
  setCursor(x: number | null): void {
    this.cursor = x;
  }
  setHighlight(key: string | null): void {
    this.highlight = key;
  }
  /** The last point of every line at or before x. */
  hoverAt(x: number): Hover {
    const listed = this.series.filter(({ isBackground }) => !isBackground);
    const points = listed.map(({ key, x: xs, y, raw }) => {
      const index = Math.max(
        0,
        xs.findLastIndex((value) => value <= x),
      );
      return { key, index, x: xs[index]!, y: y[index]!, raw: (raw ?? y)[index]!, distancePx: 0 };
    });
    return { x, y: null, pointerPx: null, points, nearestKey: points[0]?.key ?? null };
  }
  moveCursor(): void {}
  destroy(): void {
    this.isDestroyed = true;
  }
}

/** Every card is in view as soon as it is watched. */
export class EverythingIsSeen {
  constructor(readonly onSeen: (entries: { target: Element; isIntersecting: boolean }[]) => void) {}
  observe(target: Element): void {
    this.onSeen([{ target, isIntersecting: true }]);
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Makes charts that record what they are told, and keeps them. */
export class FakeCharts {
  readonly all: FakeChart[] = [];

  readonly make = (host: HTMLElement, callbacks: ChartCallbacks, options: ChartOptions): FakeChart => {
    const chart = new FakeChart(host, callbacks, options);
    this.all.push(chart);
    return chart;
  };

  /** The last one of a card that is on the page. */
  of(title: string): FakeChart {
    return this.all.findLast(({ host }) => host.getAttribute('aria-label') === title && host.isConnected)!;
  }
}
