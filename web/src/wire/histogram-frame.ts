// Reads the binary answers about histograms: the buckets of values, their statistics, and maps of them over the steps.
import { openFrame } from './frame';
import type { HistogramFrameHeader, HistogramMapHeader, HistogramStatisticsHeader } from './generated';
import { tablesOf, valuesOf, type Answer, type DecodedTables, type DecodedValues } from './value-frame';

/** counts[i] numbers lie between left[i] and right[i]. Widths of zero occur. */
export interface DecodedHistograms extends DecodedTables {
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly counts: Float64Array;
}

/** Of each value, computed from its buckets; NaN where there is nothing to compute them from. */
export interface DecodedStatistics extends DecodedValues {
  /** As in DecodedTables. */
  readonly state: Float64Array;
  /** Numbers that were counted. */
  readonly total: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  readonly std: Float64Array;
  /** Share of them in the bucket that holds 0. */
  readonly zeros: Float64Array;
  /** Nine for each value, one value after the other. */
  readonly quantiles: Float64Array;
  /** Of a symmetric logarithm that suits these values, as in maps. */
  readonly linearWidth: number;
}

/** A column for each step (or several), a row for each place on an axis of values. */
export interface DecodedMap extends DecodedValues {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
  /** 0: the axis is linear. */
  readonly linearWidth: number;
  readonly damagedCount: number;
  readonly total: Float64Array;
  /** Column by column, the lowest values first. */
  readonly shares: Float64Array;
}

export const QUANTILES = 9;

export function decodeStatisticsFrame(buffer: ArrayBuffer): Answer<DecodedStatistics> {
  const { header, columnOf } = openFrame<HistogramStatisticsHeader>(buffer, 'series');
  const series = header.series.map((one): DecodedStatistics => {
    const decode = columnOf(one.count);
    return {
      ...valuesOf(one, decode),
      state: decode(one.state),
      total: decode(one.total),
      min: decode(one.min),
      max: decode(one.max),
      mean: decode(one.mean),
      std: decode(one.std),
      zeros: decode(one.zeros),
      quantiles: columnOf(QUANTILES * one.count)(one.quantiles),
      linearWidth: one.linear_width,
    };
  });
  return { serverId: header.server_id, revision: header.revision, series };
}

export function decodeMapFrame(buffer: ArrayBuffer): Answer<DecodedMap> {
  const { header, columnOf } = openFrame<HistogramMapHeader>(buffer, 'series');
  const series = header.series.map((one): DecodedMap => {
    const decode = columnOf(one.count);
    return {
      ...valuesOf(one, decode),
      rows: one.rows,
      low: one.low,
      high: one.high,
      linearWidth: one.linear_width,
      damagedCount: one.damaged_count,
      total: decode(one.total),
      shares: columnOf(one.count * one.rows)(one.shares),
    };
  });
  return { serverId: header.server_id, revision: header.revision, series };
}

export function decodeHistogramFrame(buffer: ArrayBuffer): Answer<DecodedHistograms> {
  const { header, columnOf } = openFrame<HistogramFrameHeader>(buffer, 'series');
  const series = header.series.map((one): DecodedHistograms => {
    const perValue = columnOf(one.count);
    const perBucket = columnOf(one.size_sum);
    const tables = tablesOf(one, perValue);
    const right = perBucket(one.right);
    const left = one.is_contiguous
      ? leftEdges(perValue(one.left), right, tables.offsets)
      : perBucket(one.left);
    return { ...tables, left, right, counts: perBucket(one.counts) };
  });
  return { serverId: header.server_id, revision: header.revision, series };
}

/** Each bucket begins where the one before it ends; only the first edge of each value travels. */
function leftEdges(first: Float64Array, right: Float64Array, offsets: Uint32Array): Float64Array {
  const left = new Float64Array(right.length);
  if (right.length > 0) left.set(right.subarray(0, -1), 1);
  for (let i = 0; i < first.length; i++) if (offsets[i]! < offsets[i + 1]!) left[offsets[i]!] = first[i]!;
  return left;
}
