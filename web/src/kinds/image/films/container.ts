// What an MP4 or WebM file says about its frames and its codec. Browsers decode films but tell neither; without it there is
// no exact stepping from frame to frame, and no sentence about what cannot be played.
//
// Files are hostile: sizes lie, tables are cut off. Reading looks at headers and tables only, never past the end, and stops at
// a fixed number of frames.
import type { FilmIndex } from './film-index';
import { readMp4 } from './mp4';
import { readWebm } from './webm';

export function readContainer(bytes: Uint8Array, mimeType: string): FilmIndex {
  const read = mimeType === 'video/webm' ? readWebm : readMp4;
  try {
    return read(bytes);
  } catch (error) {
    // Beyond the end: the views of the bytes refuse it.
    if (!(error instanceof RangeError)) throw error;
    const container = mimeType === 'video/webm' ? 'WebM' : 'MP4';
    return {
      ...{ container, codec: '', timeline: null, offsetS: 0 },
      problem: 'The file is cut off or damaged.',
    };
  }
}
