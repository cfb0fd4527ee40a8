// Frames of a WebM or Matroska file: the times of the blocks of its first film track (RFC 9559). An element is a number, a
// length and a body, which may hold more elements. Elements that hold what we look for are entered, the others skipped; so a
// length that is not known, as in files that were streamed, does no harm.
import { MOST_FRAMES, type FilmIndex } from './film-index';
import { Timeline } from './timeline';

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
const CODEC = 0x86;
const CLUSTER_TIME = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;

const FILM_TRACK = 1;
const USUAL_UNIT_NS = 1_000_000;

const CODECS: Readonly<Record<string, string>> = {
  V_VP8: 'VP8',
  V_VP9: 'VP9',
  V_AV1: 'AV1',
  'V_MPEG4/ISO/AVC': 'H.264',
  'V_MPEGH/ISO/HEVC': 'H.265',
  'V_MPEG4/ISO/ASP': 'MPEG-4 Part 2',
  V_MJPEG: 'Motion JPEG',
  V_THEORA: 'Theora',
  V_FFV1: 'FFV1',
};

interface Track {
  number: number;
  type: number;
  codec: string;
}

export function readWebm(bytes: Uint8Array): FilmIndex {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let unitNs = USUAL_UNIT_NS;
  let duration = 0;
  let clusterTime = 0;
  let isCut = false;
  const tracks: Track[] = [];
  const times: { track: number; time: number }[] = [];

  let at = 0;
  while (at < view.byteLength && times.length <= MOST_FRAMES) {
    const id = numberAt(view, at, true);
    const size = id === null ? null : numberAt(view, at + id.length, false);
    if (id === null || size === null) {
      isCut = true;
      break;
    }
    const body = at + id.length + size.length;
    if (ENTERED.has(id.value)) {
      if (id.value === TRACK) tracks.push({ number: 0, type: 0, codec: '' });
      at = body;
      continue;
    }
    const end = body + size.value;
    if (end > view.byteLength) {
      isCut = true;
      break;
    }
    const track = tracks.at(-1);
    if (id.value === TIME_UNIT_NS) unitNs = unsignedAt(view, body, size.value) || USUAL_UNIT_NS;
    else if (id.value === DURATION) duration = floatAt(view, body, size.value);
    else if (id.value === TRACK_NUMBER && track) track.number = unsignedAt(view, body, size.value);
    else if (id.value === TRACK_TYPE && track) track.type = unsignedAt(view, body, size.value);
    else if (id.value === CODEC && track) track.codec = textAt(view, body, size.value);
    else if (id.value === CLUSTER_TIME) clusterTime = unsignedAt(view, body, size.value);
    else if (id.value === SIMPLE_BLOCK || id.value === BLOCK) {
      const number = numberAt(view, body, false);
      if (number !== null && body + number.length + 2 <= end) {
        times.push({ track: number.value, time: clusterTime + view.getInt16(body + number.length) });
      }
    }
    at = end;
  }

  const film = tracks.find(({ type }) => type === FILM_TRACK);
  const nothing = { container: 'WebM', codec: '', timeline: null, offsetS: 0 } as const;
  if (film === undefined) {
    return { ...nothing, problem: isCut ? 'The file is cut off or damaged.' : 'The file holds no film.' };
  }
  const codec = CODECS[film.codec] ?? film.codec.replace(/^V_/, '');
  const problem = isCut ? 'The file is cut off.' : '';
  const own = times.filter(({ track }) => track === film.number).map(({ time }) => time);
  if (own.length === 0 || times.length > MOST_FRAMES) return { ...nothing, codec, problem };
  const unitS = unitNs / 1e9;
  const startsS = own.map((time) => time * unitS);
  const firstS = startsS.reduce((first, startS) => Math.min(first, startS));
  const lastS = startsS.reduce((last, startS) => Math.max(last, startS));
  // Where the file does not say how long it is (or less than is there), the last frame is as long as the others.
  const frameS = own.length > 1 ? (lastS - firstS) / (own.length - 1) : 0.1;
  const toldS = duration * unitS;
  const endS = toldS > lastS && toldS < Infinity && !isCut ? toldS : lastS + frameS;
  return { container: 'WebM', codec, timeline: new Timeline(startsS, endS), offsetS: firstS, problem };
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

function textAt(view: DataView, at: number, length: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, Math.min(length, 64));
  return String.fromCharCode(...bytes).replace(/[^ -~]/g, '');
}
