// What is known of a film in a container; see container.ts.
import type { Timeline } from './timeline';

export interface FilmIndex {
  readonly container: 'MP4' | 'WebM';
  /** As people call it; '' when the file does not say. */
  readonly codec: string;
  /** null: the file does not tell its frames. */
  readonly timeline: Timeline | null;
  /** Where the first frame lies on the browser's time. */
  readonly offsetS: number;
  /** What is wrong with the file, as a sentence; '' when nothing was noticed. */
  readonly problem: string;
}

/** More frames than anybody steps through: nine hours at thirty a second. */
export const MOST_FRAMES = 1_000_000;
