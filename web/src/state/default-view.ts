// What the page shows when nobody has said anything: TensorBoard's defaults where it has them, so that a user who moves
// here sees the same curves. A link only carries what differs from this.
import type { Selection, TableState, ViewState } from './types';

export const DEFAULT_DASHBOARD = 'timeseries';
export const DEFAULT_SELECTION: Selection = { rule: 'auto', except: [] };
export const DEFAULT_COLUMNS: readonly string[] = ['status', 'last_step', 'duration', 'started'];

export function defaultTable(): TableState {
  // Nobody has chosen: by name, or the latest first where only those are shown.
  return { sortBy: '', isDescending: false, isTree: false, columns: [...DEFAULT_COLUMNS], widths: {} };
}

export function defaultView(): ViewState {
  return {
    dashboard: DEFAULT_DASHBOARD,
    runFilter: '',
    runFilterKind: 'regex',
    tagFilter: '',
    selection: DEFAULT_SELECTION,
    smoothing: { kind: 'ema', amount: 0.6 },
    xAxis: 'step',
    xTag: '',
    xScale: 'linear',
    yScale: 'linear',
    ignoreOutliers: true,
    showSuperseded: false,
    tooltipSort: 'nearest',
    tooltipRows: 5,
    cardWidthPx: null,
    pins: [],
    xRange: null,
    cards: {},
    groups: {},
    fullScreenCard: null,
    table: defaultTable(),
    grouping: null,
    baseline: null,
    charts: [],
    sections: [],
    yRules: [],
    selected: null,
    showArchived: false,
    showAnnotations: true,
    media: {},
  };
}
