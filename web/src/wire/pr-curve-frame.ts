// Reads the binary answer of `POST pr_curves`: every precision-recall curve, by threshold.
import { openFrame } from './frame';
import type { PrCurveFrameHeader } from './generated';
import { tablesOf, type Answer, type DecodedTables } from './value-frame';

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
