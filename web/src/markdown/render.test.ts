// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ALLOWED_TAGS, safeHref } from './allowed';
import { enhance } from './enhance';
import { HOSTILE_TEXTS } from './hostile-texts.fixture';
import { MATH_ATTRIBUTES, MATH_TAGS } from './math';
import { markupOf } from './parse';
import { renderMarkdown } from './render';

// The document that these tests run in has no sanitiser to speak of: DOMPurify does not work in it. So what is tested here is the
// second wall alone; e2e/text.test.ts has the same texts in a browser, with both.
vi.mock('./clean', () => ({
  cleaned: (markup: string): Node => new DOMParser().parseFromString(markup, 'text/html').body,
}));

function show(text: string): HTMLElement {
  const page = document.createElement('div');
  page.append(renderMarkdown(text).fragment);
  return page;
}

/** With formulas and colours. */
async function showAll(text: string): Promise<HTMLElement> {
  const page = document.createElement('div');
  const rendered = renderMarkdown(text);
  page.append(rendered.fragment);
  await enhance(rendered);
  return page;
}

const html = (text: string): string => show(text).innerHTML.replaceAll(' dir="auto"', '').trim();

/** Elements that are made for the page, besides those of ALLOWED_TAGS. */
const MADE_TAGS: ReadonlySet<string> = new Set(['div', 'span']);
/** Classes that are ours: the look of a heading, a cell, a formula, a word of code, and of what is shown as it was typed. */
const MADE_CLASS =
  /^(level-[1-6]|align-(left|center|right)|wide|task|math( display)?|picture|remote-picture|note|typed|code-[a-z0-9_-]+)$/;
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'target', 'rel', 'class'],
  img: ['src', 'alt', 'title', 'class'],
  ol: ['start'],
  pre: ['tabindex'],
  div: ['class', 'tabindex', 'role', 'aria-label'],
  span: ['class', 'title'],
};
const CLASSED = ['class'];

/** Every element and every attribute is one of ours. */
function expectHarmless(page: HTMLElement): void {
  for (const element of page.querySelectorAll('*')) {
    const tag = element.localName;
    if (element.namespaceURI === 'http://www.w3.org/1998/Math/MathML') {
      expect(MATH_TAGS).toContain(tag);
      for (const { name, value } of element.attributes) {
        expect(MATH_ATTRIBUTES).toContain(name);
        expect(value).not.toMatch(/javascript|url\(|evil/i);
      }
      continue;
    }
    expect(ALLOWED_TAGS.has(tag) || MADE_TAGS.has(tag), tag).toBe(true);
    for (const { name, value } of element.attributes) {
      if (name === 'dir') {
        expect(value).toBe('auto');
        continue;
      }
      expect(ATTRIBUTES[tag] ?? CLASSED, `${tag} ${name}`).toContain(name);
      if (name === 'class') expect(value).toMatch(MADE_CLASS);
      if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:)/);
      if (name === 'src') expect(value).toMatch(/^data:image\/(png|jpeg|gif|webp|bmp|avif);base64,/);
    }
    if (tag === 'a') expect(element.getAttribute('rel')).toBe('noopener noreferrer');
  }
}

describe('what people write', () => {
  it.each([
    ['**bold** and *slanted*', '<p><strong>bold</strong> and <em>slanted</em></p>'],
    ['~~gone~~ H<sub>2</sub>O <kbd>Ctrl</kbd>', '<p><s>gone</s> H<sub>2</sub>O <kbd>Ctrl</kbd></p>'],
    ['snake_case_name and 2 * 3 * 4', '<p>snake_case_name and 2 * 3 * 4</p>'],
    ['`a *b* <i>`', '<p><code>a *b* &lt;i&gt;</code></p>'],
    ['a**b**c`d`, _e_.', '<p>a<strong>b</strong>c<code>d</code>, <em>e</em>.</p>'],
    ['\\*not\\* &amp; & <', '<p>*not* &amp; &amp; &lt;</p>'],
    ['first\nsecond', '<p>first<br>\nsecond</p>'],
    ['# One', '<h4 class="level-1">One</h4>'],
    ['###### Six', '<h6 class="level-6">Six</h6>'],
    ['> said', '<blockquote>\n<p>said</p>\n</blockquote>'],
    ['3. three\n4. four', '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>'],
    ['- [x] done\n- [ ] open', '<ul>\n<li class="task">☑ done</li>\n<li class="task">☐ open</li>\n</ul>'],
    ['---', '<hr>'],
  ])('%j is %j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it('has tables with aligned columns, which scroll by themselves', () => {
    const page = show('| a | b |\n|:-:|--:|\n| 1 | x\\|y |');
    const cells = [...page.querySelectorAll('.wide[tabindex] > table td')];
    expect(cells.map(({ textContent, className }) => [textContent, className])).toEqual([
      ['1', 'align-center'],
      ['x|y', 'align-right'],
    ]);
  });

  it('keeps the ends of lines', () => {
    expect(show('a\nb').querySelectorAll('br')).toHaveLength(1);
  });

  it('runs from the side that its letters run from, block by block', () => {
    const page = show(
      '# كتاب\n\n1. واحد\n\n   two\n\n| א |\n|-|\n| 1 |\n\n> x\n\n```\ncode\n```\n\n<p dir="rtl">y</p>',
    );
    expect(
      [...page.querySelectorAll<HTMLElement>('[dir]')].map(({ localName, dir }) => [localName, dir]),
    ).toEqual(
      [...page.children].flatMap(({ localName }) => (localName === 'pre' ? [] : [[localName, 'auto']])),
    );
    expect([...page.children].map(({ localName }) => localName)).toEqual([
      'h4',
      'ol',
      'div',
      'blockquote',
      'pre',
      'p',
    ]);
  });

  it('shows tags that it does not know as they were typed', () => {
    expect(show('List<int> <think>hm</think>').textContent.trim()).toBe('List<int> <think>hm</think>');
    expect(markupOf('<think>\nhm\n</think>')).toBe('&lt;think&gt;\nhm\n&lt;/think&gt;');
  });

  it('lets mere wrappers go and keeps their words', () => {
    expect(show('<div align="center"><span>x</span> <b>y</b></div>').textContent.trim()).toBe('x y');
  });
});

describe('links', () => {
  it('open elsewhere and tell nobody where they were pressed', () => {
    const link = show('[paper](https://a.test/x)').querySelector('a')!;
    expect(link.getAttribute('href')).toBe('https://a.test/x');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(link.getAttribute('target')).toBe('_blank');
  });

  it.each([
    ['[wiki](https://a.test/a_(b))', 'https://a.test/a_(b)'],
    ['see https://a.test/x?y=1.', 'https://a.test/x?y=1'],
    ['(https://a.test/)', 'https://a.test/'],
    ['[x](<https://a.test/x> "title")', 'https://a.test/x'],
    ['[me](mailto:me@a.test)', 'mailto:me@a.test'],
    ['<a href="https://a.test/x">x</a>', 'https://a.test/x'],
  ])('%j leads to %j', (text, expected) => {
    expect(show(text).querySelector('a')?.getAttribute('href')).toBe(expected);
  });

  it.each(['model.py', 'a.test', 'me@a.test', 'xhttps://a.test/', '[x] and y'])('%j has none', (text) => {
    expect(show(text).querySelector('a')).toBeNull();
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://a.test/x',
    '//a.test/x',
    '/api/v1/reload',
    '#app',
    'x',
    '',
    'https://',
    'https:javascript:alert(1)',
  ])('never lead to %j', (address) => {
    expect(safeHref(address)).toBeNull();
    expect(show(`[x](${address})`).querySelector('a')).toBeNull();
  });
});

describe('pictures', () => {
  it('are shown when they are part of the text', () => {
    const picture = show('![dot](data:image/png;base64,iVBORw0KGgo= "a dot")').querySelector('img')!;
    expect(picture.alt).toBe('dot');
    expect(picture.title).toBe('a dot');
  });

  it('elsewhere are links that say where they lead', () => {
    const page = show('![loss](https://a.test/x.png)');
    expect(page.querySelector('img')).toBeNull();
    expect(page.querySelector('a.remote-picture')?.textContent).toBe('Load picture “loss” from a.test');
  });
});

describe('pictures in links', () => {
  it('are no links within links, however deep', () => {
    const page = show('[**![x](https://b.test/x.png)**](https://a.test/)');
    expect([...page.querySelectorAll('a')].map(({ href }) => href)).toEqual(['https://a.test/']);
  });
});

describe('formulas', () => {
  const formulasOf = (text: string): string[] => renderMarkdown(text).formulas.map(({ tex }) => tex);

  it.each([
    ['$x^2$ and $$y$$', ['x^2', 'y']],
    ['$$\nx = 1\n\\\\ y\n$$', ['x = 1\n\\\\ y']],
    ['```math\nz\n```', ['z\n']],
    ['($a$), $b$.', ['a', 'b']],
    ['$\\$5$', ['\\$5']],
    ['$5 and $6', []],
    ['$5–$6, US$ 7 and 8$', []],
    ['costs $ 5 $ each', []],
    ['`$x$`', []],
    ['```\n$x$\n```', []],
    ['$a `b$` c', []],
    ['\\$a\\$', []],
    ['$', []],
    ['$$', []],
    ['$a\n\nb$', []],
  ])('in %j are %j', (text, expected) => {
    expect(formulasOf(text)).toEqual(expected);
  });

  it('are MathML when their package is there', async () => {
    const page = await showAll('$\\frac{1}{2}$');
    expect(page.querySelector('.math math mfrac')).not.toBeNull();
    expect(page.querySelector('annotation')).toBeNull();
  });

  it('stay as they were typed when they make no sense, and say why', async () => {
    const page = await showAll('$\\frac{1$');
    expect(page.querySelector('.math')?.textContent).toBe('\\frac{1');
    expect(page.querySelector<HTMLElement>('.math')?.title).toMatch(/expected/);
  });
});

describe('code', () => {
  it('has colours in the languages that we know', async () => {
    const page = await showAll('```python\ndef f(): return "x"  # why\n```');
    expect(page.querySelector('.code-keyword')?.textContent).toBe('def');
    expect(page.querySelector('pre')?.textContent).toBe('def f(): return "x"  # why\n');
  });

  it('stays as it is in others', async () => {
    const page = await showAll('```klingon\n<b> & x\n```');
    expect(page.querySelector('code')?.innerHTML).toBe('&lt;b&gt; &amp; x\n');
  });
});

describe('hostile text', () => {
  it.each(HOSTILE_TEXTS)('%j makes nothing but what is allowed', async (text) => {
    const page = await showAll(text);
    document.body.append(page);
    expectHarmless(page);
    page.remove();
    expect('hurt' in window).toBe(false);
  });

  it.each(HOSTILE_TEXTS)('%j has no handler and no style even before it is cleaned', (text) => {
    for (const tag of markupOf(text).match(/<[a-z][^<>]*>/gi) ?? [])
      expect(tag.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/\s(on\w+|style|id|name|srcset|background)\b/i);
  });

  it('makes nothing but what is allowed, whatever it says', () => {
    const pieces = [
      ...[
        '<',
        '>',
        '"',
        "'",
        '=',
        '/',
        '!',
        '--',
        '[',
        ']',
        '(',
        ')',
        '`',
        '```',
        '$',
        '\n',
        ' ',
        '|',
        '*',
        '\\',
        '&#',
      ],
      ...[
        'script',
        'img',
        'svg',
        'math',
        'style',
        'a',
        'b',
        'table',
        'td',
        'p',
        'code',
        'iframe',
        'base',
        'form',
      ],
      ...[
        'src',
        'href',
        'onerror',
        'id',
        'name',
        'class',
        'style',
        'javascript:',
        'data:',
        'https://evil.test',
        'x',
      ],
      ...[
        '<a href="',
        '<img src="',
        '<p style="',
        '<b id=',
        '![x](',
        '[x](',
        '</',
        '/>',
        '-|-\n',
        'language-math',
      ],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (chosen) => {
        expectHarmless(show(chosen.join('')));
      }),
      { numRuns: 500 },
    );
  });

  it('loses no words that are not markup', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9 .,;]{1,60}$/), (text) => {
        const page = show(text);
        expect(page.textContent.replaceAll(/\s+/g, '')).toContain(text.replaceAll(/\s+/g, ''));
      }),
    );
  });

  it('does not nest deeper than anyone reads', () => {
    for (const text of ['> '.repeat(1000) + 'x', '<b>'.repeat(1000) + 'x', '- '.repeat(1000) + 'x']) {
      let depth = 0;
      for (let element = show(text).firstElementChild; element !== null; element = element.lastElementChild)
        depth++;
      expect(depth).toBeLessThan(140);
    }
  });
});
