// Lines of groups as the chart engine takes them, and what tables say about them. Loaded when runs are first put together.
import type { ChartSeries, Range } from '../../chart/types';
import { unitOfGroup, type GroupSeries } from '../../state/feeds/group-lines';
import type { Grouping } from '../../state/types';
import { groupSeriesKey, type CardSeries, type LineLook } from './card-series';
import type { SeriesByKey, ValueRow } from './value-rows';

export { subscribeToGroups } from '../../state/feeds/group-lines';

/** A group that is drawn: what it is called in this card, and its runs that were asked for. */
export interface DrawnGroup {
  readonly key: string;
  readonly runs: readonly number[];
  readonly look: LineLook;
}

export interface GroupSeriesOptions {
  readonly band: Grouping['band'];
  readonly line?: number;
  /** What was drawn until now stands in for groups that have no series yet; null: they are left out. */
  readonly before?: Pick<SeriesByKey, 'get'> | null;
}

export function groupSeriesFrom(
  series: readonly GroupSeries[],
  groups: readonly DrawnGroup[],
  { band: bandKind, line = 0, before = null }: GroupSeriesOptions,
): CardSeries[] {
  const isSymmetric = bandKind === 'std' || bandKind === 'sem';
  const byUnit = new Map(series.map((one) => [one.unit, one]));
  return groups.flatMap(({ key: groupKey, runs, look }) => {
    const key = groupSeriesKey(groupKey, line);
    const wire = byUnit.get(unitOfGroup(runs)) ?? (before?.get(key)?.wire as GroupSeries | undefined);
    if (wire === undefined || wire.x.length === 0) return [];
    const { x, center: y, low, high, breaks } = wire;
    const band = low === null || high === null ? null : { low, high };
    const chart: ChartSeries = {
      ...look,
      key,
      x,
      y,
      raw: null,
      isFaint: false,
      breaks,
      ...(band && { band }),
    };
    return [
      {
        key,
        run: null,
        group: groupKey,
        wire,
        isSuperseded: false,
        yCore: coreOf(wire),
        chart,
        rowAt: (index: number) => rowOf(wire, chart, index, isSymmetric),
      },
    ];
  });
}

function rowOf(wire: GroupSeries, chart: ChartSeries, index: number, isSymmetric: boolean): ValueRow {
  return {
    key: chart.key,
    run: null,
    label: chart.label,
    color: chart.color,
    isDashed: chart.dash !== null,
    smoothed: null,
    value: wire.center[index] ?? NaN,
    // Of many runs there is neither one step nor one time.
    step: NaN,
    wallS: NaN,
    relativeS: NaN,
    x: wire.x[index] ?? NaN,
    group: {
      low: wire.low?.[index] ?? NaN,
      high: wire.high?.[index] ?? NaN,
      isSymmetric,
      members: wire.members[index] ?? 0,
      runs: wire.runs,
    },
  };
}

const cores = new WeakMap<GroupSeries, Range | null>();

/** From the 5th percentile of the band's lower edge to the 95th of its upper one; of the centre where there is no band. */
function coreOf(wire: GroupSeries): Range | null {
  let core = cores.get(wire);
  if (core === undefined) {
    const edge = (values: Float64Array | null, share: number): number => {
      const finite = Float64Array.from(wire.center, (center, i) => {
        const value = values?.[i] ?? NaN;
        return Number.isFinite(value) ? value : center;
      }).filter(Number.isFinite);
      finite.sort();
      return finite[Math.round(share * (finite.length - 1))] ?? NaN;
    };
    const range: Range = [edge(wire.low, 0.05), edge(wire.high, 0.95)];
    cores.set(wire, (core = range[0] <= range[1] ? range : null));
  }
  return core;
}
