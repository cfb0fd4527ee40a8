// When the frames of an MP4 or WebM file are shown. Browsers decode films but do not tell; without it there is no exact
// stepping from frame to frame.
//
// Files are hostile: sizes lie, tables are cut off. Reading looks at headers and tables only, never past the end, and stops at
// a fixed number of frames.
import { readMp4 } from './mp4';
import type { Timeline } from './timeline';
import { readWebm } from './webm';

export interface FilmFrames {
  readonly timeline: Timeline;
  /** Where the first frame lies on the browser's time. */
  readonly offsetS: number;
}

/** null: the file does not tell its frames. */
export function readContainer(bytes: Uint8Array, mimeType: string): FilmFrames | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return mimeType === 'video/webm' ? readWebm(view) : readMp4(view);
  } catch (error) {
    // Beyond the end: the views of the bytes refuse it.
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}
