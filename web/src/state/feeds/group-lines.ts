// Lines of groups of runs: the second route by which line-feed.svelte.ts asks. The units are groups; a group is known by
// its members, so that switching one run off asks anew for the groups that it is in and for no other. Loaded when the
// first card shows groups.
import type { Client, GroupQuery } from '../../wire/client';
import type { DecodedGroup } from '../../wire/group-frame';
import { unitOfMembers, type Wish } from './wanted-line';
import type { QueryShape } from './line-query';
import { onePer } from '../one-per-page.svelte';
import { answersByUnit, type LineRoute, type LineFeed } from './line-feed.svelte';
import type { CardRequest, Grouping, LineData } from '../types';

/** The line of one group. */
export interface GroupSeries extends DecodedGroup {
  /** `unitOfGroup` of the runs that were asked for. */
  readonly unit: number;
}

export interface GroupSource {
  readonly client: Pick<Client, 'groups'>;
  readonly lines: Pick<LineFeed, 'follow' | 'shapeOf'>;
}

const units = new WeakMap<readonly number[], number>();

/** The same number for the same members in the same order. */
export function unitOfGroup(runs: readonly number[]): number {
  let unit = units.get(runs);
  if (unit === undefined) units.set(runs, (unit = unitOfMembers(runs)));
  return unit;
}

/**
 * As `LineFeed.subscribe`, for groups. `request` is tracked, and so is what it returns for the groups: the runs of
 * each of them.
 */
export function subscribeToGroups(
  { client, lines }: GroupSource,
  request: () => (CardRequest & { groups: readonly (readonly number[])[]; grouping: Grouping }) | null,
  onData: (data: LineData<GroupSeries>) => void,
): () => void {
  const wishOf = (): Wish | null => {
    const wanted = request();
    if (wanted === null) return null;
    const members = new Map(wanted.groups.map((runs) => [unitOfGroup(runs), runs]));
    const shape = groupShape(lines.shapeOf(wanted), wanted.grouping);
    return { subject: wanted.source, units: [...members.keys()], members, shape };
  };
  return lines.follow(groupLines(client), wishOf, onData);
}

/** A shape of single runs, with what groups need on top. */
type GroupShape = QueryShape & Pick<GroupQuery, 'center' | 'band'>;

/**
 * Places of a group's grid, whatever the width of the card: with no more different x than this the values are those of the
 * x themselves, and two cards never say different things about the same place.
 */
const GRID_PLACES = 4096;

function groupShape(shape: QueryShape, { center, band }: Grouping): GroupShape {
  const { superseded: _superseded, buckets, ...rest } = shape;
  return { ...rest, buckets: Math.max(GRID_PLACES, buckets ?? 0), center, band };
}

/** One for all cards of a page: what has one route goes out together. */
const groupLines = onePer((client: GroupSource['client']): LineRoute<GroupSeries> => {
  return {
    name: 'groups',
    ask: async (questions, signal) => {
      const queries = questions.map(({ subject: { tag, formula }, units: asked, members, shape }) => ({
        ...(formula === '' ? { tag } : { formula }),
        groups: asked.map((unit) => [...(members?.get(unit) ?? [])]),
        ...shape,
      }));
      const { serverId, groups, notes } = await client.groups({ queries }, signal);
      const series = groups.map((one): GroupSeries => ({
        ...one,
        unit: questions[one.query]?.units[one.group] ?? NaN,
      }));
      const answers = answersByUnit(questions, series, notes, {
        unitOf: ({ unit }) => unit,
        unitsOf: (run, { units: asked, members }) =>
          asked.filter((unit) => members?.get(unit)?.includes(run)),
      });
      return { serverId, answers };
    },
  };
});
