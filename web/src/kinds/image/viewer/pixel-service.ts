// The page's side of workers/pixels.worker.ts: questions with a number, answers by promise.
import type { PixelAnswers, PixelQuestion, PixelReply } from '../../../workers/pixels.worker';

type QuestionOf<T extends PixelQuestion['type']> = Extract<PixelQuestion, { type: T }>;

/** Who answers questions about pixels; tests bring their own. */
export interface PixelSource {
  ask<T extends PixelQuestion['type']>(question: QuestionOf<T>): Promise<PixelAnswers[T] | null>;
}

export class PixelService implements PixelSource {
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, (answer: PixelReply['answer'] | null) => void>();
  #lastId = 0;

  /** null: it cannot be had – not enough memory, say, or the pixels have been dropped. Never rejects. */
  ask<T extends PixelQuestion['type']>(question: QuestionOf<T>): Promise<PixelAnswers[T] | null> {
    const worker = (this.#worker ??= this.#begin());
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve as (answer: PixelReply['answer'] | null) => void);
      const transfer = 'bytes' in question ? [question.bytes] : [];
      worker.postMessage({ ...question, id }, { transfer });
    });
  }

  /** Takes all pixels with it. A later question begins anew. */
  end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
  }

  #begin(): Worker {
    const worker = new Worker(new URL('../../../workers/pixels.worker.ts', import.meta.url), {
      type: 'module',
    });
    worker.onmessage = ({ data }: MessageEvent<PixelReply>) => {
      this.#waiting.get(data.id)?.(data.answer);
      this.#waiting.delete(data.id);
    };
    // It could not be loaded, or ran out of memory: whoever asks next gets a new one.
    worker.onerror = () => {
      this.end();
    };
    return worker;
  }
}
