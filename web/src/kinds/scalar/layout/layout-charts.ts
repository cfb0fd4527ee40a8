// A layout as cards: what its charts show of the tags that there are, and a sentence for each that there is not.
import { countOf } from '../../../base/format';
import { lineOfTag } from '../../../board/cards/card-spec';
import type { CardGroupSpec } from '../../../board/board.svelte';
import type { LineSpec, RunPlace, Tag } from '../../../state/types';
import type { LayoutAnswer, LayoutChart, LayoutMargin } from '../../../wire/generated';
import type { CardNote } from '../card-notes';
import { MOST_LINES } from '../../../board/cards/own-charts';
import { lineName, SCALAR, tagsOf, type ChartCard } from '../card-spec';
import { newLines } from '../charts/chart-edits';
import type { Matched } from './tag-expressions.svelte';

export interface LayoutPlace {
  /** Of the expressions; undefined: not known yet. */
  readonly matched: (expression: string) => Matched | undefined;
  readonly findTag: (tag: string) => Tag | undefined;
  /** Asked when a card is shown. */
  readonly visibleRuns: () => readonly RunPlace[];
}

export interface LaidOutGroup extends CardGroupSpec {
  readonly title: string;
  readonly specs: readonly ChartCard[];
}

/** Charts that were made, so that those of which nothing has changed stay. */
export type MadeCards = WeakMap<
  LayoutChart,
  { readonly card: ChartCard; readonly matches: readonly (Matched | undefined)[] }
>;

const NAMED_RUNS = 3;

/** Every expression, once. */
export function expressionsIn({ categories }: Pick<LayoutAnswer, 'categories'>): Set<string> {
  return new Set(categories.flatMap(({ charts }) => charts.flatMap(({ expressions }) => expressions)));
}

/** Names of categories and charts may be there twice: their ids are counted. `made` belongs to the place. */
export function groupsOf(
  { categories }: Pick<LayoutAnswer, 'categories'>,
  place: LayoutPlace,
  made: MadeCards = new WeakMap(),
): LaidOutGroup[] {
  const free = counter();
  return categories.map(({ title, is_closed, charts }) => {
    const name = free(`layout:${title}`);
    return {
      name,
      title: title || 'Untitled',
      isOpenByDefault: !is_closed,
      specs: charts.map((chart) => {
        const id = free(`${name}/${chart.title}`);
        const matches = chart.expressions.map(place.matched);
        const known = made.get(chart);
        if (known?.card.id === id && known.matches.every((one, i) => one === matches[i])) return known.card;
        const card = cardOf(chart, id, matches, place);
        made.set(chart, { card, matches });
        return card;
      }),
    };
  });
}

/** Gives each name back, or the name with a number when it was given before. */
function counter(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let free = name;
    for (let i = 2; taken.has(free); i++) free = `${name} (${i})`;
    taken.add(free);
    return free;
  };
}

function cardOf(
  chart: LayoutChart,
  id: string,
  matches: readonly (Matched | undefined)[],
  place: LayoutPlace,
): ChartCard {
  const { title } = chart;
  // A line without its tag is named by what is missing: see notes.
  const lines = linesOf(chart, matches)
    .filter(({ tag }) => tag !== '')
    .slice(0, MOST_LINES);
  return {
    id,
    title: title || lines.map(lineName).join(', ') || 'Untitled chart',
    description: '',
    kind: SCALAR,
    tag: null,
    isFixed: true,
    parts: tagsOf({ lines }),
    lines,
    baseline: null,
    x: null,
    isPending: matches.includes(undefined),
    // Of what is in sight only.
    get notes() {
      return notesOf(chart, linesOf(chart, matches, Infinity), place);
    },
  };
}

/** Without more of the matching tags than are wanted: there may be ten thousand for each of a thousand charts. */
function linesOf(
  { margins }: LayoutChart,
  matches: readonly (Matched | undefined)[],
  most = MOST_LINES,
): LineSpec[] {
  if (margins.length > 0) return newLines([], margins.map(lineOfMargin));
  const tags = new Set<string>();
  for (const matched of matches) {
    for (const tag of matched?.tags ?? []) {
      if (tags.size >= most) break;
      if (tag !== '') tags.add(tag);
    }
  }
  return [...tags].map(lineOfTag);
}

function lineOfMargin({ value, lower, upper }: LayoutMargin): LineSpec {
  return { ...lineOfTag(value), ...((lower || upper) && { bounds: { lower, upper } }) };
}

/** What the layout names and the log lacks. Tags that are nowhere in the log the lines tell of themselves. */
function notesOf(chart: LayoutChart, all: readonly LineSpec[], place: LayoutPlace): CardNote[] {
  const { expressions, margins } = chart;
  const errors: string[] = [];
  const facts: string[] = [];
  const named: [name: string, tags: readonly string[]][] = [];
  // A run with none of the chart's tags has nothing to do with it.
  const tags = tagsOf({ lines: all }).flatMap((tag) => place.findTag(tag) ?? []);
  const runs = place.visibleRuns().filter(({ id }) => tags.some((tag) => tag.hasRun(id)));
  if (expressions.length + margins.length === 0) errors.push('The layout names no tags for this chart');
  for (const expression of expressions) {
    const matched = place.matched(expression);
    if (expression === '') errors.push('An expression of this chart is empty');
    else if (matched?.error) errors.push(`“${expression}”: ${lowered(matched.error)}`);
    else if (matched?.tags.length === 0) errors.push(`No tag of this log matches “${expression}”`);
    else if (matched !== undefined) named.push([expression, matched.tags]);
  }
  for (const { value, lower, upper } of margins) {
    const unnamed = Object.entries({ value, lower, upper }).flatMap(([side, tag]) => (tag ? [] : [side]));
    if (unnamed.length > 0) errors.push(`The layout names no tag for: ${unnamed.join(', ')}`);
    for (const tag of [value, lower, upper]) {
      if (place.findTag(tag) !== undefined) named.push([tag, [tag]]);
    }
  }
  facts.push(...lacksOf(named, runs, place));
  if (all.length > MOST_LINES) facts.push(`${MOST_LINES} of ${all.length} matching tags are drawn`);
  return [
    ...errors.map((text) => ({ text, isError: true })),
    ...facts.map((text) => ({ text, isError: false })),
  ];
}

/** Those of the runs in which none of the tags is, by name; one sentence for all that is missing in the same ones. */
function lacksOf(
  named: readonly (readonly [name: string, tags: readonly string[]])[],
  runs: readonly RunPlace[],
  { findTag }: LayoutPlace,
): string[] {
  const lacks = new Map<string, { readonly names: Set<string>; readonly without: readonly RunPlace[] }>();
  for (const [name, tags] of named) {
    const known = tags.flatMap((tag) => findTag(tag) ?? []);
    const without = runs.filter(({ id }) => !known.some((tag) => tag.hasRun(id)));
    if (without.length === 0) continue;
    const key = without.map(({ id }) => id).join();
    const lack = lacks.get(key) ?? { names: new Set(), without };
    lack.names.add(`“${name}”`);
    lacks.set(key, lack);
  }
  return [...lacks.values()].map(
    ({ names, without }) => `Without ${listed([...names])}: ${listedRuns(without)}`,
  );
}

function listedRuns(runs: readonly RunPlace[]): string {
  const names = runs.slice(0, NAMED_RUNS).map(({ name }) => name);
  const more = runs.length - names.length;
  return more > 0 ? listed([...names, countOf(more, 'more run')]) : listed(names);
}

/** “a”, “a and b”, “a, b and c”. */
function listed(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}` : names.join();
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
