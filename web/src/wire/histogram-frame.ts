// Reads the binary answer of `POST histograms`: the buckets of every value.
import { openFrame } from './frame';
import type { HistogramFrameHeader } from './generated';
import { tablesOf, type Answer, type DecodedTables } from './value-frame';

/** counts[i] numbers lie between left[i] and right[i]. Widths of zero occur. */
export interface DecodedHistograms extends DecodedTables {
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly counts: Float64Array;
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
  left.set(right.subarray(0, -1), 1);
  for (let i = 0; i < first.length; i++) if (offsets[i]! < offsets[i + 1]!) left[offsets[i]!] = first[i]!;
  return left;
}
