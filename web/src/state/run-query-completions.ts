// What could come next in a filter expression, for the box where it is typed: names where a name is due, comparisons after
// a name, values after a comparison, `and` and `or` after a condition.
import { fuzzyRanked } from './fuzzy';
import { factNamed, RUN_FACTS } from './run-facts';
import { tokens, type Token } from './run-query';

export interface QueryContext {
  /** Hyper-parameters. */
  readonly fields: readonly string[];
  /** Scalar tags, for last(…). */
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  /** Values that runs have for a hyper-parameter, where they are few. */
  valuesOf?(field: string): readonly string[];
}

export interface QueryCompletion {
  /** What is put in place of text[from..to]. */
  readonly insert: string;
  readonly label: string;
  /** A word about it: "hyper-parameter", "metric" … */
  readonly detail: string;
}

export interface QueryCompletions {
  readonly from: number;
  readonly to: number;
  readonly items: readonly QueryCompletion[];
}

const MOST_ITEMS = 50;

/** `from..to` is the word at the caret. */
export function queryCompletions(text: string, caret: number, context: QueryContext): QueryCompletions {
  const before = tokens(text.slice(0, caret)).slice(0, -1);
  const last = before.at(-1);
  // The word that is being typed: the last one, if the caret stands at its end.
  const typed = last !== undefined && last.to === caret && isWord(last) ? last : null;
  if (typed?.kind === 'last') {
    const items = context.tags.map((tag) => item(`last(${quotedTag(tag)})`, tag, 'metric'));
    return { from: typed.from, to: endOfLast(text, caret), items: best(typed.text, items) };
  }
  const done = typed ? before.slice(0, -1) : before;
  const items = itemsAfter(done, context);
  const from = typed?.from ?? caret;
  return { from, to: caret, items: best(typed?.text ?? '', items) };
}

function isWord(token: Token): boolean {
  if (token.kind === 'word' || token.kind === 'keyword') return true;
  return (token.kind === 'text' || token.kind === 'field' || token.kind === 'last') && token.isOpen;
}

/** A bracket that the box or the user has already put there is taken over. */
function endOfLast(text: string, caret: number): number {
  return text[caret] === ')' ? caret + 1 : caret;
}

function itemsAfter(done: readonly Token[], context: QueryContext): QueryCompletion[] {
  const last = done.at(-1);
  if (last === undefined || isOpening(done)) return subjects(context);
  const due = whatIsDue(done);
  if (due === 'comparison') return comparisons(last);
  if (due === 'connection') {
    return [item('and', 'and', 'both'), item('or', 'or', 'either of them')];
  }
  return due === 'nothing' ? [] : values(due, context);
}

/** A name is due. */
function isOpening(done: readonly Token[]): boolean {
  const last = done.at(-1)!;
  if (last.kind === 'keyword') return last.text !== 'in';
  return last.kind === 'mark' && last.text === '(' && done.at(-2)?.text !== 'in';
}

/** The subject whose value is due, or what else is. */
function whatIsDue(done: readonly Token[]): 'comparison' | 'connection' | 'nothing' | Token {
  const last = done.at(-1)!;
  if (last.kind === 'comparison') return done.at(-2) ?? 'nothing';
  const list = subjectOfOpenList(done);
  if (list !== null) return last.text === '(' || last.text === ',' ? list : 'nothing';
  if (last.kind === 'mark') return last.text === ')' ? 'connection' : 'nothing';
  if (last.kind === 'keyword' || last.kind === 'unknown' || last.kind === 'end') return 'nothing';
  return done.at(-2)?.kind === 'comparison' || last.kind === 'text' ? 'connection' : 'comparison';
}

/** What stands before `in (` whose bracket is still open; null: there is none. */
function subjectOfOpenList(done: readonly Token[]): Token | null {
  for (let i = done.length - 1; i > 0; i--) {
    const { kind, text } = done[i]!;
    if (kind === 'mark' && text === ')') return null;
    if (kind === 'keyword' && text === 'in') {
      const isNegated = done[i - 1]?.text === 'not';
      return done[i + 1]?.text === '(' ? (done[isNegated ? i - 2 : i - 1] ?? null) : null;
    }
  }
  return null;
}

function subjects(context: QueryContext): QueryCompletion[] {
  return [
    ...RUN_FACTS.flatMap(({ query }) =>
      query ? [item(query.names[0]!, query.names[0]!, query.detail)] : [],
    ),
    ...context.fields.map((name) => item(quotedName(name), name, 'hyper-parameter')),
    ...context.tags.map((tag) => item(`last(${quotedTag(tag)})`, `last(${tag})`, 'metric')),
    item('not', 'not', 'the opposite'),
  ];
}

function comparisons(subject: Token): QueryCompletion[] {
  const kind =
    subject.kind === 'last' ? 'number' : subject.kind === 'word' ? factNamed(subject.text)?.kind : undefined;
  const order = [
    item('<', '<', 'less'),
    item('<=', '<=', 'at most'),
    item('>', '>', 'greater'),
    item('>=', '>=', 'at least'),
  ];
  const same = [item('=', '=', 'equal'), item('!=', '!=', 'not equal')];
  const pattern = [item('~', '~', 'matches a regular expression'), item('!~', '!~', 'does not match')];
  const among = [item('in (', 'in', 'one of several')];
  if (kind === 'boolean') return [item('and', 'and', 'both'), item('or', 'or', 'either of them'), ...same];
  if (kind === 'text') return [...same, ...pattern, ...among];
  if (kind === 'number' || kind === 'time') return [...order, ...same];
  return [...order, ...same, ...pattern, ...among];
}

function values(subject: Token, context: QueryContext): QueryCompletion[] {
  const fact = subject.kind === 'word' ? factNamed(subject.text) : undefined;
  if (fact?.id === 'labels') return context.labels.map((label) => item(quotedText(label), label, 'label'));
  if (fact?.kind === 'boolean') return [item('true', 'true', ''), item('false', 'false', '')];
  if (fact) return (fact.query?.values ?? []).map((value) => item(value, value, ''));
  if (subject.kind !== 'word' && subject.kind !== 'field') return [];
  return (context.valuesOf?.(subject.text) ?? []).map((value) => item(quotedText(value), value, ''));
}

function item(insert: string, label: string, detail: string): QueryCompletion {
  return { insert, label, detail };
}

/** The nearest first; in the given order where nothing was typed. */
function best(typed: string, items: readonly QueryCompletion[]): QueryCompletion[] {
  const ranked = fuzzyRanked(typed, items, ({ label }) => label);
  return ranked.slice(0, MOST_ITEMS).map(({ item }) => item);
}

/** In backquotes only where the language would read something else. */
function quotedName(name: string): string {
  const [first, end] = tokens(name);
  const isPlain = first?.kind === 'word' && first.text === name && end?.kind === 'end' && !factNamed(name);
  return isPlain ? name : `\`${name.replaceAll('`', '\\`')}\``;
}

function quotedText(text: string): string {
  const [first, end] = tokens(text);
  const isPlain = first?.kind === 'word' && first.text === text && end?.kind === 'end';
  return isPlain ? text : `"${text.replaceAll('"', '\\"')}"`;
}

/** A tag ends at its bracket, unless it is in quotes. */
function quotedTag(tag: string): string {
  const [first] = tokens(`last(${tag})`);
  const isPlain =
    first?.kind === 'last' && first.text === tag && !first.isOpen && first.to === tag.length + 6;
  return isPlain ? tag : `"${tag.replaceAll('"', '\\"')}"`;
}
