// The view as the page uses it: the fields of ViewState, each reactive. Small things are deep state and may be changed in
// place; the selection can name thousands of runs, so it is replaced as a whole.
import { defaultView } from './default-view';
import type { Selection, ViewState } from './types';

const initial: ViewState = defaultView();

export class LiveView implements ViewState {
  dashboard = $state(initial.dashboard);
  runFilter = $state(initial.runFilter);
  runFilterKind = $state(initial.runFilterKind);
  tagFilter = $state(initial.tagFilter);
  selection = $state.raw<Selection>(initial.selection);
  smoothing = $state(initial.smoothing);
  xAxis = $state(initial.xAxis);
  xTag = $state(initial.xTag);
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
  fullScreenCard = $state(initial.fullScreenCard);
  table = $state(initial.table);
  grouping = $state.raw(initial.grouping);
  baseline = $state.raw(initial.baseline);
  charts = $state.raw(initial.charts);
  sections = $state.raw(initial.sections);
  yRules = $state.raw(initial.yRules);
  selected = $state.raw(initial.selected);
  showArchived = $state(initial.showArchived);
  showAnnotations = $state(initial.showAnnotations);
  media = $state.raw(initial.media);

  constructor(view: ViewState) {
    this.assign(view);
  }

  /** Shows another view. */
  assign(view: ViewState): void {
    this.dashboard = view.dashboard;
    this.runFilter = view.runFilter;
    this.runFilterKind = view.runFilterKind;
    this.tagFilter = view.tagFilter;
    this.selection = view.selection;
    this.smoothing = { ...view.smoothing };
    this.xAxis = view.xAxis;
    this.xTag = view.xTag;
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
    this.fullScreenCard = view.fullScreenCard;
    this.table = { ...view.table, columns: [...view.table.columns], widths: { ...view.table.widths } };
    this.grouping = view.grouping;
    this.baseline = view.baseline;
    this.charts = view.charts;
    this.sections = view.sections;
    this.yRules = view.yRules;
    this.selected = view.selected;
    this.showArchived = view.showArchived;
    this.showAnnotations = view.showAnnotations;
    this.media = view.media;
  }

  /** A copy without reactivity. Reading it depends on everything. */
  get plain(): ViewState {
    return {
      dashboard: this.dashboard,
      runFilter: this.runFilter,
      runFilterKind: this.runFilterKind,
      tagFilter: this.tagFilter,
      selection: this.selection,
      smoothing: $state.snapshot(this.smoothing),
      xAxis: this.xAxis,
      xTag: this.xTag,
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
      fullScreenCard: this.fullScreenCard,
      table: $state.snapshot(this.table),
      grouping: this.grouping,
      baseline: this.baseline,
      charts: this.charts,
      sections: this.sections,
      yRules: this.yRules,
      selected: this.selected,
      showArchived: this.showArchived,
      showAnnotations: this.showAnnotations,
      media: this.media,
    };
  }
}
