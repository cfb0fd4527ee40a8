// Reads the binary answers about values that are no scalars: steps of media here, and what histogram-frame.ts and
// pr-curve-frame.ts share.
import { FrameError, openFrame, type DecodeColumn } from './frame';
import type { DecodedFrame, MediaFrameHeader, StepsFrameHeader, ValueFrame } from './generated';

/** Every value of one tag in one run. */
export interface DecodedValues {
  /** Which of the request's queries it answers. */
  readonly query: number;
  /** The run's number. */
  readonly run: number;
  /** Values that a restart wrote again; they are not here. */
  readonly supersededCount: number;
  /** Never falling. */
  readonly step: Float64Array;
  readonly wall: Float64Array;
}

export interface DecodedMedia extends DecodedValues {
  /** Pictures or sounds at one step; 0 when that could not be found out. */
  readonly samples: number;
}

/** Values that are columns of numbers themselves, which lie end to end. */
export interface DecodedTables extends DecodedValues {
  /** 0: good. 1: damaged. 2: the file is gone or was replaced, ask again. */
  readonly state: Float64Array;
  /** The numbers of value i are at offsets[i] to offsets[i + 1]; none where the state is not 0. */
  readonly offsets: Uint32Array;
}

export interface Answer<Series> {
  readonly serverId: string;
  readonly revision: number;
  readonly series: readonly Series[];
}

/** The answer of `POST media/series`. */
export function decodeMediaFrame(buffer: ArrayBuffer): Answer<DecodedMedia> {
  const { header, columnOf } = openFrame<MediaFrameHeader>(buffer, 'series');
  const series = header.series.map((one) => ({
    ...valuesOf(one, columnOf(one.count)),
    samples: one.samples,
  }));
  return { serverId: header.server_id, revision: header.revision, series };
}

/** The answer of `POST media/steps`: ascending, each once. */
export function decodeStepsFrame(buffer: ArrayBuffer): Float64Array {
  const { header, columnOf } = openFrame<StepsFrameHeader>(buffer, 'steps');
  return columnOf(header.count)(header.steps);
}

export function valuesOf(frame: ValueFrame, decode: DecodeColumn): DecodedValues {
  return {
    query: frame.query,
    run: frame.run,
    supersededCount: frame.superseded_count,
    step: decode(frame.step),
    wall: decode(frame.wall),
  };
}

/** What histograms and curves have in common. */
export function tablesOf(frame: DecodedFrame, decode: DecodeColumn): DecodedTables {
  const size = decode(frame.size);
  const offsets = new Uint32Array(size.length + 1);
  let end = 0;
  for (let i = 0; i < size.length; i++) {
    end += size[i]!;
    offsets[i + 1] = end;
  }
  if (end !== frame.size_sum) throw new FrameError(`values of ${end} numbers have ${frame.size_sum}`);
  return { ...valuesOf(frame, decode), state: decode(frame.state), offsets };
}
