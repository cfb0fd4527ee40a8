// The answer of images/frames: every frame of an animated picture as a still of its own, behind each other in one body. See
// FramesHeader in dashboards/images/schemas.py.
import type { LoadedAnswer } from '../../../state/feeds/answer-cache';
import type { FramesHeader } from '../../../wire/client';

export interface StillFrames {
  readonly stills: readonly Blob[];
  readonly durationsS: readonly number[];
  readonly widthPx: number;
  readonly heightPx: number;
  /** Frames at the end are missing: the file is damaged there. */
  readonly isCut: boolean;
}

const PREFIX_BYTES = 4;

/** The frames are parts of the answer's blob: none of them is copied. */
export async function readFrames({ blob }: Pick<LoadedAnswer, 'blob'>): Promise<StillFrames> {
  if (blob.size < PREFIX_BYTES) throw cutOff();
  const prefix = await blob.slice(0, PREFIX_BYTES).arrayBuffer();
  const headerEnd = PREFIX_BYTES + new DataView(prefix).getUint32(0, true);
  if (blob.size < headerEnd) throw cutOff();
  const header = JSON.parse(await blob.slice(PREFIX_BYTES, headerEnd).text()) as FramesHeader;
  let at = headerEnd;
  const stills = header.sizes.map((size) => {
    const still = blob.slice(at, at + size, header.mime_type);
    at += size;
    return still;
  });
  if (stills.length === 0 || at > blob.size) throw cutOff();
  return {
    stills,
    durationsS: header.durations_ms.map((durationMs) => durationMs / 1000),
    widthPx: header.width,
    heightPx: header.height,
    isCut: header.is_cut,
  };
}

function cutOff(): Error {
  return new Error('The answer of the server is cut off: it holds no frames');
}
