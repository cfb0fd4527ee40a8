// Frames of an MP4 file, from the tables of its first film track (ISO/IEC 14496-12). Boxes lie in boxes: a size, four letters,
// a body.
import type { FilmFrames } from './container';
import { MOST_FRAMES, Timeline } from './timeline';

function* boxesIn(view: DataView): Generator<{ readonly type: string; readonly body: DataView }> {
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
    const end = Math.min(at + size, view.byteLength);
    if (size < head || at + head > end) return;
    yield { type, body: new DataView(view.buffer, view.byteOffset + at + head, end - at - head) };
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
    if (current === null) return null;
    current = [...boxesIn(current)].find(({ type }) => type === name)?.body ?? null;
  }
  return current;
}

export function readMp4(file: DataView): FilmFrames | null {
  const movie = boxAt(file, 'moov');
  const track = movie === null ? null : filmTrack(movie);
  return track === null ? null : framesOf(track);
}

function filmTrack(movie: DataView): DataView | null {
  for (const { type, body } of boxesIn(movie)) {
    if (type !== 'trak') continue;
    const handler = boxAt(body, 'mdia', 'hdlr');
    if (handler !== null && lettersAt(handler, 8) === 'vide') return body;
  }
  return null;
}

/** When each frame is decoded (stts), moved to when it is shown (ctts), less what an edit list cuts off at the beginning. */
function framesOf(track: DataView): FilmFrames | null {
  const header = boxAt(track, 'mdia', 'mdhd');
  const durations = boxAt(track, 'mdia', 'minf', 'stbl', 'stts');
  if (header === null || durations === null) return null;
  const unitsPerS = header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
  if (unitsPerS === 0) return null;
  const shown: number[] = [];
  let at = 0;
  for (const [count, duration] of pairsIn(durations)) {
    if (shown.length + count > MOST_FRAMES) return null;
    for (let i = 0; i < count; i++) {
      shown.push(at);
      at += duration;
    }
  }
  if (shown.length === 0) return null;
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
