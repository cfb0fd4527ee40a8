// Compares texts off the page's thread; see diff-runner.ts. One question, one answer.
import { diffTexts, type DiffLevel, type TextDiff } from './diff-texts';

export interface DiffQuestion {
  readonly before: string;
  readonly after: string;
  readonly level: DiffLevel;
}
export type DiffAnswer = TextDiff;

onmessage = ({ data: { before, after, level } }: MessageEvent<DiffQuestion>): void => {
  postMessage(diffTexts(before, after, level) satisfies DiffAnswer);
};
