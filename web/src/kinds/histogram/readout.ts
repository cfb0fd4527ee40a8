// What the pointer is at, in words: which bucket of a histogram, and how much is in it.
import { formatInteger, formatValue } from '../../base/format';
import { stepText } from '../../board/steps/step-text';
import type { DecodedHistograms } from '../../wire/histogram-frame';
import { rangeText } from './value-axis';

export interface Bucket {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** Of the whole histogram. */
  readonly total: number;
}

/** The bucket that a value lies in, as it was logged; null: none holds it. A bucket holds its left edge, the last both. */
export function bucketAt(
  { left, right, counts, offsets }: DecodedHistograms,
  index: number,
  value: number,
): Bucket | null {
  let found: { low: number; high: number; count: number } | null = null;
  let total = 0;
  const end = offsets[index + 1]!;
  for (let i = offsets[index]!; i < end; i++) {
    const count = counts[i]!;
    if (count > 0) total += count;
    const low = Math.min(left[i]!, right[i]!);
    const high = Math.max(left[i]!, right[i]!);
    if (low <= value && (value < high || (value === high && (i + 1 === end || low === high))))
      found = { low, high, count };
  }
  return found && { ...found, total };
}

export function bucketText(step: number, bucket: Bucket | null): string {
  if (bucket === null) return `step ${stepText(step)}`;
  const { low, high, count, total } = bucket;
  return `step ${stepText(step)} · ${rangeText(low, high)} · ${countText(count)} of ${countText(total)}`;
}

/** Counts may be shares or weights. */
function countText(count: number): string {
  return Number.isInteger(count) ? formatInteger(count) : formatValue(count);
}
