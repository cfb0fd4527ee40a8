// What one line of a card wants, has and still needs. No timers, no requests: line-feed.svelte.ts decides when to ask.
//
// A line is asked for in units: single runs, or groups of them. Data has a shape (axis, range, columns, smoothing). While
// the shape stays, answers about single units are merged: a run that grew is asked for alone. When the shape changes,
// everything is asked for anew, and what is there stays on screen as stale until the answer comes.
import type { QueryNote } from '../../wire/client';
import type { QueryShape } from './line-query';
import type { LineSource } from '../types';

/** Which numbers, whatever they are drawn over. */
export type Subject = Pick<LineSource, 'tag' | 'formula'>;

/** Runs of each group, by its number; null: every unit is a run. */
export type Members = ReadonlyMap<number, readonly number[]> | null;

export interface Wish {
  readonly subject: Subject;
  /** In the order in which lines are listed. */
  readonly units: readonly number[];
  readonly members: Members;
  readonly shape: QueryShape;
}

/** A wish, or the part of it that is needed now. */
export type Question = Wish;

/** What there is of one unit; nothing at all: the server has none. */
export interface Entry<Series> {
  readonly series: readonly Series[];
  readonly notes: readonly QueryNote[];
}

/** `askedCount`: how many units were asked for together with it. */
type Known<Series> = Entry<Series> & { readonly askedCount: number };

/** Groups that nobody wants now and that are kept: a run that is switched off and on again is drawn at once. */
const MOST_SPARE_GROUPS = 32;

/** What was fetched, apart from any card: kept when a card scrolls away, handed on when another shows the same. */
export interface Stock<Series> {
  readonly subject: Subject;
  readonly shape: QueryShape | null;
  /** JSON of the shape. */
  readonly shapeKey: string;
  readonly entries: ReadonlyMap<number, Known<Series>>;
  /** Runs of every group among the entries. */
  readonly members: Members;
  /** Units whose data is older than the server's. */
  readonly outdated: ReadonlySet<number>;
}

function nothing<Series>(): Stock<Series> {
  return {
    subject: { tag: '', formula: '' },
    shape: null,
    shapeKey: '',
    entries: new Map(),
    members: null,
    outdated: new Set(),
  };
}

export function subjectKey({ tag, formula }: Subject): string {
  return `${tag}\n${formula}`;
}

export class WantedLine<Series extends object> {
  #wish: Wish | null = null;
  #shapeKey = '';
  #stock: Stock<Series>;
  /** What the running request asks for, and which of it grew since. */
  #asked: {
    readonly shapeKey: string;
    readonly units: ReadonlySet<number>;
    readonly members: Members;
    readonly outdated: Set<number>;
  } | null = null;
  error: string | null = null;

  constructor(stock: Stock<Series> | undefined) {
    this.#stock = stock ?? nothing();
  }

  get wish(): Wish | null {
    return this.#wish;
  }

  get stock(): Stock<Series> {
    return this.#stock;
  }

  get hasData(): boolean {
    return this.#stock.shapeKey !== '';
  }

  /** Returns whether anything is different. */
  want(wish: Wish | null): boolean {
    const shapeKey = wish ? JSON.stringify(wish.shape) : '';
    const before = this.#wish;
    const isSameSubject =
      before?.subject.tag === wish?.subject.tag && before?.subject.formula === wish?.subject.formula;
    const isSame =
      shapeKey === this.#shapeKey &&
      isSameSubject &&
      before?.units.length === wish?.units.length &&
      (wish?.units.every((unit, i) => unit === before?.units[i]) ?? true);
    if (isSame) return false;
    if (before && wish && !isSameSubject) {
      this.#stock = nothing();
      this.#asked = null;
    }
    this.#wish = wish;
    this.#shapeKey = shapeKey;
    this.error = null;
    if (this.#asked !== null && this.#asked.shapeKey !== shapeKey) this.#giveBack();
    return true;
  }

  /** Units to ask for now. */
  get needed(): readonly number[] {
    const isReshaped = this.#stock.shapeKey !== this.#shapeKey;
    const isNeeded = (unit: number): boolean =>
      isReshaped || this.#stock.outdated.has(unit) || !this.#stock.entries.has(unit);
    return this.#wish?.units.filter(isNeeded) ?? [];
  }

  /** The question that is under way and of use; another object for each. */
  get asked(): object | null {
    return this.#asked;
  }

  get isStale(): boolean {
    return (
      this.#wish !== null &&
      this.#wish.units.length > 0 &&
      this.hasData &&
      this.#stock.shapeKey !== this.#shapeKey
    );
  }

  /** Some units are on their way for the first time. */
  get isPartial(): boolean {
    return this.#wish?.units.some((unit) => !this.#stock.entries.has(unit)) ?? false;
  }

  /** In the order of the wish. */
  get series(): Series[] {
    return this.#wish?.units.flatMap((unit) => this.#stock.entries.get(unit)?.series ?? []) ?? [];
  }

  /**
   * About the wish, each of them once: what holds for a whole question is noted with every unit of it. The server counts
   * within a question ("3 of 10 runs"): where single units were asked for again, what was said of the most of them is shown,
   * and not the same in other numbers beside it.
   */
  get notes(): QueryNote[] {
    const entries = this.#wish?.units.flatMap((unit) => this.#stock.entries.get(unit) ?? []) ?? [];
    const noted = entries.filter(({ notes }) => notes.length > 0);
    const most = noted.reduce((count, { askedCount }) => Math.max(count, askedCount), 0);
    const notes = noted.flatMap((entry) => (entry.askedCount === most ? entry.notes : []));
    const byText = new Map(notes.map((note) => [`${note.run} ${note.text}`, note]));
    return [...byText.values()];
  }

  /** Takes what is needed as asked for, and gives the question. */
  ask(): Question {
    const units = this.needed;
    const wish = this.#wish!;
    this.#asked = {
      shapeKey: this.#shapeKey,
      units: new Set(units),
      members: wish.members,
      outdated: new Set(),
    };
    // From here on, news about these units come after the question. What is there in another shape stays as old as it is.
    if (this.#stock.shapeKey === this.#shapeKey) {
      this.#stock = { ...this.#stock, outdated: without(this.#stock.outdated, units) };
    }
    return { ...wish, units };
  }

  /** The answer to what was asked last. */
  receive(answer: ReadonlyMap<number, Entry<Series>>): void {
    const asked = this.#asked;
    if (asked === null || this.#wish === null) return;
    this.#asked = null;
    const { subject, shape } = this.#wish;
    const isMerge = this.#stock.shapeKey === asked.shapeKey;
    const entries = new Map(isMerge ? this.#stock.entries : []);
    const askedCount = asked.units.size;
    for (const unit of asked.units) {
      const { series = [], notes = [] } = answer.get(unit) ?? {};
      entries.set(unit, { series, notes, askedCount });
    }
    const outdatedUnits = isMerge ? this.#stock.outdated : asked.outdated;
    const members = asked.members && new Map([...((isMerge && this.#stock.members) || []), ...asked.members]);
    if (members) dropSpare(entries, members, this.#wish.units);
    this.#stock = { subject, shape, shapeKey: asked.shapeKey, entries, members, outdated: outdatedUnits };
    this.error = null;
  }

  /** The request came to nothing. `message` null: it will be asked again without a word. */
  fail(message: string | null): void {
    this.#giveBack();
    if (message !== null) this.error = message;
  }

  outdate(runs: readonly number[]): void {
    const asked = this.#asked;
    // Those that were never asked for are needed anyway.
    this.#stock = outdatedBy(this.#stock, runs);
    if (asked) {
      const isAbout = everyUnit(this.#wish?.shape, runs) ? () => true : aboutRuns(asked.members, runs);
      const late = [...asked.units].filter(isAbout);
      for (const unit of late) asked.outdated.add(unit);
      if (late.length > 0 && asked.shapeKey === this.#stock.shapeKey)
        this.#stock = outdated(this.#stock, late);
    }
  }

  renumber(renumbered: ReadonlyMap<number, number>): void {
    this.#asked = null;
    if (this.#wish) {
      const { members } = this.#wish;
      const now = this.#wish.units.map((unit) => renumberedUnit(unit, members, renumbered));
      const known = now.filter((unit) => unit !== null);
      this.#wish = {
        ...this.#wish,
        units: known.map(({ unit }) => unit),
        members: members && new Map(known.map(({ unit, runs }) => [unit, runs])),
      };
    }
    this.#stock = renumberedStock(this.#stock, renumbered);
    this.error = null;
  }

  /** The running question brings nothing: what it asked for is as old as before. */
  #giveBack(): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked?.shapeKey === this.#stock.shapeKey) this.#stock = outdated(this.#stock, asked.units);
  }
}

/** Whether news about these tags concern the data. Tags of a formula: whatever occurs in it; too many is harmless. */
export function isAbout(
  { subject, shape }: { readonly subject: Subject; readonly shape: QueryShape | null },
  tags: ReadonlySet<string> | null,
): boolean {
  if (tags === null || tags.has(subject.tag) || tags.has(shape?.x_tag ?? '')) return true;
  return subject.formula !== '' && [...tags].some((tag) => subject.formula.includes(tag));
}

/** Everything that is there of these runs, or is compared with one of them, is old. */
export function outdatedBy<Series>(stock: Stock<Series>, runs: readonly number[]): Stock<Series> {
  if (everyUnit(stock.shape, runs)) return outdated(stock, stock.entries.keys());
  const known =
    stock.members === null
      ? runs.filter((run) => stock.entries.has(run))
      : [...stock.entries.keys()].filter(aboutRuns(stock.members, runs));
  return known.length > 0 ? outdated(stock, known) : stock;
}

/** After a restart of the server the runs have other numbers; what is on screen stays, under the new ones. */
export function renumberedStock<Series extends object>(
  stock: Stock<Series>,
  renumbered: ReadonlyMap<number, number>,
): Stock<Series> {
  const entries = new Map<number, Known<Series>>();
  const members = new Map<number, readonly number[]>();
  for (const [before, entry] of stock.entries) {
    const now = renumberedUnit(before, stock.members, renumbered);
    if (now === null) continue;
    const name = stock.members === null ? 'run' : 'unit';
    entries.set(now.unit, { ...entry, series: entry.series.map((one) => ({ ...one, [name]: now.unit })) });
    members.set(now.unit, now.runs);
  }
  return { ...stock, entries, members: stock.members && members, outdated: new Set(entries.keys()) };
}

export function stockBytes({ entries }: Stock<object>): number {
  let bytes = 0;
  for (const { series } of entries.values()) {
    for (const one of series) {
      for (const column of Object.values(one)) {
        if (column instanceof Float64Array) bytes += column.byteLength;
      }
    }
  }
  return bytes;
}

/** The number of a group is made from its members: another set of runs is another unit, whatever it is called. */
export function unitOfMembers(runs: readonly number[]): number {
  // Two FNV-1a hashes of 26 bits together: exact in a double, and no accident in a lifetime.
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (const run of runs) {
    low = Math.imul(low ^ run, 0x01000193);
    high = Math.imul(high ^ (run + 0x5bd1e995), 0x01000193);
    low ^= low >>> 15;
    high ^= high >>> 13;
  }
  return (low & 0x3ffffff) * 0x4000000 + (high & 0x3ffffff);
}

/** Every run that is switched makes another group of those it is in: without an end to it, all that ever were would stay. */
function dropSpare(
  entries: Map<number, unknown>,
  members: Map<number, unknown>,
  wanted: readonly number[],
): void {
  const isWanted = new Set(wanted);
  // The oldest first.
  const spare = [...entries.keys()].filter((unit) => !isWanted.has(unit));
  for (const unit of spare.slice(0, Math.max(0, spare.length - MOST_SPARE_GROUPS))) entries.delete(unit);
  for (const unit of members.keys()) if (!entries.has(unit)) members.delete(unit);
}

/** Everybody is compared with the baseline, so everybody changes with it. */
function everyUnit(shape: QueryShape | null | undefined, runs: readonly number[]): boolean {
  const baseline = shape?.baseline?.run;
  return baseline !== undefined && runs.includes(baseline);
}

function aboutRuns(members: Members, runs: readonly number[]): (unit: number) => boolean {
  const changed = new Set(runs);
  if (members === null) return (unit) => changed.has(unit);
  return (unit) => members.get(unit)?.some((run) => changed.has(run)) ?? false;
}

function renumberedUnit(
  unit: number,
  members: Members,
  renumbered: ReadonlyMap<number, number>,
): { unit: number; runs: readonly number[] } | null {
  if (members === null) {
    const now = renumbered.get(unit);
    return now === undefined ? null : { unit: now, runs: [now] };
  }
  const runs = members.get(unit)?.flatMap((run) => renumbered.get(run) ?? []) ?? [];
  return runs.length === 0 ? null : { unit: unitOfMembers(runs), runs };
}

function outdated<Series>(stock: Stock<Series>, units: Iterable<number>): Stock<Series> {
  return { ...stock, outdated: new Set([...stock.outdated, ...units]) };
}

function without(set: ReadonlySet<number>, units: Iterable<number>): Set<number> {
  const left = new Set(set);
  for (const unit of units) left.delete(unit);
  return left;
}
