// Reads the binary answer of `POST scalars` (those of other routes are read by group-frame.ts, value-frame.ts and so on, with
// what is here):
//
//   'SLF1' | u32 length of the header | header: JSON, padded with spaces to a multiple of 8 | columns, each 8-aligned
//
// Columns of float64 become views into the received buffer, without a copy; the smaller encodings (float32, counted
// milliseconds, evenly spaced steps) are widened here, once. Nothing outside of the buffer can be named by a header: a
// frame that is cut short or wrong is one clear FrameError, never a chart of garbage.
import type { Column, FrameHeader, QueryNote, SeriesFrame } from './generated';

const MAGIC = 0x31464c53; // 'SLF1', little-endian
const PREAMBLE_BYTES = 8;

export interface DecodedSeries {
  /** Which of the request's queries it answers. */
  readonly query: number;
  /** The run's number. */
  readonly run: number;
  readonly isSuperseded: boolean;
  /** Points of the whole series, not only those that are here. */
  readonly total: number;
  /** Points of the run that a restart wrote again, shown or not. */
  readonly supersededCount: number;
  /** Every point of the x range is here; nothing was reduced. */
  readonly isExact: boolean;
  /** Wall time of the series' first point: the zero of relative time. */
  readonly firstWallS: number;
  /** Least and greatest finite value in the x range. */
  readonly yRange: readonly [number, number] | null;
  /** 5th and 95th percentile of the line that is drawn on top. */
  readonly yCore: readonly [number, number] | null;
  readonly step: Float64Array;
  readonly wall: Float64Array;
  readonly value: Float64Array;
  readonly smoothed: Float64Array | null;
  /** Of each point, never falling, when it is neither step nor wall time (active, metric). */
  readonly x: Float64Array | null;
}

export interface Frame {
  readonly serverId: string;
  readonly revision: number;
  readonly series: readonly DecodedSeries[];
  /** What went differently than asked. */
  readonly notes: readonly QueryNote[];
}

/** The bytes are no frame, or not a whole one. */
export class FrameError extends Error {
  constructor(what: string) {
    super(
      `The server's answer cannot be read: ${what}. Reload the page; if it stays, the server has another version`,
    );
    this.name = 'FrameError';
  }
}

export function decodeFrame(buffer: ArrayBuffer): Frame {
  const { header, columnOf } = openFrame<FrameHeader>(buffer, 'series');
  return {
    serverId: header.server_id,
    revision: header.revision,
    series: header.series.map((series) => decodeSeries(series, columnOf(series.count))),
    notes: header.notes ?? [],
  };
}

export type DecodeColumn = (column: Column) => Float64Array;

/** The header, and columns of so many numbers from behind it. `content`: what the header describes, a list or an object. */
export function openFrame<Header extends object>(
  buffer: ArrayBuffer,
  content: keyof Header & string,
): { header: Header; columnOf: (count: number) => DecodeColumn } {
  if (buffer.byteLength < PREAMBLE_BYTES) throw new FrameError(`only ${buffer.byteLength} bytes arrived`);
  const preamble = new DataView(buffer);
  if (preamble.getUint32(0, true) !== MAGIC) throw new FrameError('it does not begin with SLF1');
  const headerBytes = preamble.getUint32(4, true);
  const bodyStart = PREAMBLE_BYTES + headerBytes;
  if (bodyStart > buffer.byteLength) {
    throw new FrameError(`it was cut off in the header, ${buffer.byteLength} of ${bodyStart} bytes`);
  }
  if (bodyStart % 8 !== 0) throw new FrameError('its header is not aligned to 8 bytes');
  let header: Partial<Header> | null;
  try {
    const bytes = new Uint8Array(buffer, PREAMBLE_BYTES, headerBytes);
    header = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Header> | null;
  } catch {
    throw new FrameError('its header is no JSON');
  }
  if (!(header?.[content] instanceof Object)) throw new FrameError(`its header lists no ${content}`);
  const columnOf = (count: number): DecodeColumn => {
    if (!Number.isInteger(count) || count < 0) throw new FrameError(`a series has ${count} points`);
    return (column) => decodeColumn(buffer, bodyStart, column, count);
  };
  return { header: header as Header, columnOf };
}

function decodeSeries(series: SeriesFrame, decode: DecodeColumn): DecodedSeries {
  return {
    query: series.query,
    run: series.run,
    isSuperseded: series.is_superseded,
    total: series.total,
    supersededCount: series.superseded_count,
    isExact: series.is_exact,
    firstWallS: series.first_wall_s,
    yRange: series.y_range,
    yCore: series.y_core,
    step: decode(series.step),
    wall: decode(series.wall),
    value: decode(series.value),
    smoothed: series.smoothed && decode(series.smoothed),
    x: series.x ? decode(series.x) : null,
  };
}

const ELEMENT_BYTES: Readonly<Partial<Record<string, number>>> = { f64: 8, f32: 4, u32: 4, range: 0 };

function decodeColumn(buffer: ArrayBuffer, bodyStart: number, column: Column, count: number): Float64Array {
  const { type, base, scale } = column;
  const elementBytes = ELEMENT_BYTES[type];
  if (elementBytes === undefined) throw new FrameError(`a column has the unknown type "${type}"`);
  const start = bodyStart + column.offset;
  if (type !== 'range') {
    if (!Number.isInteger(column.offset) || column.offset < 0 || start % 8 !== 0) {
      throw new FrameError(`a column lies at byte ${column.offset}`);
    }
    if (start + count * elementBytes > buffer.byteLength) {
      throw new FrameError(`it was cut off in a column, at byte ${buffer.byteLength}`);
    }
  }
  const isPlain = base === 0 && scale === 1;
  if (type === 'f64' && isPlain) return new Float64Array(buffer, start, count);
  const numbers = new Float64Array(count);
  if (type === 'range') {
    for (let i = 0; i < count; i++) numbers[i] = base + scale * i;
    return numbers;
  }
  const elements =
    type === 'f32'
      ? new Float32Array(buffer, start, count)
      : type === 'u32'
        ? new Uint32Array(buffer, start, count)
        : new Float64Array(buffer, start, count);
  if (isPlain) numbers.set(elements);
  else for (let i = 0; i < count; i++) numbers[i] = base + scale * elements[i]!;
  return numbers;
}
