// How loud each frequency of a sound is over time, as a picture: columns are stretches of time, rows are frequencies.
//
// A column is one Hann window around the middle of its stretch; where stretches are longer than the window it is the mean of
// several. 0 dB is a sine of full scale. Rows that several frequencies fall on have the loudest of them, so that a thin line
// stays visible; rows between two frequencies are interpolated.
import { Fft } from './fft';

export interface SpectrogramShape {
  readonly columns: number;
  readonly rows: number;
  /** A power of two. */
  readonly windowSize: number;
  readonly isLog: boolean;
}

export const FLOOR_DB = -140;
const LEAST_LOG_HZ = 30;
const MOST_WINDOWS_PER_COLUMN = 4;

/** The lowest frequency of a picture; the highest is half the rate. */
export function lowestHz(rateHz: number, isLog: boolean): number {
  return isLog ? Math.min(LEAST_LOG_HZ, rateHz / 8) : 0;
}

/** Of a place from 0 (bottom) to 1 (top). */
export function frequencyAt(place: number, rateHz: number, isLog: boolean): number {
  const low = lowestHz(rateHz, isLog);
  const high = rateHz / 2;
  return isLog ? low * (high / low) ** place : place * high;
}

/** The place of a frequency, from 0 to 1. */
export function placeOfFrequency(frequencyHz: number, rateHz: number, isLog: boolean): number {
  const low = lowestHz(rateHz, isLog);
  const high = rateHz / 2;
  return isLog ? Math.log(frequencyHz / low) / Math.log(high / low) : frequencyHz / high;
}

export class SpectrogramMaker {
  readonly shape: SpectrogramShape;
  readonly #samples: Float32Array;
  readonly #fft: Fft;
  readonly #window: Float64Array;
  readonly #scale: number;
  readonly #frame: Float64Array;
  readonly #powers: Float64Array;
  readonly #sum: Float64Array;
  /** Of each row, as a place among the powers: its own, and the edges to its neighbours. */
  readonly #bins: Float64Array;

  constructor(samples: Float32Array, rateHz: number, shape: SpectrogramShape) {
    const { windowSize: size, rows, isLog } = shape;
    this.shape = shape;
    this.#samples = samples;
    this.#fft = new Fft(size);
    this.#window = Float64Array.from(
      { length: size },
      (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size),
    );
    // Half of a real sine is in the negative frequencies; a Hann window has the mean 1/2.
    this.#scale = (4 / size) ** 2;
    this.#frame = new Float64Array(size);
    this.#powers = new Float64Array(size / 2 + 1);
    this.#sum = new Float64Array(size / 2 + 1);
    // Twice as many as rows: edges, middles and edges in turn.
    this.#bins = Float64Array.from(
      { length: 2 * rows + 1 },
      (_, i) => (frequencyAt(i / (2 * rows), rateHz, isLog) / rateHz) * size,
    );
  }

  /** Decibels of one column from the lowest row to the highest, into `out` from `begin` on. */
  column(index: number, out: Float32Array, begin: number): void {
    const { columns, rows, windowSize } = this.shape;
    const stretch = this.#samples.length / columns;
    const count = Math.min(MOST_WINDOWS_PER_COLUMN, Math.max(1, Math.round(stretch / windowSize)));
    this.#sum.fill(0);
    for (let i = 0; i < count; i++) {
      const middle = (index + (i + 0.5) / count) * stretch;
      this.#addWindow(Math.round(middle - windowSize / 2));
    }
    const scale = this.#scale / count;
    for (let row = 0; row < rows; row++) out[begin + row] = toDb(this.#powerOf(row) * scale);
  }

  /** Beyond the ends of the sound there is silence. */
  #addWindow(first: number): void {
    for (let i = 0; i < this.#frame.length; i++) {
      this.#frame[i] = (this.#samples[first + i] ?? 0) * this.#window[i]!;
    }
    this.#fft.powers(this.#frame, this.#powers);
    for (let i = 0; i < this.#sum.length; i++) this.#sum[i] = this.#sum[i]! + this.#powers[i]!;
  }

  #powerOf(row: number): number {
    const from = this.#bins[2 * row]!;
    const middle = this.#bins[2 * row + 1]!;
    const to = this.#bins[2 * row + 2]!;
    const before = Math.min(Math.floor(middle), this.#sum.length - 1);
    const after = Math.min(before + 1, this.#sum.length - 1);
    let power = this.#sum[before]! + (this.#sum[after]! - this.#sum[before]!) * (middle - before);
    for (let bin = Math.ceil(from); bin < to; bin++) power = Math.max(power, this.#sum[bin] ?? 0);
    return power;
  }
}

function toDb(power: number): number {
  return power > 0 ? Math.max(FLOOR_DB, 10 * Math.log10(power)) : FLOOR_DB;
}
