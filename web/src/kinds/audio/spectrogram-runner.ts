// Asks the worker for spectrograms, one after the other, the latest wish first. Whoever does not look any more takes the wish
// back; the worker is ended when it was at work on that one.
import type { SpectrogramShape } from '../../base/spectrogram';
import type { SpectrogramAnswer, SpectrogramQuestion } from '../../workers/spectrogram.worker';

export interface SpectrogramWish {
  readonly rateHz: number;
  readonly shape: SpectrogramShape;
  /** Copies, which are given away; asked for when it is this one's turn. */
  readonly channels: () => readonly Float32Array<ArrayBuffer>[];
  readonly oncolumns: (first: number, values: Float32Array, isLast: boolean) => void;
  readonly onproblem: (message: string) => void;
}

export type SpectrogramWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

function startWorker(): SpectrogramWorker {
  return new Worker(new URL('../../workers/spectrogram.worker.ts', import.meta.url), { type: 'module' });
}

export class SpectrogramRunner {
  readonly #start: () => SpectrogramWorker;
  #worker: SpectrogramWorker | null = null;
  #id = 0;
  #current: SpectrogramWish | null = null;
  /** The latest last. */
  readonly #waiting = new Set<SpectrogramWish>();

  constructor(start: () => SpectrogramWorker = startWorker) {
    this.#start = start;
  }

  /** Until the returned function is called. */
  ask(wish: SpectrogramWish): () => void {
    this.#waiting.add(wish);
    this.#next();
    return () => {
      this.#waiting.delete(wish);
      if (this.#current !== wish) return;
      this.#end();
      this.#next();
    };
  }

  #next(): void {
    const wish = [...this.#waiting].at(-1);
    if (wish === undefined || this.#current !== null) return;
    this.#waiting.delete(wish);
    this.#current = wish;
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#id;
    worker.onmessage = ({ data }: MessageEvent<SpectrogramAnswer>) => {
      if (data.id !== id) return;
      if (data.isLast) this.#current = null;
      wish.oncolumns(data.firstColumn, data.values, data.isLast);
      if (data.isLast) this.#next();
    };
    worker.onerror = () => {
      this.#end();
      wish.onproblem('The spectrogram could not be computed');
      this.#next();
    };
    const channels = wish.channels();
    const question: SpectrogramQuestion = { id, channels, rateHz: wish.rateHz, shape: wish.shape };
    worker.postMessage(
      question,
      channels.map(({ buffer }) => buffer),
    );
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#current = null;
  }
}

/** The page's one: a second worker would only slow down the first. */
export const spectrograms = new SpectrogramRunner();
