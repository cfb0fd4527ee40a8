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

interface Known<Series> extends Entry<Series> {
  /** How many units were asked for together with it. */
  readonly askedCount: number;
  /** As `Stock.grownAt`; -1: of a server that is gone. */
  readonly askedAt: number;
}

/** Counts questions and growth, to know what came after what. */
let moment = 0;

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
  /** When runs grew: what was asked for before is old. */
  readonly grownAt: Map<number, number>;
}

function nothing<Series>(): Stock<Series> {
  return {
    subject: { tag: '', formula: '' },
    shape: null,
    shapeKey: '',
    entries: new Map(),
    members: null,
    grownAt: new Map(),
  };
}

export function subjectKey({ tag, formula }: Subject): string {
  return `${tag}\n${formula}`;
}

export class WantedLine<Series extends object> {
  #wish: Wish | null = null;
  #shapeKey = '';
  #stock: Stock<Series>;
  /** What the running request asks for. */
  #asked: (Question & { readonly shapeKey: string; readonly askedAt: number }) | null = null;
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
    if (this.#asked?.shapeKey !== shapeKey) this.#asked = null;
    return true;
  }

  /** Units to ask for now. */
  get needed(): readonly number[] {
    const isReshaped = this.#stock.shapeKey !== this.#shapeKey;
    return this.#wish?.units.filter((unit) => isReshaped || isOld(this.#stock, unit)) ?? [];
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
    const question = { ...this.#wish!, units: this.needed };
    this.#asked = { ...question, shapeKey: this.#shapeKey, askedAt: ++moment };
    return question;
  }

  /** The answer to what was asked last. */
  receive(answer: ReadonlyMap<number, Entry<Series>>): void {
    const asked = this.#asked;
    if (asked === null || this.#wish === null) return;
    this.#asked = null;
    const { subject, shape, shapeKey, units, askedAt } = asked;
    const { grownAt, ...before } =
      this.#stock.shapeKey === shapeKey
        ? this.#stock
        : { ...nothing<Series>(), grownAt: this.#stock.grownAt };
    const entries = new Map(before.entries);
    for (const unit of units) {
      const { series = [], notes = [] } = answer.get(unit) ?? {};
      entries.set(unit, { series, notes, askedCount: units.length, askedAt });
    }
    const members = asked.members && new Map([...(before.members ?? []), ...asked.members]);
    if (members) dropSpare(entries, members, this.#wish.units);
    this.#stock = { subject, shape, shapeKey, entries, members, grownAt };
    this.error = null;
  }

  /** The request came to nothing. `message` null: it will be asked again without a word. */
  fail(message: string | null): void {
    this.#asked = null;
    if (message !== null) this.error = message;
  }

  /** Returns whether that concerns the line. */
  outdate(runs: readonly number[], tags: ReadonlySet<string> | null): boolean {
    return this.#wish !== null && outdate({ ...this.#stock, ...this.#wish }, runs, tags);
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
}

/**
 * Notes that these runs grew, and returns whether that concerns the data. `tags` null: any. Tags of a formula: whatever occurs in
 * it; too many is harmless.
 */
export function outdate(
  { subject, shape, grownAt }: Pick<Stock<unknown>, 'subject' | 'shape' | 'grownAt'>,
  runs: readonly number[],
  tags: ReadonlySet<string> | null,
): boolean {
  const isAbout =
    tags === null ||
    tags.has(subject.tag) ||
    tags.has(shape?.x_tag ?? '') ||
    (subject.formula !== '' && [...tags].some((tag) => subject.formula.includes(tag)));
  if (isAbout) for (const run of runs) grownAt.set(run, ++moment);
  return isAbout;
}

/** Not there, or one of its runs grew since it was asked for, or the baseline, which everybody is compared with. */
function isOld({ entries, members, shape, grownAt }: Stock<unknown>, unit: number): boolean {
  const askedAt = entries.get(unit)?.askedAt ?? -1;
  const hasGrown = (run: number): boolean => (grownAt.get(run) ?? 0) > askedAt;
  const baseline = shape?.baseline?.run;
  if (baseline !== undefined && hasGrown(baseline)) return true;
  return askedAt < 0 || (members === null ? hasGrown(unit) : (members.get(unit) ?? []).some(hasGrown));
}

/** After a restart of the server the runs have other numbers; what is on screen stays, under the new ones. */
function renumberedStock<Series extends object>(
  stock: Stock<Series>,
  renumbered: ReadonlyMap<number, number>,
): Stock<Series> {
  const entries = new Map<number, Known<Series>>();
  const members = new Map<number, readonly number[]>();
  for (const [before, entry] of stock.entries) {
    const now = renumberedUnit(before, stock.members, renumbered);
    if (now === null) continue;
    const name = stock.members === null ? 'run' : 'unit';
    const series = entry.series.map((one) => ({ ...one, [name]: now.unit }));
    entries.set(now.unit, { ...entry, series, askedAt: -1 });
    members.set(now.unit, now.runs);
  }
  return { ...stock, entries, members: stock.members && members, grownAt: new Map() };
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
