// One of several histograms that are drawn over each other.
import type { DecodedHistograms } from '../../wire/histogram-frame';

export interface DensityLine {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly values: DecodedHistograms;
  /** Of the histogram in its series. */
  readonly index: number;
  readonly widthPx?: number;
}
