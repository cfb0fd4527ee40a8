import { describe, expect, test } from 'vitest';
import { queryCompletions, type QueryContext } from './run-query-completions';
import { parseQuery } from './run-query';

const CONTEXT: QueryContext = {
  fields: ['lr', 'odd name', 'step', 'optimizer'],
  tags: ['val/acc', 'train/loss', 'weird) tag'],
  labels: ['paper', 'to do'],
  valuesOf: (field) => (field === 'optimizer' ? ['adam', 'sgd'] : []),
};

/** The caret is where the bar stands. */
function offered(text: string): string[] {
  const caret = text.indexOf('|');
  return queryCompletions(text.replace('|', ''), caret, CONTEXT).items.map(({ insert }) => insert);
}

/** The text after taking the first that is offered. */
function taken(text: string): string {
  const caret = text.indexOf('|');
  const plain = text.replace('|', '');
  const { from, to, items } = queryCompletions(plain, caret, CONTEXT);
  return plain.slice(0, from) + items[0]!.insert + plain.slice(to);
}

describe('what is offered', () => {
  test('names, where a condition begins', () => {
    for (const text of ['|', 'lr < 1 and |', 'not |', '(|', 'lr > 1 or (|']) {
      expect(offered(text)).toEqual(
        expect.arrayContaining(['name', 'lr', '`odd name`', '`step`', 'last(val/acc)']),
      );
    }
    expect(offered('|')).not.toContain('and');
  });

  test('the nearest first, for what is being typed', () => {
    expect(offered('opt|')[0]).toBe('optimizer');
    expect(taken('opt|')).toBe('optimizer');
    expect(taken('lr < 1 and val|')).toBe('lr < 1 and last(val/acc)');
    expect(offered('zzz|')).toEqual([]);
  });

  test('comparisons after a name', () => {
    expect(offered('lr |')).toEqual(['<', '<=', '>', '>=', '=', '!=', '~', '!~', 'in (']);
    expect(offered('status |')).toEqual(['=', '!=', '~', '!~', 'in (']);
    expect(offered('last(val/acc) |')).toEqual(['<', '<=', '>', '>=', '=', '!=']);
    expect(offered('favourite |')).toEqual(['and', 'or', '=', '!=']);
  });

  test('values after a comparison', () => {
    expect(offered('label = |')).toEqual(['paper', '"to do"']);
    expect(offered('status = |')).toContain('running');
    expect(taken('status = cr|')).toBe('status = crashed');
    expect(offered('optimizer = |')).toEqual(['adam', 'sgd']);
    expect(offered('status in (running, |')).toContain('stalled');
    expect(offered('archived = |')).toEqual(['true', 'false']);
    expect(taken('label = "to|')).toBe('label = "to do"');
  });

  test('and, or after a condition', () => {
    expect(offered('lr < 1 |')).toEqual(['and', 'or']);
    expect(offered('name ~ "a" |')).toEqual(['and', 'or']);
    expect(offered('(lr < 1) |')).toEqual(['and', 'or']);
    expect(offered('status in (running) |')).toEqual(['and', 'or']);
    expect(taken('lr < 1 o|')).toBe('lr < 1 or');
  });

  test('metrics in last(, with the bracket that is already there', () => {
    expect(taken('last(acc|) > 1')).toBe('last(val/acc) > 1');
    expect(taken('last(|')).toBe('last(val/acc)');
    expect(taken('last(weird|')).toBe('last("weird) tag")');
  });

  test('nothing that the language would not read', () => {
    for (const { insert } of queryCompletions('', 0, CONTEXT).items) {
      if (insert !== 'not') expect(() => parseQuery(insert)).not.toThrow();
    }
  });

  test('nothing, rather than a failure, in the midst of nonsense', () => {
    for (const text of ['"', '~~ ', ') ) ', 'in (', 'a in ( ', ', ', '`', 'last("']) {
      for (let caret = 0; caret <= text.length; caret++) {
        expect(() => queryCompletions(text, caret, CONTEXT)).not.toThrow();
      }
    }
  });
});
