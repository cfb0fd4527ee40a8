import { describe, expect, test } from 'vitest';
import { LONGEST_QUERY, numberOf, parseQuery, QueryError, tokens, type QueryNode } from './run-query';

/** The tree in few letters: "and(lr<0.01, last:val/acc>0.9)". */
function shape(node: QueryNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return `${node.kind}(${node.parts.map(shape).join(', ')})`;
    case 'not':
      return `not(${shape(node.part)})`;
    case 'has':
      return name(node);
    case 'in':
      return `${name(node)} in [${node.values.map(({ text }) => text).join('|')}]`;
    case 'compare':
      return `${name(node)}${node.comparison}${node.value.text}`;
  }
}

function name({ subject }: { subject: { kind: string; name: string } }): string {
  return subject.kind === 'name' ? subject.name : `${subject.kind}:${subject.name}`;
}

function failure(text: string): QueryError {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`“${text}” was understood`);
}

describe('an expression', () => {
  test.each([
    ['lr < 0.01', 'lr<0.01'],
    ['lr<0.01 and last(val/acc)>0.9 and name ~ "res net"', 'and(lr<0.01, last:val/acc>0.9, name~res net)'],
    ['a = 1 or b = 2 and c = 3', 'or(a=1, and(b=2, c=3))'],
    ['(a = 1 or b = 2) and c = 3', 'and(or(a=1, b=2), c=3)'],
    ['not favourite and not (a or b)', 'and(not(favourite), not(or(a, b)))'],
    ['a == 1 && b =~ x || !c', 'or(and(a=1, b~x), not(c))'],
    ['a ≤ 1 and b ≥ 2 and c ≠ 3', 'and(a<=1, b>=2, c!=3)'],
    ['status in (running, "stalled")', 'status in [running|stalled]'],
    ['status not in (running)', 'not(status in [running])'],
    ['`odd name (1)` != 2', 'field:odd name (1)!=2'],
    ['optimizer.lr-decay = 1e-4', 'optimizer.lr-decay=1e-4'],
    ['last("a)b") > -1', 'last:a)b>-1'],
    ['last(f(x)) > 1', 'last:f(x)>1'],
    ["name = 'it\\'s'", "name=it's"],
    ['name ~ "\\d+\\.\\d"', 'name~\\d+\\.\\d'],
    ['AND_x = 1 AND b', 'and(AND_x=1, b)'],
  ])('%s', (text, expected) => {
    expect(shape(parseQuery(text))).toBe(expected);
  });

  test.each([
    ['', 0, 'Write a condition'],
    ['lr <', 3, 'A value is missing after “<”'],
    ['lr < and', 5, 'need quotes'],
    ['lr < 0.1 wd > 2', 9, 'Write "and" or "or" before “wd”'],
    ['(lr < 1', 0, 'The ")" for this "(" is missing'],
    ['lr < 1)', 6, 'There is no "(" for this ")"'],
    ['lr and', 6, 'A condition is missing at the end'],
    ['0.1 > lr', 0, 'is a number: begin with a name'],
    ['"a" = b', 0, 'is a text: begin with a name'],
    ['name ~ "a', 7, 'The closing " is missing'],
    ['`a = 1', 0, 'The closing ` is missing'],
    ['last(', 0, 'The ")" after last( is missing'],
    ['last() > 1', 0, 'Name a metric'],
    ['status in running', 7, 'values in brackets'],
    ['status in (running stalled)', 19, 'A "," or ")" is missing'],
    ['a ; b', 2, 'Write "and" or "or" before “;”'],
    ['< 3', 0, 'A name is missing before “<”'],
    ['a = last(b)', 4, 'Compare with a number or a text'],
  ])('that is wrong is told with its place: %s', (text, from, message) => {
    const error = failure(text);
    expect(error.message).toContain(message);
    expect(error.from).toBe(from);
  });

  test('cannot be nested or prolonged without end', () => {
    expect(failure(`${'('.repeat(2000)}a${')'.repeat(2000)}`).message).toContain('brackets');
    expect(failure('not '.repeat(1000) + 'a').message).toContain('brackets');
    expect(failure('a'.repeat(LONGEST_QUERY + 1)).message).toContain('characters');
    expect(failure(`a in (${'1,'.repeat(600)}1)`).message).toContain('values');
  });

  test('of many conditions is no nesting', () => {
    const text = Array.from({ length: 300 }, (_, i) => `a=${i}`).join(' or ');
    expect(parseQuery(text).kind).toBe('or');
  });

  test.each([
    ['0.5', 0.5],
    ['-1e-3', -0.001],
    ['.5', 0.5],
    ['1_000', 1000],
    ['10k', 10_000],
    ['2M', 2e6],
    ['95%', 0.95],
    ['30m', 1800],
    ['1h30m', 5400],
    ['2d', 172_800],
    ['1.5h', 5400],
    ['inf', Infinity],
    ['-inf', -Infinity],
    ['NaN', NaN],
    ['3d_unet', null],
    ['running', null],
    ['1h30', null],
    ['', null],
  ])('reads the number %s', (text, expected) => {
    expect(numberOf(text)).toBe(expected);
  });

  test('any text becomes tokens that cover it in order', () => {
    for (const text of ['", ` ( last( ~!', 'a\u0000b', '💥 = 1', "last('x", '!!!~~<>=']) {
      const list = tokens(text);
      expect(list.at(-1)?.kind).toBe('end');
      for (const [i, token] of list.entries()) {
        expect(token.from).toBeGreaterThanOrEqual(i === 0 ? 0 : list[i - 1]!.to);
        if (token.kind !== 'end') expect(token.to).toBeGreaterThan(token.from);
      }
    }
  });
});
