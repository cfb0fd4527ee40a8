// Compares small texts at once, and large ones in a worker that ends with the question.
import { diffTexts, type DiffLevel, type TextDiff } from './diff-texts';
import type { DiffAnswer, DiffQuestion } from './diff.worker';

const SMALL_CHARS = 8000;
/** The comparison has a limit of its own; this one is for a worker that never starts. */
const MOST_MS = 30_000;

type Start = () => Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const startWorker: Start = () => new Worker(new URL('./diff.worker.ts', import.meta.url), { type: 'module' });

/** Rejects when the signal fires, or the worker does not answer. */
export async function compareTexts(
  question: { readonly before: string; readonly after: string; readonly level: DiffLevel },
  signal: AbortSignal,
  start: Start = startWorker,
): Promise<TextDiff> {
  const { before, after, level } = question;
  if (before.length + after.length <= SMALL_CHARS) return diffTexts(before, after, level);
  const worker = start();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<DiffAnswer>((resolve, reject) => {
      const giveUp = (): void => reject(new Error('The texts could not be compared'));
      worker.onmessage = ({ data }: MessageEvent<DiffAnswer>) => resolve(data);
      worker.onerror = giveUp;
      timer = setTimeout(giveUp, MOST_MS);
      signal.addEventListener('abort', giveUp, { once: true });
      worker.postMessage({ before, after, level } satisfies DiffQuestion);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
