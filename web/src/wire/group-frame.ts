// Reads the binary answer of `POST scalars/groups`: one line for each group of runs, with a band around it and the number of
// runs that it is made from at each place. Apart from frame.ts, because most pages never ask for groups.
import { openFrame } from './frame';
import type { GroupFrameHeader, QueryNote } from './generated';

export interface DecodedGroup {
  /** Which of the request's queries it answers. */
  readonly query: number;
  /** Its position in the query. */
  readonly group: number;
  /** Members that have any point in the range. */
  readonly runs: number;
  /** The grid holds every x of every member. */
  readonly isExact: boolean;
  /** Least and greatest of centre and band. */
  readonly yRange: readonly [number, number] | null;
  readonly x: Float64Array;
  readonly center: Float64Array;
  /** null without a band; NaN where there is none, as one member has no deviation. */
  readonly low: Float64Array | null;
  readonly high: Float64Array | null;
  /** How many runs the centre is made from, at each x. */
  readonly members: Float64Array;
  /** Places before which the line ends, because no member goes on from the place before. */
  readonly breaks: readonly number[];
}

export interface GroupFrames {
  readonly serverId: string;
  readonly revision: number;
  readonly groups: readonly DecodedGroup[];
  readonly notes: readonly QueryNote[];
}

export function decodeGroupFrame(buffer: ArrayBuffer): GroupFrames {
  const { header, columnOf } = openFrame<GroupFrameHeader>(buffer, 'groups');
  const groups = header.groups.map((one): DecodedGroup => {
    const decode = columnOf(one.count);
    return {
      query: one.query,
      group: one.group,
      runs: one.runs,
      isExact: one.is_exact,
      yRange: one.y_range,
      x: decode(one.x),
      center: decode(one.center),
      low: one.low && decode(one.low),
      high: one.high && decode(one.high),
      members: decode(one.members),
      breaks: one.breaks,
    };
  });
  return { serverId: header.server_id, revision: header.revision, groups, notes: header.notes ?? [] };
}
