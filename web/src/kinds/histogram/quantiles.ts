// The nine quantiles of a histogram over the steps, as lines with bands between the pairs.
import { formatValue } from '../../base/format';
import type { ChartSeries } from '../../chart/types';
import { QUANTILES, type DecodedStatistics } from '../../wire/histogram-frame';

/** Of the values, in percent: those of a normal distribution at −∞, −1.5, −1, −0.5, 0, 0.5, 1, 1.5, +∞ sigma. */
const PERCENT = [0, 6.68, 15.87, 30.85, 50, 69.15, 84.13, 93.32, 100] as const;
const MIDDLE = 4;

export function quantileName(place: number): string {
  if (place === 0) return 'least';
  if (place === MIDDLE) return 'median';
  return place === QUANTILES - 1 ? 'greatest' : `${PERCENT[place]} %`;
}

export interface QuantileLines {
  readonly series: readonly ChartSeries[];
  /** Of each point of the lines, which value it is of. */
  readonly indices: readonly number[];
}

/** The lower ones bring the band to their counterpart above. Histograms of nothing have no points, and break the lines. */
export function quantileLines(
  { quantiles, total }: DecodedStatistics,
  places: Float64Array,
  color: string,
): QuantileLines {
  const indices = Array.from(total.keys()).filter((i) => total[i]! > 0);
  const breaks = indices.flatMap((index, i) => (i > 0 && index !== indices[i - 1]! + 1 ? [i] : []));
  const x = Float64Array.from(indices, (i) => places[i]!);
  const columns = PERCENT.map((_, place) =>
    Float64Array.from(indices, (i) => quantiles[i * QUANTILES + place]!),
  );
  const series = columns.map((y, place): ChartSeries => ({
    key: String(place),
    label: quantileName(place),
    color,
    dash: null,
    x,
    y,
    raw: null,
    isFaint: place !== MIDDLE,
    widthPx: place === MIDDLE ? 1.5 : 0.5,
    breaks,
    ...(place < MIDDLE ? { band: { low: y, high: columns[QUANTILES - 1 - place]! } } : {}),
  }));
  return { series, indices };
}

export function quantileText(name: string, value: number): string {
  return `${name} ${formatValue(value)}`;
}
