// The server's answer as a matrix: a small one at once, a large one (four million counts) in a worker.
import type { MatrixAnswer } from '../../wire/client';
import { askWorker, type QuestionWorker } from '../../base/ask-worker';
import { matrixFrom, type Matrix } from './matrix';

const SMALL_BYTES = 256 * 1024;

const startWorker = (): QuestionWorker =>
  new Worker(new URL('./matrix.worker.ts', import.meta.url), { type: 'module' });

export async function readMatrix(blob: Blob, signal: AbortSignal, start = startWorker): Promise<Matrix> {
  if (blob.size <= SMALL_BYTES) return matrixFrom(JSON.parse(await blob.text()) as MatrixAnswer);
  return await askWorker<Matrix>(start(), blob, signal, 'The matrix could not be read');
}
