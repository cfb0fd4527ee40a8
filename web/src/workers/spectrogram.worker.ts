// Makes spectrograms away from the page: a minute of sound takes a moment, and the page must not wait. Who asks is
// kinds/audio/spectrogram-of.ts. One question, one answer.
import { SpectrogramMaker, type SpectrogramShape } from '../base/spectrogram';

export interface SpectrogramQuestion {
  /** Of equal length; what is seen is their mean. */
  readonly channels: readonly Float32Array[];
  readonly rateHz: number;
  readonly shape: SpectrogramShape;
}

/** Decibels, column after column, each from the lowest row to the highest. */
export type SpectrogramAnswer = Float32Array<ArrayBuffer>;

self.onmessage = ({ data: { channels, rateHz, shape } }: MessageEvent<SpectrogramQuestion>) => {
  const maker = new SpectrogramMaker(meanOf(channels), rateHz, shape);
  const values = new Float32Array(shape.columns * shape.rows);
  for (let column = 0; column < shape.columns; column++) maker.column(column, values, column * shape.rows);
  self.postMessage(values satisfies SpectrogramAnswer, { transfer: [values.buffer] });
};

function meanOf(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0), ...others] = channels;
  if (others.length === 0) return first;
  return first.map((value, i) => {
    let sum = value;
    for (const other of others) sum += other[i]!;
    return sum / channels.length;
  });
}
