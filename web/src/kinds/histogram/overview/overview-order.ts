// In which order the overview shows the tags of a run. Measures are computed from what the server says of two steps.
import { formatValue } from '../../../base/format';
import { QUANTILES, type DecodedStatistics } from '../../../wire/histogram-frame';
import type { Order } from '../histogram-settings';

/** Of one histogram. */
export interface Summary {
  readonly mean: number;
  readonly std: number;
  readonly zeros: number;
  readonly quantiles: readonly number[];
}

/** What is known of a tag: at the step to compare with, and at the one that is asked for. */
export interface Compared {
  /** null: it is the same step. */
  readonly before: Summary | null;
  readonly now: Summary;
}

/** Of one value or two, by step: the later one is `now` unless it is the other way round. null where one holds no numbers. */
export function comparedOf(
  statistics: DecodedStatistics | null | undefined,
  isReversed = false,
): Compared | null {
  const last = (statistics?.step.length ?? 0) - 1;
  if (!statistics || last < 0 || !(statistics.total[0]! > 0) || !(statistics.total[last]! > 0)) return null;
  const [first, second] = [summaryAt(statistics, 0), summaryAt(statistics, last)];
  if (last === 0) return { before: null, now: first };
  return isReversed ? { before: second, now: first } : { before: first, now: second };
}

function summaryAt({ mean, std, zeros, quantiles }: DecodedStatistics, i: number): Summary {
  return {
    mean: mean[i]!,
    std: std[i]!,
    zeros: zeros[i]!,
    quantiles: Array.from(quantiles.subarray(i * QUANTILES, (i + 1) * QUANTILES)),
  };
}

/**
 * How far the values have moved, in widths of the wider of the two: 0 is nothing, 1 about as far as the values spread. The
 * quantiles tell of the bulk, mean and standard deviation of the few that are far away. NaN: there is nothing to compare with.
 */
export function changeOf({ before, now }: Compared): number {
  if (before === null) return NaN;
  const width = Math.max(before.std, now.std);
  let sum = 0;
  for (let i = 0; i < QUANTILES; i++) sum += Math.abs(now.quantiles[i]! - before.quantiles[i]!);
  const change = Math.max(sum / QUANTILES, Math.abs(now.mean - before.mean), Math.abs(now.std - before.std));
  if (change === 0) return 0;
  return width > 0 ? change / width : Infinity;
}

function changeText(compared: Compared): string {
  const { before, now } = compared;
  if (before === null) return 'logged once';
  const change = changeOf(compared);
  return change === Infinity
    ? `all ${formatValue(before.mean, 2)} → ${formatValue(now.mean, 2)}`
    : `moved ${formatValue(change, 2)} widths`;
}

interface Measure {
  readonly of: (compared: Compared) => number;
  readonly isLeastFirst?: boolean;
  readonly text: (compared: Compared) => string;
}

const MEASURES: Record<Exclude<Order, 'name'>, Measure> = {
  change: { of: changeOf, text: changeText },
  narrow: { of: ({ now }) => now.std, isLeastFirst: true, text: spreadText },
  wide: { of: ({ now }) => now.std, text: spreadText },
  zeros: { of: ({ now }) => now.zeros, text: ({ now }) => `${formatValue(100 * now.zeros, 3)} % around 0` },
};

/** What a tag is sorted by, in words. */
export function measureText(order: Order, compared: Compared | null): string {
  if (compared === null) return '';
  return order === 'name' ? spreadText(compared) : MEASURES[order].text(compared);
}

function spreadText({ before, now }: Compared): string {
  const [from, to] = [formatValue((before ?? now).std, 2), formatValue(now.std, 2)];
  return from === to ? `std ${to}` : `std ${from} → ${to}`;
}

/** What cannot be compared stands last, and what is alike stands as it came. */
export function inOrder<T>(tags: readonly T[], order: Order, of: (tag: T) => Compared | null): readonly T[] {
  if (order === 'name') return tags;
  const { of: measure, isLeastFirst = false } = MEASURES[order];
  const known = tags.map((tag) => {
    const compared = of(tag);
    const value = compared === null ? NaN : measure(compared);
    return { tag, rank: Number.isNaN(value) ? Infinity : isLeastFirst ? value : -value };
  });
  return known
    .sort((one, other) => (one.rank === other.rank ? 0 : one.rank - other.rank))
    .map(({ tag }) => tag);
}
