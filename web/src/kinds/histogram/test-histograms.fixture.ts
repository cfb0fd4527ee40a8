// Histograms for tests, as the server's answers are decoded.
import type { DecodedHistograms, DecodedMap, DecodedStatistics } from '../../wire/histogram-frame';

type Buckets = readonly (readonly [number, number, number])[];

const SERIES = { query: 0, run: 0, supersededCount: 0 };

/** A histogram for each step, of [left, right, count]. */
export function histograms(...all: readonly Buckets[]): DecodedHistograms {
  const flat = all.flat();
  const offsets = new Uint32Array(all.length + 1);
  all.forEach((buckets, i) => (offsets[i + 1] = offsets[i]! + buckets.length));
  return {
    ...SERIES,
    step: Float64Array.from(all, (_, i) => 10 * i),
    wall: Float64Array.from(all, (_, i) => 1000 + i),
    state: new Float64Array(all.length),
    offsets,
    left: Float64Array.from(flat, ([left]) => left),
    right: Float64Array.from(flat, ([, right]) => right),
    counts: Float64Array.from(flat, ([, , count]) => count),
  };
}

export function heatMap(
  rows: number,
  columns: readonly (readonly number[])[],
  more: Partial<DecodedMap> = {},
): DecodedMap {
  return {
    ...SERIES,
    step: Float64Array.from(columns, (_, i) => i),
    wall: Float64Array.from(columns, (_, i) => i),
    rows,
    low: 0,
    high: rows,
    linearWidth: 0,
    damagedCount: 0,
    total: Float64Array.from(columns, (column) => (column.some((share) => share > 0) ? 1 : 0)),
    shares: Float64Array.from(columns.flat()),
    ...more,
  };
}

/** Of values with these quantiles and standard deviation; the rest follows from them or is 0. */
export function statistics(
  ...all: readonly {
    readonly quantiles: readonly number[];
    readonly std?: number;
    readonly zeros?: number;
    readonly total?: number;
  }[]
): DecodedStatistics {
  const column = (of: (i: number) => number): Float64Array => Float64Array.from(all, (_, i) => of(i));
  return {
    ...SERIES,
    step: column((i) => i),
    wall: column((i) => i),
    state: column(() => 0),
    total: column((i) => all[i]!.total ?? 100),
    min: column((i) => all[i]!.quantiles[0]!),
    max: column((i) => all[i]!.quantiles.at(-1)!),
    mean: column((i) => all[i]!.quantiles[4]!),
    std: column((i) => all[i]!.std ?? 1),
    zeros: column((i) => all[i]!.zeros ?? 0),
    quantiles: Float64Array.from(all.flatMap(({ quantiles }) => quantiles)),
    linearWidth: 1,
  };
}
