// The lines of one card for a figure. A card's own logic asks for them, as it does for the screen, but with a chart that draws
// nothing: it claims to be as wide as the figure is fine, so that the loader fetches that many columns, and keeps what it
// is told. So a figure shows exactly what the card shows – groups, formulas, smoothing, zoom – in its own resolution.
import { tick } from 'svelte';
import type { FigureContent } from '../../../chart/figure/figure';
import type { ChartCallbacks, ChartOptions, ChartSeries, LineChart } from '../../../chart/types';
import { PALETTES } from '../../../state/palettes';
import type { Page } from '../../../state/page.svelte';
import { CardModel } from '../card-model.svelte';
import type { ChartCard } from '../card-spec';
import type { ChartContext } from '../chart-context.svelte';

/** Paper is white: the colours of a dark screen give way to the same ones of the light theme. */
const ON_WHITE = new Map(PALETTES.dark.map((color, i) => [color, PALETTES.light[i]!]));

export class FigureSource {
  readonly spec: ChartCard;
  readonly #model: CardModel;
  readonly #chart: KeepingChart;
  readonly #end: () => void;
  #content = $state.raw<FigureContent | null>(null);

  /** `columns`: how many points next to each other the figure can show. */
  constructor(page: Page, context: ChartContext, spec: ChartCard, columns: number) {
    this.spec = spec;
    this.#chart = new KeepingChart(columns, (content) => (this.#content = content));
    const makeChart: ChartContext['makeChart'] = (_host, callbacks, options) =>
      this.#chart.begin(callbacks, options);
    let model: CardModel | null = null;
    this.#end = $effect.root(() => {
      const own = new CardModel(page, { ...context, makeChart }, () => spec);
      model = own;
      $effect(() => own.attachChart(document.createElement('div')));
      $effect(() => own.subscribe());
    });
    this.#model = model!;
  }

  /** null until there is something to show. */
  get content(): FigureContent | null {
    return this.state === 'shown' ? this.#content : null;
  }

  get state(): CardModel['state'] {
    return this.#model.state;
  }

  get error(): string | null {
    return this.#model.lines.error;
  }

  /** Every line and every group is here as it was asked for last, or the server said why not. */
  get isSettled(): boolean {
    return this.error !== null || (!this.#model.lines.isLoading && !this.#model.lines.isStale);
  }

  setColumns(columns: number): void {
    this.#chart.setColumns(columns);
  }

  /** Resolves when it is settled; rejects when the signal says so. */
  async settled(signal: AbortSignal): Promise<void> {
    // Whatever was chosen just now has to be asked for first.
    await tick();
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const end = $effect.root(() => {
        $effect(() => {
          if (!this.isSettled) return;
          resolve();
          queueMicrotask(end);
        });
      });
      const cancel = (): void => {
        end();
        reject(new DOMException('Cancelled', 'AbortError'));
      };
      signal.addEventListener('abort', cancel, { once: true });
    });
    // What was received becomes lines in the next turn.
    await tick();
  }

  close(): void {
    this.#end();
  }
}

/** A chart that shows nothing and remembers everything. */
class KeepingChart implements LineChart {
  readonly view = { x: [0, 1], y: [0, 1] } as const;
  #columns: number;
  readonly #onContent: (content: FigureContent) => void;
  #callbacks: ChartCallbacks = {};
  #options: ChartOptions | null = null;
  #series: readonly ChartSeries[] = [];

  constructor(columns: number, onContent: (content: FigureContent) => void) {
    this.#columns = columns;
    this.#onContent = onContent;
  }

  begin(callbacks: ChartCallbacks, options: ChartOptions): this {
    this.#callbacks = callbacks;
    this.#options = options;
    return this;
  }

  get plotWidthPx(): number {
    return this.#columns;
  }

  setColumns(columns: number): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#callbacks.onPlotWidth?.(columns);
  }

  setSeries(series: readonly ChartSeries[]): void {
    this.#series = series.map((line) => ({ ...line, color: ON_WHITE.get(line.color) ?? line.color }));
    this.#tell();
  }

  setOptions(options: Partial<ChartOptions>): void {
    if (this.#options) this.#options = { ...this.#options, ...options };
    this.#tell();
  }

  #tell(): void {
    if (this.#options) this.#onContent({ series: this.#series, options: this.#options });
  }

  hoverAt(x: number) {
    return { x, y: null, pointerPx: null, points: [], nearestKey: null };
  }

  setCursor(): void {}
  setHighlight(): void {}
  moveCursor(): void {}
  destroy(): void {}
}
