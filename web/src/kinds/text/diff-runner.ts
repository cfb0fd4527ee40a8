// Compares small texts at once, and large ones in a worker that ends with the question.
import { askWorker, type QuestionWorker } from '../../base/ask-worker';
import { diffTexts, type DiffLevel, type TextDiff } from './diff-texts';
import type { DiffAnswer, DiffQuestion } from './diff.worker';

const SMALL_CHARS = 8000;

const startWorker = (): QuestionWorker =>
  new Worker(new URL('./diff.worker.ts', import.meta.url), { type: 'module' });

/** Rejects when the signal fires, or the worker does not answer. */
export async function compareTexts(
  { before, after, level }: { readonly before: string; readonly after: string; readonly level: DiffLevel },
  signal: AbortSignal,
  start = startWorker,
): Promise<TextDiff> {
  if (before.length + after.length <= SMALL_CHARS) return diffTexts(before, after, level);
  const question: DiffQuestion = { before, after, level };
  return await askWorker<DiffAnswer>(start(), question, signal, 'The texts could not be compared');
}
