// Lines between two others (a value with its lower and upper bound): asks for the bounds of each line, and puts them around it, as
// a band and two faint edges. Loaded with the first chart that has some.
//
// The server reduces every tag by itself, so in a long series the points that are here of the bounds are others than those of
// the line. The band is then drawn between what is here, and a row of the table has the bounds of the line's own step, or, where
// points were left out, those of the nearest one: less than a pixel away, and a number that was logged.
import { lineOfTag } from '../../board/cards/card-spec';
import { lowerBound } from '../../base/arrays';
import type { XKind } from '../../chart/types';
import type { Page } from '../../state/page.svelte';
import type { Baseline, Bounds, CardData, CardRequest, LineSource, LineSpec } from '../../state/types';
import { cardSeriesFrom, seriesKey, type CardSeries, type DecodedSeries } from './card-series';
import type { CardNote } from './card-notes';
import { SCALAR, sourceOf, type ChartCard } from './card-spec';

const SIDES = ['lower', 'upper'] as const;

type Side = (typeof SIDES)[number];
type ByTag = ReadonlyMap<string, CardData>;

export interface BoundOptions {
  readonly page: Page;
  readonly spec: () => ChartCard;
  readonly request: (source: LineSource) => CardRequest | null;
  /** Takes in what has come. */
  readonly receive: (take: () => void) => void;
  readonly lines: { readonly isGrouped: boolean; readonly baseline: Baseline | null };
}

export class BoundLines {
  readonly #options: BoundOptions;
  readonly #page: Page;
  readonly #specOf: () => ChartCard;
  #byTag = $state.raw<ByTag>(new Map());
  readonly destroy: () => void;

  constructor(options: BoundOptions) {
    this.#options = options;
    this.#page = options.page;
    this.#specOf = options.spec;
    this.destroy = $effect.root(() => {
      // Again when there are other bounds: the editor's preview.
      const names = $derived(JSON.stringify(this.#wanted.map(({ tag }) => tag)));
      $effect(() => {
        const stops = (JSON.parse(names) as string[]).map((tag) => this.#subscribe(tag));
        return () => stops.forEach((stop) => stop());
      });
    });
  }

  /** Groups have bands of their own, and bounds of differences are none. */
  get areDrawn(): boolean {
    const { isGrouped, baseline } = this.#options.lines;
    return !isGrouped && baseline === null;
  }

  /** What there is to say of them. */
  get notes(): CardNote[] {
    const { tags } = this.#page;
    const lost = this.#wanted.filter(({ tag }) => tags.isLoaded && !tags.find(SCALAR, tag));
    const errors = lost.map(({ tag }) => ({ text: `There is no tag “${tag}” in this log`, isError: true }));
    const text = 'Without bands while runs are grouped or compared';
    return this.areDrawn ? errors : [...errors, { text, isError: false }];
  }

  get data(): readonly CardData[] {
    return this.#wanted.flatMap(({ tag }) => this.#byTag.get(tag) ?? []);
  }

  /** Each with the smoothing of its line. A tag that bounds two lines is smoothed as the first. */
  get #wanted(): LineSpec[] {
    const lines = this.#specOf().lines.flatMap(({ bounds, smoothing }) =>
      SIDES.flatMap((side) => (bounds?.[side] ? [{ ...lineOfTag(bounds[side]), smoothing }] : [])),
    );
    return lines.filter(({ tag }, index) => lines.findIndex((one) => one.tag === tag) === index);
  }

  #subscribe(tag: string): () => void {
    return this.#page.lines.subscribe(
      () => {
        const line = this.#wanted.find((one) => one.tag === tag);
        return line && this.areDrawn ? this.#options.request(sourceOf(this.#specOf(), line)) : null;
      },
      (data) => this.#options.receive(() => (this.#byTag = new Map(this.#byTag).set(tag, data))),
    );
  }

  /** The lines of single runs, those with bounds between them. */
  around(own: readonly CardSeries[], lines: readonly LineSpec[], xKind: XKind): readonly CardSeries[] {
    if (!this.areDrawn) return own;
    const edges: CardSeries[] = [];
    const bands = new Map<string, Band>();
    lines.forEach(({ bounds }, line) => {
      if (bounds === undefined) return;
      const ofSide = (side: Side) => this.#edgesOf(bounds, side, line, xKind);
      const [lower, upper] = [ofSide('lower'), ofSide('upper')];
      for (const [run, low] of lower) {
        const high = upper.get(run);
        if (high) bands.set(seriesKey(run, false, line), { low, high });
      }
      edges.push(...lower.values(), ...upper.values());
    });
    return [...edges, ...own.map((series) => bandedSeries(series, bands.get(series.key)))];
  }

  /** By run. */
  #edgesOf(bounds: Bounds, side: Side, line: number, xKind: XKind): Map<number, CardSeries> {
    const { runs } = this.#page;
    const series = this.#byTag.get(bounds[side])?.series ?? [];
    const made = cardSeriesFrom(series, xKind, {
      line,
      showSuperseded: false,
      lookOf: (run) =>
        runs.has(run)
          ? { label: runs.shortName(run), color: runs.color(run), dash: null, isBackground: true }
          : null,
    });
    return new Map(
      made.map((one) => {
        const key = `${one.key} ${side}`;
        return [one.run!, { ...one, key, chart: { ...one.chart, key, raw: null } }];
      }),
    );
  }
}

interface Band {
  readonly low: CardSeries;
  readonly high: CardSeries;
}

function bandedSeries(series: CardSeries, band: Band | undefined): CardSeries {
  if (band === undefined) return series;
  const { chart } = series;
  const low = valuesAt(chart.x, band.low.chart);
  const high = valuesAt(chart.x, band.high.chart);
  return {
    ...series,
    chart: { ...chart, band: { low, high } },
    rowAt: (index) => {
      const row = series.rowAt(index);
      const at = (edge: CardSeries) => loggedAt(row.step, edge.wire as DecodedSeries);
      return { ...row, bounds: { low: at(band.low), high: at(band.high) } };
    },
  };
}

/** Of a line at other places: on the stroke between two points; NaN where it is not drawn. Both ascend, so they are walked along. */
export function valuesAt(
  places: Float64Array,
  { x, y }: { readonly x: Float64Array; readonly y: Float64Array },
): Float64Array {
  let after = 0;
  return places.map((place) => {
    while (after < x.length && x[after]! < place) after++;
    if (x[after] === place) return y[after]!;
    if (after === 0 || after === x.length) return NaN;
    const [from, to] = [x[after - 1]!, x[after]!];
    return y[after - 1]! + ((place - from) / (to - from)) * (y[after]! - y[after - 1]!);
  });
}

/** What was logged at a step; the nearest where points were left out. */
export function loggedAt(
  step: number,
  { step: steps, value, isExact }: Pick<DecodedSeries, 'step' | 'value' | 'isExact'>,
): number {
  const after = lowerBound(steps, step);
  if (steps[after] === step) return value[after]!;
  if (isExact || after === 0 || after === steps.length) return NaN;
  return step - steps[after - 1]! < steps[after]! - step ? value[after - 1]! : value[after]!;
}
