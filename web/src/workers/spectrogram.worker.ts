// Makes spectrograms away from the page: a minute of sound takes a moment, and the page must not wait. Columns are sent as
// they are ready, so that long sounds appear from left to right. Who asks is media/audio/spectrogram-runner.ts, which ends
// the worker in the middle of what nobody looks at any more.
import { SpectrogramMaker, type SpectrogramShape } from '../base/spectrogram';

export interface SpectrogramQuestion {
  readonly id: number;
  /** Of equal length; what is seen is their mean. */
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  readonly rateHz: number;
  readonly shape: SpectrogramShape;
}

export interface SpectrogramAnswer {
  readonly id: number;
  readonly firstColumn: number;
  /** Decibels, column after column, each from the lowest row to the highest. */
  readonly values: Float32Array<ArrayBuffer>;
  readonly isLast: boolean;
}

const COLUMNS_AT_ONCE = 32;

self.onmessage = ({ data }: MessageEvent<SpectrogramQuestion>) => {
  const { id, channels, rateHz, shape } = data;
  const maker = new SpectrogramMaker(meanOf(channels), rateHz, shape);
  for (let first = 0; first < shape.columns; first += COLUMNS_AT_ONCE) {
    const count = Math.min(COLUMNS_AT_ONCE, shape.columns - first);
    const values = new Float32Array(count * shape.rows);
    for (let i = 0; i < count; i++) maker.column(first + i, values, i * shape.rows);
    const answer: SpectrogramAnswer = {
      ...{ id, firstColumn: first, values },
      isLast: first + count === shape.columns,
    };
    self.postMessage(answer, { transfer: [values.buffer] });
  }
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
