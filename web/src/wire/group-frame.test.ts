import { expect, test } from 'vitest';
import { FrameBuilder } from './test-frames';
import { decodeGroupFrame } from './group-frame';
import type { GroupFrameHeader } from './generated';

/** The columns lie one after the other. */
function encode(header: object, columns: readonly (readonly number[])[]): ArrayBuffer {
  const builder = new FrameBuilder();
  for (const numbers of columns) builder.column(numbers);
  return builder.frame(header);
}

const at = (offset: number) => ({ type: 'f64', offset, base: 0, scale: 1 }) as const;

const header: GroupFrameHeader = {
  server_id: 's',
  revision: 3,
  groups: [
    {
      query: 1,
      group: 2,
      count: 2,
      runs: 5,
      is_exact: true,
      y_range: [0, 1],
      x: { type: 'range', offset: 0, base: 10, scale: 10 },
      center: at(0),
      low: at(16),
      high: at(32),
      members: at(48),
      breaks: [1],
    },
  ],
  notes: [{ query: 1, run: null, is_error: false, text: 'Something' }],
};

test('gives the line, the band and the members of a group', () => {
  const columns = [
    [0.5, 0.6],
    [0.4, NaN],
    [0.7, NaN],
    [5, 1],
  ];
  const { groups, notes, serverId } = decodeGroupFrame(encode(header, columns));
  const [group] = groups;
  expect(serverId).toBe('s');
  expect(group).toMatchObject({ query: 1, group: 2, runs: 5, isExact: true, yRange: [0, 1] });
  expect([...group!.x]).toEqual([10, 20]);
  expect([...group!.center]).toEqual([0.5, 0.6]);
  expect([...group!.low!]).toEqual([0.4, NaN]);
  expect([...group!.members]).toEqual([5, 1]);
  expect(group!.breaks).toEqual([1]);
  expect(notes.map(({ text }) => text)).toEqual(['Something']);
});

test('a frame of single runs is none of groups', () => {
  expect(() => decodeGroupFrame(encode({ ...header, groups: undefined, series: [] }, []))).toThrow(
    'lists no groups',
  );
});

test('a frame that is cut off is an error, not a chart of garbage', () => {
  expect(() => decodeGroupFrame(encode(header, [[1, 2]]))).toThrow('cut off in a column');
});
