// Links, saved views and habits that an earlier version wrote mean the same as then, and are written as then.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatView, habitsOf, namedWords, parseView } from './link';
import { readViewContent, viewContentOf } from './view-file';
import { defaultView, type ViewState } from './view';

interface Written {
  readonly name: string;
  /** Of the default view. */
  readonly change: Partial<ViewState>;
  readonly link: string;
  readonly linkForOthers: string;
  readonly file: unknown;
}

const { views, named, habits } = JSON.parse(
  readFileSync(new URL('written-links.fixture.json', import.meta.url), 'utf8'),
) as { views: Written[]; named: Omit<Written, 'linkForOthers' | 'file'>[]; habits: string };

const everything: ViewState = {
  ...defaultView(),
  ...views.find(({ name }) => name === 'everything')!.change,
};

describe.each(views)('$name', ({ change, link, linkForOthers, file }) => {
  const view: ViewState = { ...defaultView(), ...change };

  test('is read from its links', () => {
    expect(parseView(link).view).toEqual(view);
    expect(parseView(linkForOthers).view).toEqual(view);
  });

  test('is written to the same links', () => {
    expect(formatView(view).hash).toBe(link);
    expect(formatView(view, { isForOthers: true }).hash).toBe(linkForOthers);
  });

  test('is read from its file and written to the same', () => {
    expect(readViewContent(file)).toEqual({ view: { ...view, fullScreenCard: null }, problems: [] });
    expect(viewContentOf(view)).toEqual(file);
  });
});

test.each(named)('$name: a link that names it', ({ change, link }) => {
  const view: ViewState = { ...everything, ...change };
  expect(formatView(view, { named: { name: 'paper, 1', view: everything } }).hash).toBe(link);
  const parsed = parseView(link, '', namedWords(everything));
  expect(parsed.view).toEqual(view);
  expect(parsed.name).toBe('paper, 1');
});

test('what a browser remembers', () => {
  expect(habitsOf(everything)).toBe(habits);
});
