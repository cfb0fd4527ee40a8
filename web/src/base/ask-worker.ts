// One question to a worker that ends with it.

export type QuestionWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/** A worker has its own limits; this one is for one that never starts. */
const MOST_MS = 30_000;

/** Rejects with the sentence when the signal fires, or the worker does not answer. */
export async function askWorker<Answer>(
  worker: QuestionWorker,
  question: unknown,
  signal: AbortSignal,
  sentence: string,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const giveUp = (): void => reject(new Error(sentence));
      worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      worker.onerror = giveUp;
      timer = setTimeout(giveUp, MOST_MS);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      else worker.postMessage(question);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
