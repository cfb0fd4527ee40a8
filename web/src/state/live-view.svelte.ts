// The view as the page uses it: the fields of ViewState, each reactive. Small things are deep state and may be changed in
// place; the selection can name thousands of runs, so it is replaced as a whole.
import { defaultView } from './default-view';
import type { Selection, ViewState } from './types';

const initial = defaultView();

export class LiveView implements ViewState {
  dashboard = $state(initial.dashboard);
  runFilter = $state(initial.runFilter);
  isRunFilterRegex = $state(initial.isRunFilterRegex);
  tagFilter = $state(initial.tagFilter);
  selection = $state.raw<Selection>(initial.selection);
  smoothing = $state(initial.smoothing);
  xAxis = $state(initial.xAxis);
  xScale = $state(initial.xScale);
  yScale = $state(initial.yScale);
  ignoreOutliers = $state(initial.ignoreOutliers);
  showSuperseded = $state(initial.showSuperseded);
  tooltipSort = $state(initial.tooltipSort);
  tooltipRows = $state(initial.tooltipRows);
  cardWidthPx = $state(initial.cardWidthPx);
  pins = $state(initial.pins);
  xRange = $state.raw(initial.xRange);
  cards = $state(initial.cards);
  groups = $state(initial.groups);
  fullScreenTag = $state(initial.fullScreenTag);
  table = $state(initial.table);

  constructor(view: ViewState) {
    this.assign(view);
  }

  /** Shows another view. */
  assign(view: ViewState): void {
    this.dashboard = view.dashboard;
    this.runFilter = view.runFilter;
    this.isRunFilterRegex = view.isRunFilterRegex;
    this.tagFilter = view.tagFilter;
    this.selection = view.selection;
    this.smoothing = { ...view.smoothing };
    this.xAxis = view.xAxis;
    this.xScale = view.xScale;
    this.yScale = view.yScale;
    this.ignoreOutliers = view.ignoreOutliers;
    this.showSuperseded = view.showSuperseded;
    this.tooltipSort = view.tooltipSort;
    this.tooltipRows = view.tooltipRows;
    this.cardWidthPx = view.cardWidthPx;
    this.pins = [...view.pins];
    this.xRange = view.xRange;
    this.cards = structuredClone(view.cards);
    this.groups = { ...view.groups };
    this.fullScreenTag = view.fullScreenTag;
    this.table = { ...view.table, columns: [...view.table.columns], widths: { ...view.table.widths } };
  }

  /** A copy without reactivity. Reading it depends on everything. */
  get plain(): ViewState {
    return {
      dashboard: this.dashboard,
      runFilter: this.runFilter,
      isRunFilterRegex: this.isRunFilterRegex,
      tagFilter: this.tagFilter,
      selection: this.selection,
      smoothing: $state.snapshot(this.smoothing),
      xAxis: this.xAxis,
      xScale: this.xScale,
      yScale: this.yScale,
      ignoreOutliers: this.ignoreOutliers,
      showSuperseded: this.showSuperseded,
      tooltipSort: this.tooltipSort,
      tooltipRows: this.tooltipRows,
      cardWidthPx: this.cardWidthPx,
      pins: $state.snapshot(this.pins),
      xRange: this.xRange,
      cards: $state.snapshot<ViewState['cards']>(this.cards),
      groups: $state.snapshot(this.groups),
      fullScreenTag: this.fullScreenTag,
      table: $state.snapshot(this.table),
    };
  }
}
