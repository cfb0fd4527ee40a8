import { describe, expect, test, vi } from 'vitest';
import { defaultView } from '../../state/settings/view';
import { parseView } from '../../state/settings/link';
import { formatView } from '../../state/settings/link';
import { heightFrom, ToldHeights } from './page-height';
import { keyed } from './column-keys';
import { MOST_CHARS, MOST_TEXT_CHARS } from './table-choices';
import { viewQuery } from './table-query';
import { TableView } from './table-view';

function pageOf() {
  return { view: defaultView() as never, announce: vi.fn() };
}

/** As somebody else sees it who got the link. */
function passedOn({ view }: ReturnType<typeof pageOf>) {
  return { view: parseView(formatView(view).hash).view as never, announce: vi.fn() };
}

const columns = (...names: string[]) => keyed(names.map((name) => ({ name, type: 'text' as const })));
const numbers = (...names: string[]) => keyed(names.map((name) => ({ name, type: 'number' as const })));

describe('how a table is looked at', () => {
  test('is in the link, by tag', () => {
    const page = pageOf();
    const view = new TableView(page, 'eval/a:b,c');
    view.text = `it's "x" & (y)`;
    view.sortBy('score');
    view.sortBy('score');
    view.areFiltersShown = true;
    view.setFilter('label', { text: 'cat, dog' });
    view.setFilter('-', { least: '−1.5' });
    view.setFilter('-', { greatest: '2' });
    view.setShown('note', false);
    new TableView(page, 'other').sortBy('+x');

    const other = new TableView(passedOn(page), 'eval/a:b,c');
    expect(other.text).toBe(`it's "x" & (y)`);
    expect(other.sort).toEqual({ column: 'score', isDescending: true });
    expect(other.areFiltersShown).toBe(true);
    expect([...other.filters]).toEqual([
      ['label', { text: 'cat, dog', least: '', greatest: '' }],
      ['-', { text: '', least: '−1.5', greatest: '2' }],
    ]);
    expect(other.hidden).toEqual(['note']);
    expect(new TableView(passedOn(page), 'other').sort).toEqual({ column: '+x', isDescending: false });
    expect(new TableView(passedOn(page), 'third').sort).toBeNull();
  });

  test('is no word when it is as usual again', () => {
    const page = pageOf();
    const view = new TableView(page, 'a');
    for (let times = 0; times < 3; times++) view.sortBy('x');
    view.text = 'x';
    view.setFilter('b', { text: 'y' });
    view.setShown('c', false);
    view.clear();
    view.showAllColumns();
    expect((page.view as { kindWords: object }).kindWords).toEqual({});
  });

  test('stays short: long texts are cut, and the tags of long ago go', () => {
    const page = pageOf();
    for (let number = 0; number < 60; number++) {
      new TableView(page, `tag ${number}`).text = 'x'.repeat(MOST_TEXT_CHARS + 10);
    }
    const { kindWords } = page.view as { kindWords: Record<string, string> };
    expect(kindWords.tables!.length).toBeLessThanOrEqual(MOST_CHARS);
    expect(new TableView(page, 'tag 59').text).toHaveLength(MOST_TEXT_CHARS);
    expect(new TableView(page, 'tag 0').text).toBe('');
  });

  test('that is too much for a link stays as it was, and it is said', () => {
    const page = pageOf();
    const view = new TableView(page, 'a');
    for (let number = 0; number < 100; number++)
      view.setFilter(`column ${number}`, { text: 'x'.repeat(100) });
    expect(page.announce).toHaveBeenCalled();
    expect(view.filters.size).toBeGreaterThan(10);
    expect((page.view as { kindWords: Record<string, string> }).kindWords.tables!.length).toBeLessThanOrEqual(
      MOST_CHARS,
    );
  });

  test.each([
    'x',
    '',
    '7',
    '[]',
    '[7,[7,{}]]',
    `[['a',7]]`,
    `[['a',('sort':'x','filters':7,'hide':'y','find':8,'open':2)]]`,
    `[['a',('filters':[['x'],[7,'y'],['z','',''],7])]]`,
  ])('that makes no sense in a link is as usual: %s', (tables) => {
    const page = { ...pageOf(), view: { kindWords: { tables } } as never };
    const { text, sort, filters, hidden, areFiltersShown } = new TableView(page, 'a');
    expect([text, sort, filters.size, hidden, areFiltersShown]).toEqual(['', null, 0, [], false]);
  });

  test('asks the server for columns by position, and not for those that a table lacks', () => {
    const view = new TableView(pageOf(), 'a');
    view.sortBy('gone');
    view.setFilter('gone', { text: 'x' });
    view.setFilter('b', { text: 'y' });
    expect(viewQuery(view, columns('a', 'b'))).toEqual({
      ...{ text: '', sortBy: null, isDescending: false },
      filters: [{ column: 1, text: 'y', least: null, greatest: null }],
    });
  });

  test('filters by what fits the column, and remembers both parts, in links too', () => {
    const page = pageOf();
    const view = new TableView(page, 'a');
    view.setFilter('x', { text: 'cat' });
    view.setFilter('x', { least: '1' });
    view.setFilter('y', { greatest: '2' });
    for (const seen of [view, new TableView(passedOn(page), 'a')]) {
      expect(seen.filterOf('x')).toEqual({ text: 'cat', least: '1', greatest: '' });
      expect(seen.filterOf('y')).toEqual({ text: '', least: '', greatest: '2' });
      const asked = (type: 'text' | 'number' | 'image' | 'any') =>
        viewQuery(seen, keyed([{ name: 'x', type }])).filters;
      expect(asked('number')).toEqual([{ column: 0, text: '', least: 1, greatest: null }]);
      for (const type of ['text', 'any'] as const) {
        expect(asked(type)).toEqual([{ column: 0, text: 'cat', least: null, greatest: null }]);
      }
      expect(asked('image')).toEqual([]);
    }
  });

  test('tells columns of one name apart, in links too', () => {
    const page = pageOf();
    const view = new TableView(page, 'a');
    const [first, , second] = numbers('x', 'y', 'x');
    view.sortBy(second!.key);
    view.setFilter(first!.key, { least: '1' });
    view.setFilter(second!.key, { greatest: '2' });
    view.setShown(second!.key, false);
    const other = new TableView(passedOn(page), 'a');
    expect(viewQuery(other, numbers('x', 'y', 'x'))).toEqual({
      ...{ text: '', sortBy: 2, isDescending: false },
      filters: [
        { column: 0, text: '', least: 1, greatest: null },
        { column: 2, text: '', least: null, greatest: 2 },
      ],
    });
    expect(other.hidden).toEqual([second!.key]);
    // Another run has but one of them.
    expect(viewQuery(other, numbers('y', 'x'))).toMatchObject({
      sortBy: null,
      filters: [{ column: 1, least: 1 }],
    });
  });
});

describe('the height of a page', () => {
  test('is a number that its document says, within bounds', () => {
    expect(heightFrom({ kind: 'height', height: 120.2 })).toBe(121);
    expect(heightFrom({ kind: 'height', height: 1e9 })).toBe(4000);
    expect(heightFrom({ kind: 'height', height: -5 })).toBe(0);
    for (const message of [
      null,
      7,
      {},
      { kind: 'x', height: 5 },
      { kind: 'height', height: NaN },
      'height',
    ]) {
      expect(heightFrom(message)).toBeNull();
    }
  });

  test('comes to rest when a document answers each height with another', () => {
    const heights = new ToldHeights();
    const swing = (): (number | null)[] =>
      Array.from({ length: 100 }, (_, number) =>
        heights.after({ kind: 'height', height: number % 2 === 0 ? 300 : 1200 }),
      );
    expect([heights.after('x'), heights.after({ kind: 'height', height: 7 }), heights.after('x')]).toEqual([
      ...[null, 7, 7],
    ]);
    // While it is being loaded it grows as its text comes in.
    expect(swing().slice(-2)).toEqual([300, 1200]);
    heights.isLoaded = true;
    expect(new Set(swing().slice(0, 20))).toEqual(new Set([300, 1200]));
    expect(new Set(swing())).toEqual(new Set([1200]));
    heights.allowMore();
    expect(swing()[0]).toBe(300);
  });
});
