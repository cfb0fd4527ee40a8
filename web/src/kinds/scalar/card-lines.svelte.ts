// The lines of one card: each line of its spec over the visible runs, or over groups of them with their members faint
// behind. Asks the loader for every line by itself and puts together what comes back.
import { untrack } from 'svelte';
import { useLate } from '../../base/late-code';
import type { GroupSeries } from '../../state/feeds/group-lines';
import { lineX, xKeyOf, type LineX } from '../../state/feeds/line-query';
import type { Page } from '../../state/page.svelte';
import type { Baseline, CardData, CardRequest, LineData, LineSource, LineSpec } from '../../state/types';
import { foldedNotes, membersNote, type CardNote } from './card-notes';
import {
  areSameLines,
  cardSeriesFrom,
  type CardSeries,
  type DecodedSeries,
  type LineLook,
} from './card-series';
import type { BoundLines } from './bounds.svelte';
import { lineName, sourceOf, type ChartCard } from './card-spec';
import type * as GroupCode from './group-series';
import { SeriesByKey } from './value-rows';

/** Of the second, third … line of a card, unless its spec says otherwise. */
const LINE_DASHES: readonly (readonly number[])[] = [
  [6, 4],
  [2, 3],
  [8, 3, 2, 3],
  [10, 5],
];
const DASHES: Readonly<Record<Exclude<LineSpec['dash'], 'auto'>, readonly number[] | null>> = {
  solid: null,
  dashed: LINE_DASHES[0]!,
  dotted: LINE_DASHES[1]!,
};
/** The line of a group stands out from its members. */
const GROUP_WIDTH_PX = 2;

let groupCode = $state.raw<typeof GroupCode | null>(null);

export interface CardLinesOptions {
  readonly page: Page;
  readonly spec: () => ChartCard;
  /** What to ask for a line; null: nothing now. Read inside of effects. */
  readonly request: (source: LineSource) => CardRequest | null;
  /** Something has come; `before` are the keys of the lines that were there. */
  readonly onData: (before: ReadonlySet<string>) => void;
}

export class CardLines {
  readonly #options: CardLinesOptions;
  readonly #page: Page;
  /** By line of the spec. */
  #data = $state.raw<readonly (CardData | undefined)[]>([]);
  #groupData = $state.raw<readonly (LineData<GroupSeries> | undefined)[]>([]);
  #bounds = $state.raw<BoundLines | null>(null);
  #last: SeriesByKey | null = null;

  readonly #count = $derived.by(() => this.#options.spec().lines.length);
  readonly #hasBounds = $derived.by(() => this.#options.spec().lines.some(({ bounds }) => bounds));
  readonly isGrouped = $derived.by(() => this.#page.view.grouping !== null);
  readonly xKey = $derived.by(() => xKeyOf(this.x));
  readonly drawn = $derived.by(() => this.#makeSeries());

  constructor(options: CardLinesOptions) {
    this.#options = options;
    this.#page = options.page;
  }

  /** What all lines are drawn over. */
  get x(): LineX {
    return lineX(this.#options.spec().x, this.#page.view);
  }

  get baseline(): Baseline | null {
    return this.#options.spec().baseline ?? this.#page.view.baseline;
  }

  /** Series of single runs, as they came. */
  get wireSeries(): readonly DecodedSeries[] {
    return this.#data.slice(0, this.#count).flatMap((data) => data?.series ?? []);
  }

  /** Some lines are drawn between two others. */
  get hasBounds(): boolean {
    return this.#bounds?.areDrawn ?? false;
  }

  get isStale(): boolean {
    return this.#all.some((data) => data.isStale);
  }

  get error(): string | null {
    return this.#all.find((data) => data.error !== null)?.error ?? null;
  }

  /** Something that may bring lines is still on its way. */
  get isLoading(): boolean {
    const { runs } = this.#page;
    const isWaiting = (data: LineData<unknown> | undefined) =>
      data === undefined ||
      ((data.isFirstLoad || data.isPartial) && data.error === null) ||
      (data.isStale && !this.#isDrawable(data));
    const indices = [...Array(this.#count).keys()];
    if (this.#options.spec().isPending) return true;
    if (indices.some((i) => isWaiting(this.#data[i]))) return true;
    if (!this.isGrouped || runs.groupingError !== null || runs.visibleIds.length === 0) return false;
    // Who belongs where is not known yet.
    if (runs.visibleGroups.length === 0) return runs.ungroupedVisibleIds.length === 0;
    return indices.some((i) => isWaiting(this.#groupData[i]));
  }

  /** What the server says, for people. */
  get notes(): CardNote[] {
    const { runs, tags } = this.#page;
    // Members are asked for twice: what holds for their group is said once.
    const isOfGroups = this.isGrouped && runs.visibleGroups.length > 0;
    const data = (isOfGroups ? this.#groupData : this.#data).slice(0, this.#count);
    const notes = data.flatMap((one) => one?.notes ?? []);
    const compared = this.baseline;
    const lost: string[] = [];
    if (compared !== null && runs.idOf(compared.run) === undefined) {
      lost.push(`The baseline “${compared.run}” is not in this log`);
    }
    // Of a tag that is not there the server is never asked.
    const spec = this.#options.spec();
    for (const { tag, formula } of spec.lines) {
      const isMissing = formula === '' && tags.isLoaded && tags.find('scalar', tag) === undefined;
      if (isMissing) lost.push(`There is no tag “${tag}” in this log`);
    }
    const errors = lost.map((text) => ({ run: null, is_error: true, text }));
    return [...(spec.notes ?? []), ...foldedNotes([...errors, ...notes]), ...(this.#bounds?.notes ?? [])];
  }

  /** That not all members are drawn. */
  get membersNote(): string | null {
    if (!this.#page.view.grouping?.areMembersShown) return null;
    const drawn = this.drawn.all.filter(({ chart, isSuperseded }) => chart.isBackground && !isSuperseded);
    const all = this.#groupData
      .flatMap((data) => data?.series ?? [])
      .reduce((sum, { runs }) => sum + runs, 0);
    return membersNote(drawn.length, all);
  }

  retry(): void {
    for (const data of this.#all) if (data.error !== null) data.retry();
  }

  /** Call inside an effect. */
  subscribe(): void {
    const { page, spec, request } = this.#options;
    const requestOf = (index: number) => {
      const { lines } = spec();
      return index < lines.length ? request(sourceOf(spec(), lines[index]!)) : null;
    };
    /** Again when there are more lines or fewer; what is done inside is no dependency. */
    const subscribeAll = (subscribe: (index: number) => () => void) => {
      const count = this.#count;
      const stops = untrack(() => Array.from({ length: count }, (_, index) => subscribe(index)));
      return () => stops.forEach((stop) => stop());
    };
    $effect(() =>
      subscribeAll((index) =>
        page.lines.subscribe(
          () => requestOf(index),
          (data) => this.#receive(() => (this.#data = replaced(this.#data, index, data))),
        ),
      ),
    );
    $effect(() => {
      if (!this.#hasBounds) return undefined;
      return useLate(
        () => import('./bounds.svelte'),
        ({ BoundLines }) => {
          const receive = (take: () => void) => this.#receive(take);
          const bounds = (this.#bounds = new BoundLines({ page, spec, request, receive, lines: this }));
          return () => {
            this.#bounds = null;
            bounds.destroy();
          };
        },
      );
    });
    $effect(() => {
      if (!this.isGrouped || groupCode !== null) return undefined;
      return useLate(
        () => import('./group-series'),
        (code) => {
          groupCode = code;
          return () => undefined;
        },
      );
    });
    $effect(() => {
      const code = groupCode;
      if (!this.isGrouped || code === null) return undefined;
      const groupRequest = (index: number) => {
        const wanted = requestOf(index);
        const { grouping } = page.view;
        return wanted && grouping && { ...wanted, groups: this.#groupsOf(wanted.source), grouping };
      };
      return subscribeAll((index) =>
        code.subscribeToGroups(
          page,
          () => groupRequest(index),
          (data) => this.#receive(() => (this.#groupData = replaced(this.#groupData, index, data))),
        ),
      );
    });
  }

  /** Members of the groups that may have the line; of a formula only the server knows. */
  #groupsOf({ tag, formula }: LineSource): (readonly number[])[] {
    const groups = this.#page.runs.visibleGroups.map(({ runs }) => runs);
    if (formula !== '') return groups;
    const known = this.#page.tags.find('scalar', tag);
    return known ? groups.filter((runs) => runs.some((run) => known.hasRun(run))) : [];
  }

  /** Of the lines that there are now; what is left of others is not looked at. */
  get #all(): readonly LineData<unknown>[] {
    const ofRuns = this.#data.slice(0, this.#count);
    const all = this.isGrouped ? [...ofRuns, ...this.#groupData.slice(0, this.#count)] : ofRuns;
    return [...all.filter((data) => data !== undefined), ...(this.#bounds?.data ?? [])];
  }

  #receive(take: () => void): void {
    const before = new Set(this.drawn.all.map(({ key }) => key));
    take();
    this.#options.onData(before);
  }

  /** Steps and times are known of every point; anything else only if it was asked for. */
  #isDrawable({ xKey }: LineData<unknown>): boolean {
    const isPlain = (key: string) => key === 'step' || key === 'relative' || key === 'wall';
    return xKey === this.xKey || (isPlain(xKey) && isPlain(this.xKey));
  }

  /** The run table changes whenever any run grows; lines that came out the same are not drawn again. */
  #makeSeries(): SeriesByKey {
    const { runs, view } = this.#page;
    const { lines } = this.#options.spec();
    const members: CardSeries[] = [];
    const groups: CardSeries[] = [];
    const own: CardSeries[] = [];
    lines.forEach((line, index) => {
      const look = lookMaker(line, index, lines.length > 1);
      const data = this.#data[index];
      if (data && this.#isDrawable(data)) {
        const made = cardSeriesFrom(data.series, this.x.axis, {
          line: index,
          showSuperseded: view.showSuperseded,
          lookOf: (run) => {
            if (!runs.has(run)) return null;
            const base = look(runs.shortName(run), runs.color(run), runs.dash(run));
            return this.isGrouped && runs.groupOf(run) !== undefined ? { ...base, isBackground: true } : base;
          },
        });
        for (const one of made) (one.chart.isBackground ? members : own).push(one);
      }
      const groupData = this.isGrouped ? this.#groupData[index] : undefined;
      // The places of a grid mean nothing on another axis.
      if (groupCode === null || view.grouping === null || groupData?.xKey !== this.xKey) return;
      const drawn = runs.visibleGroups.map(({ group, runs: visible }) => ({
        key: group.key,
        runs: visible,
        look: { widthPx: GROUP_WIDTH_PX, ...look(group.label, runs.groupColor(group.key), null) },
      }));
      groups.push(
        ...groupCode.groupSeriesFrom(groupData.series, drawn, {
          band: view.grouping.band,
          line: index,
          // A member more or less is another group for the server; until its line is there, the old one stays.
          before: groupData.isPartial ? this.#last : null,
        }),
      );
    });
    const bounded = this.#bounds?.around(own, lines, this.x.axis) ?? own;
    const all = [...members, ...groups, ...bounded];
    if (this.#last === null || !areSameLines(all, this.#last.all)) this.#last = new SeriesByKey(all);
    return this.#last;
  }
}

function lookMaker(line: LineSpec, index: number, isOneOfSeveral: boolean) {
  return (name: string, color: string, dash: readonly number[] | null): LineLook => {
    const byLine = isOneOfSeveral && index > 0 ? LINE_DASHES[(index - 1) % LINE_DASHES.length]! : dash;
    return {
      label: isOneOfSeveral ? `${name} · ${lineName(line)}` : name,
      color: line.color || color,
      dash: line.dash === 'auto' ? byLine : DASHES[line.dash],
      ...(line.axis === 'right' && { axis: line.axis }),
      ...(line.widthPx > 1 && { widthPx: line.widthPx }),
    };
  };
}

function replaced<T>(list: readonly T[], index: number, item: T): T[] {
  const copy = list.slice();
  copy[index] = item;
  return copy;
}
