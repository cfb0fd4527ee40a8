import { describe, expect, test } from 'vitest';
import type { LayoutChart } from '../../../wire/generated';
import { fakeTag } from '../fake-page.svelte';
import { expressionsIn, groupsOf, type LayoutPlace, type MadeCards } from './layout-charts';
import type { Matched } from './tag-expressions.svelte';

const TAGS = [
  fakeTag('train/loss', [0, 1]),
  fakeTag('val/loss', [0]),
  fakeTag('low', [0, 1]),
  fakeTag('many', [0, 1, 2, 3, 4, 5]),
];

const RUNS = [
  { id: 0, name: 'a' },
  { id: 1, name: 'b' },
  { id: 2, name: 'of something else' },
];

function place(matched: Record<string, Matched> = {}, runs = RUNS): LayoutPlace {
  return {
    matched: (expression) => matched[expression],
    findTag: (tag) => TAGS.find((one) => one.tag === tag),
    visibleRuns: () => runs,
  };
}

const chart = (title: string, more: Partial<LayoutChart> = {}): LayoutChart => ({
  title,
  expressions: [],
  margins: [],
  ...more,
});
const category = (title: string, ...charts: LayoutChart[]) => ({ title, is_closed: false, charts });
const found = (...tags: string[]): Matched => ({ tags, error: '' });
const cardOf = (one: LayoutChart, matched: Record<string, Matched> = {}, runs = RUNS) =>
  groupsOf({ categories: [category('c', one)] }, place(matched, runs))[0]!.specs[0]!;
const said = (one: LayoutChart, matched: Record<string, Matched> = {}, runs = RUNS) =>
  cardOf(one, matched, runs).notes!.map(({ text }) => text);

test('names that are there twice make different groups and cards', () => {
  const layout = { categories: [category('c', chart('x'), chart('x')), category('c', chart('x'))] };
  const groups = groupsOf(layout, place());
  expect(groups.map(({ name, title }) => [name, title])).toEqual([
    ['layout:c', 'c'],
    ['layout:c (2)', 'c'],
  ]);
  const ids = groups.flatMap(({ specs }) => specs.map(({ id }) => id));
  expect(new Set(ids).size).toBe(3);
});

test('a closed category is closed at first', () => {
  const [group] = groupsOf({ categories: [{ ...category('c'), is_closed: true }] }, place());
  expect(group!.isOpenByDefault).toBe(false);
});

describe('several tags', () => {
  const both = chart('both', { expressions: ['train', 'val', 'train/loss'] });
  const matched = { train: found('train/loss'), val: found('val/loss'), 'train/loss': found('train/loss') };

  test('are lines, each once, in the order of the expressions', () => {
    expect(cardOf(both, matched).lines.map(({ tag }) => tag)).toEqual(['train/loss', 'val/loss']);
    expect(cardOf(both, matched).isPending).toBe(false);
    expect(expressionsIn({ categories: [category('c', both, both)] }).size).toBe(3);
  });

  test('are waited for until all expressions have been tried', () => {
    expect(cardOf(both, { train: found('train/loss') }).isPending).toBe(true);
  });

  test('what matches nothing, or is no expression, is said', () => {
    const odd = chart('odd', { expressions: ['nothing', '(', ''] });
    const error = 'Not a regular expression: unterminated group';
    expect(
      said(odd, { nothing: found(), '(': { tags: [], error }, '': found(...TAGS.map((t) => t.tag)) }),
    ).toEqual([
      'No tag of this log matches “nothing”',
      '“(”: not a regular expression: unterminated group',
      'An expression of this chart is empty',
    ]);
  });

  test('the runs that have none of them are named', () => {
    expect(said(both, matched)).toEqual(['Without “val”: b']);
  });

  test('are not more than a chart can hold', () => {
    const many = found(...Array.from({ length: 60 }, (_, i) => `t${i}`));
    const card = cardOf(chart('many', { expressions: ['t'] }), { t: many });
    expect(card.lines.length).toBe(50);
    expect(card.notes!.at(-1)!.text).toBe('50 of 60 matching tags are drawn');
  });

  test('are not even looked at beyond that until somebody sees the chart', () => {
    let seen = 0;
    const names = Array.from({ length: 10_000 }, (_, i) => `t${i}`);
    const all = new Proxy(names, {
      get: (list, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) seen++;
        return Reflect.get(list, key) as unknown;
      },
    });
    const card = cardOf(chart('many', { expressions: ['t'] }), { t: { tags: all, error: '' } });
    expect([card.lines.length, seen]).toEqual([50, 51]);
    expect(card.notes!.at(-1)!.text).toBe('50 of 10000 matching tags are drawn');
  });

  test('are found anew for the charts whose expressions match something else', () => {
    const layout = {
      categories: [category('c', chart('a', { expressions: ['a'] }), chart('b', { expressions: ['b'] }))],
    };
    const known: Record<string, Matched> = { a: found('train/loss') };
    const here = place(known);
    const made: MadeCards = new WeakMap();
    const before = groupsOf(layout, here, made)[0]!.specs;
    known.b = found('val/loss');
    const after = groupsOf(layout, here, made)[0]!.specs;
    expect(after[0]).toBe(before[0]);
    expect(after[1]!.lines.map(({ tag }) => tag)).toEqual(['val/loss']);
  });
});

describe('margins', () => {
  const margin = (value: string, lower: string, upper: string) =>
    chart('m', { margins: [{ value, lower, upper }] });

  test('are a line with its bounds', () => {
    const card = cardOf(margin('train/loss', 'low', 'high'));
    expect(card.lines).toMatchObject([{ tag: 'train/loss', bounds: { lower: 'low', upper: 'high' } }]);
    expect(card.parts).toEqual(['train/loss', 'low', 'high']);
  });

  test('what is missing in the same runs is one sentence, which counts those that it does not name', () => {
    const runs = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, id) => ({ id, name }));
    expect(said(margin('many', 'val/loss', 'val/loss'), {}, runs)).toEqual([
      'Without “val/loss”: b, c, d and 2 more runs',
    ]);
    expect(said(margin('many', 'train/loss', 'low'), {}, runs)).toEqual([
      'Without “train/loss” and “low”: c, d, e and 1 more run',
    ]);
  });

  test('a tag that the layout does not name is said', () => {
    expect(said(margin('train/loss', '', 'low'))).toEqual(['The layout names no tag for: lower']);
    expect(cardOf(margin('', 'low', 'low')).lines).toEqual([]);
  });
});

test('a chart without any tags says so', () => {
  expect(said(chart('nothing'))).toEqual(['The layout names no tags for this chart']);
});
