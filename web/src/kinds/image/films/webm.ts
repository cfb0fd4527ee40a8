// Frames of a WebM or Matroska file: the times of the blocks of its first film track (RFC 9559). An element is a number, a
// length and a body, which may hold more elements. Elements that hold what we look for are entered, the others skipped; so a
// length that is not known, as in files that were streamed, does no harm.
import type { FilmFrames } from './container';
import { MOST_FRAMES, Timeline } from './timeline';

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const ENTERED: ReadonlySet<number> = new Set([SEGMENT, INFO, TRACKS, TRACK, CLUSTER, BLOCK_GROUP]);

const TIME_UNIT_NS = 0x2ad7b1;
const DURATION = 0x4489;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CLUSTER_TIME = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;

const FILM_TRACK = 1;
const USUAL_UNIT_NS = 1_000_000;

export function readWebm(view: DataView): FilmFrames | null {
  let unitNs = USUAL_UNIT_NS;
  let duration = 0;
  let clusterTime = 0;
  const tracks: { number: number; type: number }[] = [];
  const times: { track: number; time: number }[] = [];
  for (const { id, at, length } of elementsIn(view)) {
    const track = tracks.at(-1);
    if (id === TRACK) tracks.push({ number: 0, type: 0 });
    else if (id === TIME_UNIT_NS) unitNs = unsignedAt(view, at, length) || USUAL_UNIT_NS;
    else if (id === DURATION) duration = floatAt(view, at, length);
    else if (id === TRACK_NUMBER && track) track.number = unsignedAt(view, at, length);
    else if (id === TRACK_TYPE && track) track.type = unsignedAt(view, at, length);
    else if (id === CLUSTER_TIME) clusterTime = unsignedAt(view, at, length);
    else if (id === SIMPLE_BLOCK || id === BLOCK) {
      const number = numberAt(view, at, false);
      if (number === null || number.length + 2 > length) continue;
      times.push({ track: number.value, time: clusterTime + view.getInt16(at + number.length) });
      if (times.length > MOST_FRAMES) return null;
    }
  }
  const film = tracks.find(({ type }) => type === FILM_TRACK);
  const own = times.filter(({ track }) => track === film?.number).map(({ time }) => time);
  return own.length === 0 ? null : framesAt(own, duration, unitNs / 1e9);
}

function framesAt(times: readonly number[], duration: number, unitS: number): FilmFrames {
  const startsS = times.map((time) => time * unitS);
  const firstS = startsS.reduce((first, startS) => Math.min(first, startS));
  const lastS = startsS.reduce((last, startS) => Math.max(last, startS));
  // Where the file does not say how long it is, says less than is there, or much more because it is cut off, the last frame is as
  // long as the others.
  const frameS = times.length > 1 ? (lastS - firstS) / (times.length - 1) : 0.1;
  const toldS = duration * unitS;
  const endS = toldS > lastS && toldS < lastS + 10 * frameS ? toldS : lastS + frameS;
  return { timeline: new Timeline(startsS, endS), offsetS: firstS };
}

/** Every element that is not cut off: its number, and where its body lies. */
function* elementsIn(view: DataView): Generator<{ id: number; at: number; length: number }> {
  let at = 0;
  while (at < view.byteLength) {
    const id = numberAt(view, at, true);
    const size = id === null ? null : numberAt(view, at + id.length, false);
    if (id === null || size === null) return;
    const body = at + id.length + size.length;
    const isEntered = ENTERED.has(id.value);
    if (!isEntered && body + size.value > view.byteLength) return;
    yield { id: id.value, at: body, length: size.value };
    at = isEntered ? body : body + size.value;
  }
}

/** A number whose first byte says how many follow. Ids keep that mark. null: the bytes end, or it is no such number. */
function numberAt(view: DataView, at: number, isId: boolean): { value: number; length: number } | null {
  if (at >= view.byteLength) return null;
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > view.byteLength) return null;
  let value = isId ? first : first & (0xff >> length);
  for (let i = 1; i < length; i++) value = value * 256 + view.getUint8(at + i);
  return { value, length };
}

function unsignedAt(view: DataView, at: number, length: number): number {
  let value = 0;
  for (let i = 0; i < Math.min(length, 8); i++) value = value * 256 + view.getUint8(at + i);
  return value;
}

function floatAt(view: DataView, at: number, length: number): number {
  if (length === 4) return view.getFloat32(at);
  return length === 8 ? view.getFloat64(at) : 0;
}
