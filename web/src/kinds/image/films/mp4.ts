// Frames of an MP4 file, from the tables of its first film track (ISO/IEC 14496-12). Boxes lie in boxes: a size, four letters,
// a body.
import { MOST_FRAMES, type FilmIndex } from './film-index';
import { Timeline } from './timeline';

const CODECS: Readonly<Record<string, string>> = {
  avc1: 'H.264',
  avc3: 'H.264',
  hvc1: 'H.265',
  hev1: 'H.265',
  vp08: 'VP8',
  vp09: 'VP9',
  av01: 'AV1',
  mp4v: 'MPEG-4 Part 2',
  mjpg: 'Motion JPEG',
  jpeg: 'Motion JPEG',
};

interface Box {
  readonly type: string;
  readonly body: DataView;
  /** The file ends before the box does. */
  readonly isCut: boolean;
}

function* boxesIn(view: DataView): Generator<Box> {
  let at = 0;
  while (at + 8 <= view.byteLength) {
    const type = lettersAt(view, at + 4);
    let size = view.getUint32(at);
    let head = 8;
    if (size === 1) {
      size = Number(view.getBigUint64(at + 8));
      head = 16;
    } else if (size === 0) {
      size = view.byteLength - at;
    }
    if (size < head) return;
    const end = Math.min(at + size, view.byteLength);
    if (at + head > end) return;
    yield {
      type,
      body: new DataView(view.buffer, view.byteOffset + at + head, end - at - head),
      isCut: at + size > view.byteLength,
    };
    at += size;
  }
}

function lettersAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));
}

/** The first box at the end of a path of names. */
function boxAt(view: DataView, ...path: readonly string[]): DataView | null {
  let current: DataView | null = view;
  for (const name of path) {
    let found: DataView | null = null;
    for (const { type, body } of boxesIn(current)) {
      if (type !== name) continue;
      found = body;
      break;
    }
    if (found === null) return null;
    current = found;
  }
  return current;
}

export function readMp4(bytes: Uint8Array): FilmIndex {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let movie: DataView | null = null;
  let isCut = false;
  for (const box of boxesIn(file)) {
    if (box.type === 'moov') movie = box.body;
    isCut ||= box.isCut;
  }
  const nothing = { container: 'MP4', codec: '', timeline: null, offsetS: 0 } as const;
  if (movie === null) {
    return { ...nothing, problem: 'The file has no table of its frames: it was probably cut off.' };
  }
  const track = filmTrack(movie);
  if (track === null) return { ...nothing, problem: 'The file holds no film.' };
  const description = boxAt(track, 'mdia', 'minf', 'stbl', 'stsd');
  const letters = description !== null && description.byteLength >= 16 ? lettersAt(description, 12) : '';
  return {
    container: 'MP4',
    codec: CODECS[letters] ?? letters.replace(/[^ -~]/g, '').trim(),
    ...timesOf(track),
    problem: isCut ? 'The file is cut off.' : '',
  };
}

function filmTrack(movie: DataView): DataView | null {
  for (const { type, body } of boxesIn(movie)) {
    if (type !== 'trak') continue;
    const handler = boxAt(body, 'mdia', 'hdlr');
    if (handler !== null && handler.byteLength >= 12 && lettersAt(handler, 8) === 'vide') return body;
  }
  return null;
}

/** When each frame is decoded (stts), moved to when it is shown (ctts), less what an edit list cuts off at the beginning. */
function timesOf(track: DataView): Pick<FilmIndex, 'timeline' | 'offsetS'> {
  const none = { timeline: null, offsetS: 0 };
  const header = boxAt(track, 'mdia', 'mdhd');
  const durations = boxAt(track, 'mdia', 'minf', 'stbl', 'stts');
  if (header === null || durations === null) return none;
  const unitsPerS = header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
  if (unitsPerS === 0) return none;
  const shown: number[] = [];
  let at = 0;
  for (const [count, duration] of pairsIn(durations)) {
    if (shown.length + count > MOST_FRAMES) return none;
    for (let i = 0; i < count; i++) {
      shown.push(at);
      at += duration;
    }
  }
  if (shown.length === 0) return none;
  const lastDuration = at - shown.at(-1)!;
  moveToShown(shown, boxAt(track, 'mdia', 'minf', 'stbl', 'ctts'));
  const skipped = skippedIn(boxAt(track, 'edts', 'elst'));
  const startsS = shown.map((time) => (time - skipped) / unitsPerS);
  const endS = startsS.reduce((last, startS) => Math.max(last, startS)) + lastDuration / unitsPerS;
  const offsetS = startsS.reduce((first, startS) => Math.min(first, startS));
  return { timeline: new Timeline(startsS, endS), offsetS };
}

function moveToShown(times: number[], offsets: DataView | null): void {
  if (offsets === null) return;
  let frame = 0;
  for (const [count, offset] of pairsIn(offsets)) {
    // Signed in practice, also where the version says otherwise.
    for (let i = 0; i < count && frame < times.length; i++) times[frame++]! += offset | 0;
  }
}

/** The body of a table of pairs: version and flags, how many, the pairs. */
function* pairsIn(table: DataView): Generator<[number, number]> {
  const count = Math.min(table.getUint32(4), (table.byteLength - 8) >> 3);
  for (let i = 0; i < count; i++) yield [table.getUint32(8 + 8 * i), table.getUint32(12 + 8 * i)];
}

/** Where the first edit that is not empty begins, in the track's units. */
function skippedIn(edits: DataView | null): number {
  if (edits === null || edits.byteLength < 8) return 0;
  const isLong = edits.getUint8(0) === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = Math.min(edits.getUint32(4), Math.floor((edits.byteLength - 8) / entryBytes));
  for (let i = 0; i < count; i++) {
    const at = 8 + i * entryBytes;
    const begin = isLong ? Number(edits.getBigInt64(at + 8)) : edits.getInt32(at + 4);
    if (begin >= 0) return begin;
  }
  return 0;
}
