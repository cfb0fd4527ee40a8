// What a filter expression means for a run. First every name in it is looked up, once, and unknown ones are
// told. Then it becomes a function of a run. Regular expressions are not run here: the caller lets the
// worker find, of the texts that occur, those that match (see `patterns`).
//
// A run that lacks what is asked for fits no comparison; `!=`, `!~` and `not` are exact opposites, so it fits those.
import { compareNatural } from '../base/natural-order';
import { compileRegex } from '../base/regex';
import { factNamed, factOf, type FactValue, type RunAccess, type RunFact } from './run-facts';
import { problem, subjectsOf, type Comparison, type QueryNode, type Subject, type Value } from './run-query';
import type { RunPlace } from './types';

/** What names there are. */
export interface QueryNames {
  readonly fields: readonly string[];
  readonly tags: readonly string[];
}

/** A regular expression in a query, and the texts it is asked about. */
export interface QueryPattern {
  readonly source: string;
  textsOf(run: RunPlace, access: RunAccess): readonly string[];
}

export interface BoundQuery {
  /** Metrics whose last values are compared. */
  readonly lastTags: readonly string[];
  readonly patterns: readonly QueryPattern[];
  /** `hits`: by source, which texts match. */
  matcher(access: RunAccess, hits: (source: string) => ReadonlySet<string>): (run: RunPlace) => boolean;
}

/** Whether hyper-parameters have to be known before it can be bound. */
export function needsFields(node: QueryNode): boolean {
  return subjectsOf(node).some(({ kind, name }) => kind === 'field' || (kind === 'name' && !factNamed(name)));
}

export function tagsOf(node: QueryNode): string[] {
  return [
    ...new Set(
      subjectsOf(node)
        .filter(({ kind }) => kind === 'last')
        .map(({ name }) => name),
    ),
  ];
}

/** Throws a QueryError: a name that nothing has, a date that is none, a regular expression that cannot be read. */
export function bindQuery(node: QueryNode, names: QueryNames): BoundQuery {
  const patterns: QueryPattern[] = [];
  const bind = (part: QueryNode): Test => {
    switch (part.kind) {
      case 'and':
      case 'or': {
        const tests = part.parts.map(bind);
        return part.kind === 'and'
          ? (asked) => tests.every((test) => test(asked))
          : (asked) => tests.some((test) => test(asked));
      }
      case 'not': {
        const test = bind(part.part);
        return (asked) => !test(asked);
      }
      case 'has': {
        const reader = readerOf(part.subject, names);
        return ({ run, access }) => isThere(reader.of(run, access));
      }
      case 'in': {
        const reader = readerOf(part.subject, names);
        const tests = part.values.map((value) => comparer(reader, '=', value));
        return ({ run, access }) => {
          const found = reader.of(run, access);
          return tests.some((test) => test(found));
        };
      }
      case 'compare':
        return bindComparison(part, names, patterns);
    }
  };
  const test = bind(node);
  return {
    lastTags: tagsOf(node),
    patterns,
    matcher: (access, hits) => (run) => test({ run, access, hits }),
  };
}

interface Asked {
  readonly run: RunPlace;
  readonly access: RunAccess;
  readonly hits: (source: string) => ReadonlySet<string>;
}
type Test = (asked: Asked) => boolean;

function bindComparison(
  { subject, comparison, value }: QueryNode & { readonly kind: 'compare' },
  names: QueryNames,
  patterns: QueryPattern[],
): Test {
  const reader = readerOf(subject, names);
  if (comparison === '~' || comparison === '!~') {
    const { regex, error } = compileRegex(value.text);
    if (regex === null) throw problem(error, value);
    const textsOf = (run: RunPlace, access: RunAccess): readonly string[] => texts(reader.of(run, access));
    patterns.push({ source: value.text, textsOf });
    const isWanted = comparison === '~';
    return ({ run, access, hits }) => {
      const matching = hits(value.text);
      return textsOf(run, access).some((text) => matching.has(text)) === isWanted;
    };
  }
  const isOpposite = comparison === '!=';
  const test = comparer(reader, isOpposite ? '=' : comparison, value);
  return ({ run, access }) => test(reader.of(run, access)) !== isOpposite;
}

interface Reader {
  readonly kind: RunFact['kind'] | 'any';
  of(run: RunPlace, access: RunAccess): FactValue;
}

function readerOf(subject: Subject, names: QueryNames): Reader {
  const { name, kind } = subject;
  if (kind === 'last') {
    // Before the first tags are known everything is unknown.
    if (names.tags.length > 0 && !names.tags.includes(name)) {
      throw problem(`No run has a metric “${name}”`, subject);
    }
    return { kind: 'number', of: ({ id }, access) => access.last(name, id) };
  }
  const fact = kind === 'name' ? factNamed(name) : undefined;
  if (fact) return { kind: fact.kind, of: (run, access) => factOf(fact, run, access) };
  const known = names.fields.includes(name)
    ? name
    : names.fields.find((field) => field.toLowerCase() === name.toLowerCase());
  if (known === undefined) {
    if (names.tags.includes(name)) throw problem(`“${name}” is a metric: write last(${name})`, subject);
    throw problem(`No run has “${name}”`, subject);
  }
  return { kind: 'any', of: ({ id }, access) => access.field(known, id) };
}

function isThere(found: FactValue): boolean {
  if (found === undefined || found === null || found === false || found === '') return false;
  return typeof found === 'object' ? found.length > 0 : true;
}

function texts(found: FactValue): readonly string[] {
  if (found === undefined || found === null) return [];
  return typeof found === 'object' ? found : [String(found)];
}

/** Throws a QueryError when the value makes no sense here. */
function comparer(
  reader: Reader,
  comparison: Exclude<Comparison, '~' | '!~' | '!='>,
  value: Value,
): (found: FactValue) => boolean {
  if (reader.kind === 'time') {
    const span = timeSpan(value);
    return (found) => typeof found === 'number' && compareSpan(found, comparison, span);
  }
  const number = value.number ?? numberInQuotes(value);
  if (reader.kind === 'number' && number === null) {
    throw problem(`“${value.text}” is no number`, value);
  }
  const truth = truthOf(value.text);
  if (reader.kind === 'boolean' && (truth === null || comparison !== '=')) {
    throw problem('This is either true or false', value);
  }
  const lower = value.text.toLowerCase();
  return (found) => {
    if (found === undefined || found === null) return false;
    if (typeof found === 'boolean') return comparison === '=' && truth === found;
    if (typeof found === 'number') return number !== null && compareNumbers(found, comparison, number);
    if (typeof found === 'string') return compareTexts(found, comparison, lower, number);
    return found.some((text) => compareTexts(text, comparison, lower, number));
  };
}

function numberInQuotes({ text }: Value): number | null {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null;
}

function truthOf(text: string): boolean | null {
  const lower = text.toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(lower)) return true;
  return ['false', 'no', 'off', '0'].includes(lower) ? false : null;
}

function compareNumbers(a: number, comparison: '<' | '<=' | '>' | '>=' | '=', b: number): boolean {
  switch (comparison) {
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b || isSameNumber(a, b);
    case '>=':
      return a >= b || isSameNumber(a, b);
    case '=':
      return isSameNumber(a, b);
  }
}

/** Metrics are kept as 32-bit floats: 0.1 there is 0.10000000149. Whole numbers are compared as they are. */
function isSameNumber(a: number, b: number): boolean {
  return (
    a === b ||
    Object.is(a, b) ||
    (!(Number.isInteger(a) && Number.isInteger(b)) && Math.fround(a) === Math.fround(b))
  );
}

/** Numbers among texts ("12", or a column where runs disagree) are compared as numbers. */
function compareTexts(
  text: string,
  comparison: '<' | '<=' | '>' | '>=' | '=',
  lower: string,
  number: number | null,
): boolean {
  if (number !== null && text.trim() !== '' && Number.isFinite(Number(text))) {
    return compareNumbers(Number(text), comparison, number);
  }
  const own = text.toLowerCase();
  if (comparison === '=') return own === lower;
  return compareNumbers(compareNatural(own, lower), comparison, 0);
}

interface TimeSpan {
  readonly fromS: number;
  /** The first second after it. */
  readonly toS: number;
}

const DATE = /^(\d{4})-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?)?$/;

/** A day, or as much of it as was said, in the time zone of who looks. */
function timeSpan(value: Value): TimeSpan {
  const match = DATE.exec(value.text.trim());
  if (!match) throw problem(`“${value.text}” is no date: write 2026-01-31 or "2026-01-31 14:00"`, value);
  const [year, month, day, hour, minute, second] = match
    .slice(1)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  const at = (m: number, d: number, h = 0, min = 0, s = 0): number =>
    new Date(year!, m, d, h, min, s).getTime() / 1000;
  const m = month! - 1;
  if (day === undefined) return { fromS: at(m, 1), toS: at(m + 1, 1) };
  if (hour === undefined) return { fromS: at(m, day), toS: at(m, day + 1) };
  const fromS = at(m, day, hour, minute, second);
  return { fromS, toS: fromS + (second === undefined ? 60 : 1) };
}

function compareSpan(
  timeS: number,
  comparison: '<' | '<=' | '>' | '>=' | '=',
  { fromS, toS }: TimeSpan,
): boolean {
  switch (comparison) {
    case '<':
      return timeS < fromS;
    case '<=':
      return timeS < toS;
    case '>':
      return timeS >= toS;
    case '>=':
      return timeS >= fromS;
    case '=':
      return timeS >= fromS && timeS < toS;
  }
}
