import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInline, parseMarkdown, safeHref, type Block, type Inline } from './markdown-text';

/** A short form of parsed text, for reading in tests: *emphasis*, «link target|words», ¶ a break. */
function drawn(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'code') return `{${part.text}}`;
      if (part.kind === 'break') return '¶';
      if (part.kind === 'link') return `«${part.href}|${drawn(part.children)}»`;
      return `<${part.kind} ${drawn(part.children)}>`;
    })
    .join('');
}

const line = (text: string): string => drawn(parseInline(text));

describe('within a line', () => {
  it.each([
    ['**bold** and *slanted*', '<strong bold> and <emphasis slanted>'],
    ['__bold__ and _slanted_', '<strong bold> and <emphasis slanted>'],
    ['***both***', '<strong <emphasis both>>'],
    ['**a *b* c**', '<strong a <emphasis b> c>'],
    ['~~gone~~', '<deleted gone>'],
    ['snake_case_name stays', 'snake_case_name stays'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['one * alone', 'one * alone'],
    ['`a *b* <i>`', '{a *b* <i>}'],
    ['`` a ` b ``', '{a ` b}'],
    ['`never closed', '`never closed'],
    ['\\*not\\*', '*not*'],
    ['first\nsecond', 'first¶second'],
    ['<b>html</b> & &amp;', '<b>html</b> & &amp;'],
  ])('%j is %j', (text, expected) => {
    expect(line(text)).toBe(expected);
  });
});

describe('links', () => {
  it.each([
    ['[paper](https://a.test/x)', '«https://a.test/x|paper»'],
    ['[**bold**](http://a.test/)', '«http://a.test/|<strong bold>»'],
    ['[x](<https://a.test/x> "title")', '«https://a.test/x|x»'],
    ['[wiki](https://a.test/a_(b))', '«https://a.test/a_(b)|wiki»'],
    ['see https://a.test/x?y=1.', 'see «https://a.test/x?y=1|https://a.test/x?y=1».'],
    ['(https://a.test/)', '(«https://a.test/|https://a.test/»)'],
    ['![plot](https://a.test/x.png)', '«https://a.test/x.png|plot»'],
    ['[x] and [y](https://a.test/)', '[x] and «https://a.test/|y»'],
    ['xhttps://a.test/', 'xhttps://a.test/'],
  ])('%j is %j', (text, expected) => {
    expect(line(text)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//a.test/x',
    '/api/v1/reload',
    'x',
    '',
    'https://',
    'https:javascript:alert(1)',
  ])('never lead to %j', (address) => {
    expect(safeHref(address)).toBeNull();
    expect(line(`[x](${address})`)).not.toContain('«');
    expect(line(`![x](${address})`)).not.toContain('«');
  });
});

describe('blocks', () => {
  const kinds = (text: string): string[] => parseMarkdown(text).map(({ kind }) => kind);

  it('are headings, paragraphs, lists, quotes, code, rules and tables', () => {
    const text =
      '# One\nwords\n\n- a\n- b\n\n1. c\n\n> said\n\n```py\nx = "**"\n```\n---\n| a | b |\n|---|--:|\n| 1 | 2 |\n';
    expect(kinds(text)).toEqual(['heading', 'paragraph', 'list', 'list', 'quote', 'code', 'rule', 'table']);
  });

  it('keep code as it was typed, also while its end is missing', () => {
    expect(parseMarkdown('```\n<b>  *x*\n\n# y')).toEqual([{ kind: 'code', text: '<b>  *x*\n\n# y' }]);
  });

  it('nest lists by their indent, with tasks', () => {
    const [list] = parseMarkdown('- [x] done\n  - inner\n- [ ] open\n\n  more of it');
    expect(list).toMatchObject({
      kind: 'list',
      start: null,
      items: [
        { isDone: true, blocks: [{ kind: 'paragraph' }, { kind: 'list', items: [{ isDone: null }] }] },
        { isDone: false, blocks: [{ kind: 'paragraph' }, { kind: 'paragraph' }] },
      ],
    });
  });

  it('count on from where a list starts', () => {
    expect(parseMarkdown('3. three\n4. four')).toMatchObject([{ kind: 'list', start: 3, items: [{}, {}] }]);
  });

  it('have tables with aligned columns, and only the cells that were written', () => {
    const [table] = parseMarkdown('a | b | c\n:-: | --: | ---\n1 | x\\|y\n');
    expect(table).toMatchObject({ kind: 'table', aligns: ['center', 'end', 'start'] });
    if (table?.kind !== 'table') throw new Error('no table');
    expect(table.rows.map((row) => row.map(drawn))).toEqual([['1', 'x|y']]);
  });

  it('take a line with a bar for text without a line of dashes below', () => {
    expect(kinds('a | b\nc | d')).toEqual(['paragraph']);
  });
});

describe('hostile text', () => {
  const LENGTH = 100_000;

  it.each([
    '[',
    '![',
    '*',
    '**a ',
    '_a ',
    '`',
    '``a`',
    '> ',
    '>',
    '- ',
    '  - ',
    '|',
    '|-',
    '](',
    '[a](',
    '[a](b',
    '~~~\n',
    '#',
    '\\',
    'http://',
    '1. \n',
    '\n',
    '* *a* ',
    '[x](javascript:)',
  ])('made of %j is read at once', (piece) => {
    const blocks = parseMarkdown(piece.repeat(Math.ceil(LENGTH / piece.length)));
    expect(Array.isArray(blocks)).toBe(true);
  });

  it('does not nest deeper than anyone reads', () => {
    let depth = 0;
    let blocks: readonly Block[] = parseMarkdown('> '.repeat(1000));
    while (blocks[0]?.kind === 'quote') {
      blocks = blocks[0].blocks;
      depth++;
    }
    expect(depth).toBe(8);
  });

  it('never becomes a link to anything but pages, whatever it says', () => {
    const pieces = [
      '[',
      ']',
      '(',
      ')',
      'javascript:',
      'https://',
      'x',
      '!',
      '<',
      '>',
      '\\',
      '*',
      '`',
      '\n',
      ' ',
    ];
    const hrefs = (parts: readonly Inline[]): string[] =>
      parts.flatMap((part) =>
        'children' in part ? [...(part.kind === 'link' ? [part.href] : []), ...hrefs(part.children)] : [],
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (chosen) => {
        for (const href of hrefs(parseInline(chosen.join('')))) expect(href).toMatch(/^https?:\/\//);
      }),
    );
  });
});
