// Markdown → markup, by markdown-it, before it is cleaned (clean.ts). Tags that are not allowed are shown as they were typed:
// a log that says `List<int>` or `<think>` says it to be read.
import MarkdownParser, { type MarkdownIt } from 'markdown-it';
import { ALLOWED_TAGS, READ_ATTRIBUTES, UNWRAPPED_TAGS } from './allowed';
import { addMath } from './math-rules';

/** Quotes in lists in quotes: markdown-it would leave out what is deeper than its bound. */
export class NestedTooDeeply extends Error {}

/** Throws NestedTooDeeply. */
export function markupOf(text: string): string {
  return (parser ??= makeParser()).render(text);
}

let parser: MarkdownIt | undefined;

/** Deeper than anyone writes. */
const MOST_NESTING = 40;

function makeParser(): MarkdownIt {
  // The end of a line is one on screen too, as in chats.
  const markdown = new MarkdownParser({ html: true, linkify: true, breaks: true, typographer: false });
  markdown.set({ maxNesting: MOST_NESTING });
  // Whole addresses become links, mere names with a dot in them ("model.py") do not.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  markdown.linkify.add('ftp:', null).add('//', null).add('mailto:', null);
  // Addresses are judged when elements are made; until then none is followed.
  markdown.validateLink = () => true;
  addMath(markdown);
  addTasks(markdown);
  refuseDepth(markdown);
  const { rules } = markdown.renderer;
  rules['html_inline'] = (tokens, index) => withoutForeignTags(tokens[index]!.content);
  rules['html_block'] = rules['html_inline'];
  for (const name of ['th_open', 'td_open'])
    rules[name] = (tokens, index) => {
      const token = tokens[index]!;
      const align = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1];
      return align === undefined ? `<${token.tag}>` : `<${token.tag} align="${align}">`;
    };
  return markdown;
}

function refuseDepth({ block }: MarkdownIt): void {
  const tokenize = block.tokenize.bind(block);
  block.tokenize = (state, startLine, endLine) => {
    if (state.level >= MOST_NESTING && state.skipEmptyLines(startLine) < endLine) throw new NestedTooDeeply();
    tokenize(state, startLine, endLine);
  };
}

const COMMENT = /<!--[^]*?(?:-->|$)/g;
/** A whole tag. Its length is bounded so that a text of nothing but beginnings of tags is read in linear time. */
const TAG = /<(\/?)([a-z][^\s/>"'<]*)((?:"[^"]*"|'[^']*'|[^'"<>]){0,500})>|</gi;
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

/**
 * The same markup with nothing but the tags and attributes that are read later; every other tag is text. So not even the document
 * in which it is cleaned ever has a handler, a style or a script in it.
 */
export function withoutForeignTags(markup: string): string {
  return markup
    .replace(COMMENT, '')
    .replace(TAG, (found, slash = '', name: string | undefined, attributes = '') => {
      const tag = name?.toLowerCase() ?? '';
      if (!ALLOWED_TAGS.has(tag) && !UNWRAPPED_TAGS.has(tag))
        return found.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return slash === '/' ? `</${tag}>` : `<${tag}${readAttributes(String(attributes))}>`;
    });
}

function readAttributes(text: string): string {
  let written = '';
  for (const [, name = '', value] of text.matchAll(ATTRIBUTE)) {
    if (value === undefined || !READ_ATTRIBUTES.includes(name.toLowerCase())) continue;
    const words = /^["']/.test(value) ? value.slice(1, -1) : value;
    written += ` ${name.toLowerCase()}="${words.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
  }
  return written;
}

const TASK = /^\[([ xX])\][ \t]+/;

/** `- [x] done`: a box in place of the brackets. */
function addTasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'tasks', ({ tokens }) => {
    for (let at = 2; at < tokens.length; at++) {
      const token = tokens[at]!;
      if (token.type !== 'inline' || tokens[at - 2]!.type !== 'list_item_open') continue;
      const first = token.children?.[0];
      const task = first?.type === 'text' ? TASK.exec(first.content) : null;
      if (first === undefined || task === null) continue;
      first.content = (task[1] === ' ' ? '☐ ' : '☑ ') + first.content.slice(task[0].length);
    }
  });
}
