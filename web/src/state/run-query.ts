// The language of run filters: `lr < 0.01 and last(val/acc) > 0.9 and name ~ "resnet"`. Here is its grammar: text to tokens
// to a tree, with every mistake told by a sentence and its place. What the tree means for a run is run-query-match.ts; for
// people it is told in docs/run-queries.md.
//
//   either      = both { "or" both }
//   both        = single { "and" single }
//   single      = "not" single | "(" either ")" | subject [ comparison ]
//   subject     = name | "`" any name "`" | "last(" tag ")"
//   comparison  = ( "<" | "<=" | ">" | ">=" | "=" | "!=" | "~" | "!~" ) value | [ "not" ] "in" "(" value { "," value } ")"
//   value       = number [ unit ] | date | word | "text" | 'text'
//
// Nothing is ever evaluated as code, and nesting and length are bounded: expressions come from links.

export const LONGEST_QUERY = 5000;
const DEEPEST = 50;
const MOST_VALUES = 500;

/** A mistake, and where it is. */
export class QueryError extends Error {
  constructor(
    message: string,
    readonly from: number,
    readonly to: number,
  ) {
    super(message);
    this.name = 'QueryError';
  }
}

export type Comparison = '<' | '<=' | '>' | '>=' | '=' | '!=' | '~' | '!~';

/** A place in the text, for messages. */
interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Subject extends Place {
  /** name: one of ours, or a hyper-parameter. field: surely a hyper-parameter, as it stands in backquotes. */
  readonly kind: 'name' | 'field' | 'last';
  readonly name: string;
}

export interface Value extends Place {
  /** As it was written, without quotes. */
  readonly text: string;
  /** null: it is no number. Durations are in seconds. */
  readonly number: number | null;
  readonly isQuoted: boolean;
}

export type QueryNode =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly part: QueryNode }
  /** Alone: true, or there at all. */
  | { readonly kind: 'has'; readonly subject: Subject }
  | {
      readonly kind: 'compare';
      readonly subject: Subject;
      readonly comparison: Comparison;
      readonly value: Value;
    }
  | { readonly kind: 'in'; readonly subject: Subject; readonly values: readonly Value[] };

export type Token = Place &
  (
    | { readonly kind: 'word'; readonly text: string }
    /** Of a word in quotes. isOpen: the end is missing. */
    | { readonly kind: 'text' | 'field'; readonly text: string; readonly isOpen: boolean }
    | { readonly kind: 'last'; readonly text: string; readonly isOpen: boolean; readonly textFrom: number }
    | { readonly kind: 'comparison'; readonly text: Comparison }
    | { readonly kind: 'keyword'; readonly text: 'and' | 'or' | 'not' | 'in' }
    | { readonly kind: 'mark'; readonly text: '(' | ')' | ',' }
    | { readonly kind: 'unknown'; readonly text: string }
    | { readonly kind: 'end'; readonly text: '' }
  );

const SPACE = /\s+/y;
const COMPARISON = /<=|>=|!=|==|!~|=~|=|<|>|~|≤|≥|≠/y;
const WORD = /[-+]?[\p{L}\p{N}_.$@#][\p{L}\p{N}_.$@#%/:[\]*+-]*/uy;
const LAST = /last\s*\(\s*/iy;

const SAME_COMPARISON = new Map<string, Comparison>([
  ['==', '='],
  ['=~', '~'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
]);
const KEYWORDS = new Map<string, 'and' | 'or' | 'not' | 'in'>([
  ['and', 'and'],
  ['or', 'or'],
  ['not', 'not'],
  ['in', 'in'],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
]);

/** Never fails: what is not understood is a token too. The last one is `end`. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  while (at < text.length) {
    at += read(SPACE)?.length ?? 0;
    if (at >= text.length) break;
    const token = nextToken(text, at, read);
    found.push(token);
    at = token.to;
  }
  found.push({ kind: 'end', text: '', from: text.length, to: text.length });
  return found;
}

function nextToken(text: string, from: number, read: (pattern: RegExp) => string | null): Token {
  const first = text[from]!;
  if (first === '"' || first === "'" || first === '`') {
    const { text: inner, to, isOpen } = quoted(text, from);
    return { kind: first === '`' ? 'field' : 'text', text: inner, isOpen, from, to };
  }
  if (first === '(' || first === ')' || first === ',')
    return { kind: 'mark', text: first, from, to: from + 1 };
  const comparison = read(COMPARISON);
  if (comparison !== null) {
    const same = SAME_COMPARISON.get(comparison) ?? (comparison as Comparison);
    return { kind: 'comparison', text: same, from, to: from + comparison.length };
  }
  const last = read(LAST);
  if (last !== null) return lastToken(text, from, from + last.length);
  const sign = text.startsWith('&&', from)
    ? '&&'
    : text.startsWith('||', from)
      ? '||'
      : first === '!'
        ? '!'
        : null;
  const word = sign ?? read(WORD);
  if (word === null) return { kind: 'unknown', text: first, from, to: from + 1 };
  const keyword = KEYWORDS.get(word.toLowerCase());
  const to = from + word.length;
  return keyword ? { kind: 'keyword', text: keyword, from, to } : { kind: 'word', text: word, from, to };
}

/** A backslash takes the next quote or backslash as it is; before anything else it is itself, as regexes want it. */
function quoted(text: string, from: number): { text: string; to: number; isOpen: boolean } {
  const quote = text[from]!;
  let inner = '';
  for (let at = from + 1; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === quote) return { text: inner, to: at + 1, isOpen: false };
    if (letter === '\\' && text[at + 1] === quote) {
      inner += quote;
      at++;
    } else {
      inner += letter;
    }
  }
  return { text: inner, to: text.length, isOpen: true };
}

/** `last(` has been read. A tag without quotes ends at the bracket that closes the first one. */
function lastToken(text: string, from: number, textFrom: number): Token {
  const first = text[textFrom];
  if (first === '"' || first === "'" || first === '`') {
    const { text: tag, to, isOpen } = quoted(text, textFrom);
    const close = /\s*\)/y;
    close.lastIndex = to;
    const end = close.exec(text);
    return {
      kind: 'last',
      text: tag,
      from,
      to: end ? close.lastIndex : to,
      isOpen: isOpen || !end,
      textFrom,
    };
  }
  let depth = 1;
  for (let at = textFrom; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) {
      const tag = text.slice(textFrom, at).trim();
      return { kind: 'last', text: tag, from, to: at + 1, isOpen: false, textFrom };
    }
  }
  return { kind: 'last', text: text.slice(textFrom).trim(), from, to: text.length, isOpen: true, textFrom };
}

const PLAIN_NUMBER = /^[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
const SCALED = /^([-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+))(k|M|G|T|%)$/;
/** As exponents: 95 × 0.01 would not be 0.95. */
const SCALES: Readonly<Record<string, number>> = { k: 3, M: 6, G: 9, T: 12, '%': -2 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:min|s|m|h|d|w))+$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(min|s|m|h|d|w)/g;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 };

/** null: it is none. */
export function numberOf(text: string): number | null {
  if (PLAIN_NUMBER.test(text)) return Number(text.replaceAll('_', ''));
  const scaled = SCALED.exec(text);
  if (scaled) return Number(`${scaled[1]!.replaceAll('_', '')}e${SCALES[scaled[2]!]!}`);
  if (DURATION.test(text)) {
    let seconds = 0;
    for (const [, amount, unit] of text.matchAll(DURATION_PART)) seconds += Number(amount) * SECONDS[unit!]!;
    return seconds;
  }
  if (/^nan$/i.test(text)) return NaN;
  const infinite = /^([-+]?)inf(?:inity)?$/i.exec(text);
  return infinite ? (infinite[1] === '-' ? -Infinity : Infinity) : null;
}

/** Throws a QueryError. */
export function parseQuery(text: string): QueryNode {
  if (text.length > LONGEST_QUERY) {
    throw new QueryError(
      `An expression may have ${LONGEST_QUERY} characters, not ${text.length}`,
      0,
      text.length,
    );
  }
  return new Parser(tokens(text)).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  parse(): QueryNode {
    const node = this.#either();
    const rest = this.#peek;
    if (rest.kind === 'end') return node;
    if (rest.text === ')') throw problem('There is no "(" for this ")"', rest);
    throw problem(`Write "and" or "or" before ${say(rest)}`, rest);
  }

  get #peek(): Token {
    return this.#tokens[this.#at]!;
  }

  #next(): Token {
    const token = this.#peek;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  #takes(text: Token['text'], kind: Token['kind']): boolean {
    const { text: there, kind: isKind } = this.#peek;
    if (isKind !== kind || there !== text) return false;
    this.#at++;
    return true;
  }

  #either(): QueryNode {
    const parts = [this.#both()];
    while (this.#takes('or', 'keyword')) parts.push(this.#both());
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
  }

  #both(): QueryNode {
    const parts = [this.#single()];
    while (this.#takes('and', 'keyword')) parts.push(this.#single());
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
  }

  #single(): QueryNode {
    const token = this.#peek;
    if (++this.#depth > DEEPEST) throw problem('Too many brackets inside each other', token);
    try {
      if (this.#takes('not', 'keyword')) return { kind: 'not', part: this.#single() };
      if (!this.#takes('(', 'mark')) return this.#condition();
      const inner = this.#either();
      if (!this.#takes(')', 'mark')) throw problem('The ")" for this "(" is missing', token);
      return inner;
    } finally {
      this.#depth--;
    }
  }

  #condition(): QueryNode {
    const subject = this.#subject();
    const token = this.#peek;
    if (token.kind === 'comparison') {
      this.#at++;
      return { kind: 'compare', subject, comparison: token.text, value: this.#value(token) };
    }
    if (this.#takes('in', 'keyword')) return { kind: 'in', subject, values: this.#values(token) };
    const after = this.#tokens[this.#at + 1];
    if (
      token.kind === 'keyword' &&
      token.text === 'not' &&
      after?.kind === 'keyword' &&
      after.text === 'in'
    ) {
      this.#at += 2;
      return { kind: 'not', part: { kind: 'in', subject, values: this.#values(after) } };
    }
    return { kind: 'has', subject };
  }

  #subject(): Subject {
    const token = this.#next();
    const { from, to } = token;
    switch (token.kind) {
      case 'word':
        if (numberOf(token.text) !== null) {
          throw problem(`${say(token)} is a number: begin with a name, as in lr < ${token.text}`, token);
        }
        return { kind: 'name', name: token.text, from, to };
      case 'field':
        checkClosed(token, '`');
        return { kind: 'field', name: token.text, from, to };
      case 'last':
        if (token.isOpen) throw problem('The ")" after last( is missing', token);
        if (token.text === '') throw problem('Name a metric: last(val/acc)', token);
        return { kind: 'last', name: token.text, from, to };
      case 'text':
        throw problem(`${say(token)} is a text: begin with a name, as in name ~ "${token.text}"`, token);
      case 'end':
        throw problem(
          this.#at === 0 ? 'Write a condition, such as lr < 0.01' : 'A condition is missing at the end',
          token,
        );
      default:
        throw problem(`A name is missing before ${say(token)}`, token);
    }
  }

  #value(comparison: Token): Value {
    const token = this.#next();
    const { from, to } = token;
    switch (token.kind) {
      case 'word':
        return { text: token.text, number: numberOf(token.text), isQuoted: false, from, to };
      case 'text':
        checkClosed(token, '"');
        return { text: token.text, number: null, isQuoted: true, from, to };
      case 'field':
      case 'last':
        throw problem(`Compare with a number or a text, not with ${say(token)}`, token);
      case 'end':
        throw problem(`A value is missing after ${say(comparison)}`, comparison);
      default:
        throw problem(`A value is missing before ${say(token)}; texts like that need quotes`, token);
    }
  }

  #values(word: Token): Value[] {
    if (!this.#takes('(', 'mark'))
      throw problem('After "in" come values in brackets: status in (running, stalled)', word);
    const values: Value[] = [];
    do {
      values.push(this.#value(word));
      if (values.length > MOST_VALUES) throw problem(`More than ${MOST_VALUES} values`, word);
    } while (this.#takes(',', 'mark'));
    if (!this.#takes(')', 'mark'))
      throw problem(`A "," or ")" is missing before ${say(this.#peek)}`, this.#peek);
    return values;
  }
}

function checkClosed(token: Token & { readonly isOpen: boolean }, quote: string): void {
  if (token.isOpen) throw problem(`The closing ${quote} is missing`, token);
}

export function problem(message: string, { from, to }: Place): QueryError {
  return new QueryError(message, from, to);
}

function say(token: Token): string {
  if (token.kind === 'end') return 'the end';
  if (token.kind === 'last') return `last(${token.text})`;
  return `“${token.text}”`;
}

/** Every subject of the expression, in order. */
export function subjectsOf(node: QueryNode): Subject[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.parts.flatMap(subjectsOf);
    case 'not':
      return subjectsOf(node.part);
    default:
      return [node.subject];
  }
}
