// Reads the binary answers about precision-recall curves: their counts by threshold, and what is computed from them.
import { openFrame } from './frame';
import type { PrCurveFrameHeader, PrCurveStatisticsHeader } from './generated';
import { tablesOf, valuesOf, type Answer, type DecodedTables, type DecodedValues } from './value-frame';

/** Number j of the n of a value belongs to threshold j / (n - 1). */
export interface DecodedPrCurves extends DecodedTables {
  readonly truePositives: Float64Array;
  readonly falsePositives: Float64Array;
  readonly trueNegatives: Float64Array;
  readonly falseNegatives: Float64Array;
  readonly precision: Float64Array;
  readonly recall: Float64Array;
}

export function decodePrCurveFrame(buffer: ArrayBuffer): Answer<DecodedPrCurves> {
  const { header, columnOf } = openFrame<PrCurveFrameHeader>(buffer, 'series');
  const series = header.series.map((one): DecodedPrCurves => {
    const decode = columnOf(one.size_sum);
    return {
      ...tablesOf(one, columnOf(one.count)),
      truePositives: decode(one.true_positives),
      falsePositives: decode(one.false_positives),
      trueNegatives: decode(one.true_negatives),
      falseNegatives: decode(one.false_negatives),
      precision: decode(one.precision),
      recall: decode(one.recall),
    };
  });
  return { serverId: header.server_id, revision: header.revision, series };
}

/** Of each curve, computed from its counts; NaN where there is nothing to compute them from. */
export interface DecodedPrStatistics extends DecodedValues {
  /** As in DecodedTables. */
  readonly state: Float64Array;
  readonly positives: Float64Array;
  readonly negatives: Float64Array;
  readonly averagePrecision: Float64Array;
  readonly prArea: Float64Array;
  readonly rocArea: Float64Array;
  readonly bestF1: Float64Array;
  readonly bestThreshold: Float64Array;
}

export function decodePrStatisticsFrame(buffer: ArrayBuffer): Answer<DecodedPrStatistics> {
  const { header, columnOf } = openFrame<PrCurveStatisticsHeader>(buffer, 'series');
  const series = header.series.map((one): DecodedPrStatistics => {
    const decode = columnOf(one.count);
    return {
      ...valuesOf(one, decode),
      state: decode(one.state),
      positives: decode(one.positives),
      negatives: decode(one.negatives),
      averagePrecision: decode(one.average_precision),
      prArea: decode(one.pr_area),
      rocArea: decode(one.roc_area),
      bestF1: decode(one.best_f1),
      bestThreshold: decode(one.best_threshold),
    };
  });
  return { serverId: header.server_id, revision: header.revision, series };
}
