// Reads a large confusion matrix off the page's thread; see read-matrix.ts. One question, one answer.
import type { MatrixAnswer } from '../../wire/client';
import { matrixFrom, type Matrix } from './matrix';

onmessage = ({ data: blob }: MessageEvent<Blob>): void => {
  const answer = async (): Promise<void> => {
    const text = await blob.text();
    const matrix = matrixFrom(JSON.parse(text) as MatrixAnswer);
    const { counts, rowSums, columnSums } = matrix;
    postMessage(matrix satisfies Matrix, { transfer: [counts.buffer, rowSums.buffer, columnSums.buffer] });
  };
  answer().catch(reportError);
};
