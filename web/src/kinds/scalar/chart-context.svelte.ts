// What the charts of one board share: the linked cursor, and what each card was told by hand. Handed down by context, so that
// tests can bring their own chart engine.
import { createContext } from 'svelte';
import type { createLineChart } from '../../chart/line-chart';
import type { Range } from '../../chart/types';
import type { ThemeWatch } from '../../board/plot/chart-theme.svelte';
import type { CursorBus } from '../../board/plot/cursor-bus';
import type { CardId, ViewState } from '../../state/types';
import type { summaryOf } from './chart-summary';
import type { ChartMaker } from './charts/chart-maker.svelte';
import type { Reading } from './reading/reading.svelte';
import { setCard } from '../../board/cards/card-state';
import { UNKNOWN_LIMITS } from './x-limits';

/** Of the values below a chart. */
export const MAX_STRIP_ROWS = 50;

/** What was done to a card by hand and is no part of a link. Outlives the card's being scrolled away. */
export class CardMemory {
  /** The card's y limits in the view are a zoom: resetting goes back to `yTyped`. null: not known yet. */
  isYZoomed = $state<boolean | null>(null);
  /** Typed limits from before the zoom. */
  yTyped = $state.raw<Range | null>(null);
  /** How far the data goes, whatever part of it was fetched; see x-limits.ts. Of one axis: another one has other limits. */
  xLimits = $state.raw<{ readonly axis: string; readonly range: Range }>({ axis: '', range: UNKNOWN_LIMITS });
  /** What a card with an x axis of its own shows of it. */
  ownX = $state.raw<{ readonly axis: string; readonly range: Range | null }>({ axis: '', range: null });
  /** The axis reaches to the outliers although they are ignored elsewhere. */
  areOutliersShown = $state(false);
}

export class CardMemories {
  readonly #byId = new Map<string, CardMemory>();
  /** The pointer is about to zoom or pan a chart. */
  isDragging = false;

  of(id: CardId): CardMemory {
    let memory = this.#byId.get(id);
    if (memory === undefined) this.#byId.set(id, (memory = new CardMemory()));
    return memory;
  }

  /** Where a view that goes on with the data is, and the end that it shows. */
  followed: { readonly range: string; readonly end: number } | null = null;

  /** The last x of all cards, as far as a view that follows it has come; Infinity: nobody knows. */
  xEnd(axis: string, shown: Range): number {
    if (this.followed?.range === shown.join()) return this.followed.end;
    let end = -Infinity;
    for (const { xLimits } of this.#byId.values()) {
      if (xLimits.axis === axis) end = Math.max(end, xLimits.range[1]);
    }
    return end === -Infinity ? Infinity : end;
  }

  /** Zooms of y in all cards end. */
  forgetZooms(view: ViewState): void {
    for (const [id, memory] of this.#byId) {
      if (memory.isYZoomed) setCard(view, id, { yRange: memory.yTyped });
      memory.isYZoomed = false;
    }
  }
}

/** 'all': the charts in sight; 'table': the values of their lines. */
export type FigureWish = { readonly card: CardId } | 'all' | 'table';

export interface ChartContext {
  readonly cursor: CursorBus;
  readonly theme: ThemeWatch;
  readonly memories: CardMemories;
  readonly makeChart: typeof createLineChart;
  /** Whether fingers rule here: one of them scrolls the page. */
  readonly isTouch: boolean;
  /** Step selector, notes on points, limits for several charts; null until it is loaded. */
  readonly reading: Reading | null;
  /** What makes charts of one's own; null until it is loaded. */
  readonly maker: Pick<ChartMaker, 'items'> | null;
  /** A chart in a sentence; null until it is loaded. */
  readonly summaryOf: typeof summaryOf | null;
  /** Opens the dialog that saves this card as a figure, all of them, or a table of their values. */
  openFigure(what: FigureWish): void;
  /** As Board.speak. */
  speak(text: string): void;
}

export const [getCharts, setCharts] = createContext<ChartContext>();
