// Markdown as people write it in notes, taken apart into plain data: headings, emphasis, code, lists, quotes, tables, links.
// Nothing in it can become markup: Markdown.svelte makes elements of it, and text stays text. HTML is shown as it was typed.
//
// A note may be 100,000 letters of anything, so every search that fails is remembered and nesting is bounded: the time is
// proportional to the length, whatever it says. Unlike in a book, the end of a line is one on screen too, as in chats.

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly children: readonly Inline[] }
  | { readonly kind: 'emphasis'; readonly children: readonly Inline[] }
  | { readonly kind: 'deleted'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly kind: 'break' };

export interface ListItem {
  /** null: not a task. */
  readonly isDone: boolean | null;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'rule' }
  | {
      readonly kind: 'table';
      readonly aligns: readonly ('start' | 'center' | 'end')[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/** Quotes in lists in quotes: deeper than anyone writes. What is deeper is text. */
const MOST_DEPTH = 8;

const FENCE = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|\t|$)/;
const TASK = /^\[([ xX])\][ \t]+/;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replaceAll('\t', '    ').split(/\r\n|\r|\n/), 0);
}

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', children: parseInline(paragraph.join('\n')) });
    paragraph = [];
  };
  const isNested = depth < MOST_DEPTH;
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    const fence = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line);
    if (line.trim() === '') {
      endParagraph();
      at++;
    } else if (fence !== undefined) {
      endParagraph();
      const end = endOfFence(lines, at + 1, fence);
      blocks.push({ kind: 'code', text: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
    } else if (heading !== null) {
      endParagraph();
      const words = line
        .slice(heading[0].length)
        .trimEnd()
        .replace(/(^| +)#+$/, '');
      blocks.push({ kind: 'heading', level: heading[1]!.length, children: parseInline(words) });
      at++;
    } else if (RULE.test(line)) {
      endParagraph();
      blocks.push({ kind: 'rule' });
      at++;
    } else if (isNested && QUOTE.test(line)) {
      endParagraph();
      let end = at;
      while (end < lines.length && QUOTE.test(lines[end]!)) end++;
      const inner = lines.slice(at, end).map((one) => one.replace(QUOTE, ''));
      blocks.push({ kind: 'quote', blocks: parseBlocks(inner, depth + 1) });
      at = end;
    } else if (isNested && ITEM.test(line)) {
      endParagraph();
      const { list, end } = parseList(lines, at, depth);
      blocks.push(list);
      at = end;
    } else if (
      line.includes('|') &&
      TABLE_RULE.test(lines[at + 1] ?? '') &&
      isTableHead(line, lines[at + 1]!)
    ) {
      endParagraph();
      let end = at + 2;
      while (end < lines.length && lines[end]!.trim() !== '' && lines[end]!.includes('|')) end++;
      blocks.push(parseTable(lines.slice(at, end)));
      at = end;
    } else {
      paragraph.push(line.trimStart());
      at++;
    }
  }
  endParagraph();
  return blocks;
}

function endOfFence(lines: readonly string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!.trim();
    if (line.length >= fence.length && line === fence[0]!.repeat(line.length)) return at;
  }
  // Somebody is still typing it.
  return lines.length;
}

function parseList(lines: readonly string[], from: number, depth: number): { list: Block; end: number } {
  const marker = ITEM.exec(lines[from]!)![2]!;
  const isOrdered = /\d/.test(marker);
  const last = marker.at(-1);
  const items: ListItem[] = [];
  let at = from;
  while (at < lines.length) {
    const match = ITEM.exec(lines[at]!);
    if (match === null || match[2]!.at(-1) !== last || RULE.test(lines[at]!)) break;
    const inner = [lines[at]!.slice(match[0].length)];
    // What belongs to an item is indented by as much as its text, or a bit less, as people do.
    const indent = Math.max(2, Math.min(match[0].length, match[1]!.length + 2));
    at++;
    while (at < lines.length) {
      const line = lines[at]!;
      if (line.trim() === '') {
        const next = lines[at + 1] ?? '';
        if (next.trim() === '' || indentOf(next) < indent) break;
        inner.push('');
      } else if (indentOf(line) >= indent) inner.push(line.slice(Math.min(indentOf(line), match[0].length)));
      // A paragraph goes on without indent, but nothing else does.
      else if (ITEM.test(line) || startsBlock(line) || inner.at(-1)!.trim() === '') break;
      else inner.push(line.trimStart());
      at++;
    }
    const task = TASK.exec(inner[0]!);
    if (task !== null) inner[0] = inner[0]!.slice(task[0].length);
    items.push({ isDone: task === null ? null : task[1] !== ' ', blocks: parseBlocks(inner, depth + 1) });
    // Items with a line between them are still one list.
    if (lines[at]?.trim() === '' && ITEM.test(lines[at + 1] ?? '')) at++;
  }
  return { list: { kind: 'list', start: isOrdered ? Number.parseInt(marker) : null, items }, end: at };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line);
}

function isTableHead(head: string, rule: string): boolean {
  return cellsOf(head).length === cellsOf(rule).length;
}

function parseTable(lines: readonly string[]): Block {
  const aligns = cellsOf(lines[1]!).map((cell) =>
    cell.endsWith(':') ? (cell.startsWith(':') ? ('center' as const) : ('end' as const)) : ('start' as const),
  );
  // Rows have the cells that were written, not as many as the head: a wide head and many short rows stay small.
  const rowOf = (line: string): Inline[][] =>
    cellsOf(line)
      .slice(0, aligns.length)
      .map((cell) => parseInline(cell));
  return { kind: 'table', aligns, head: rowOf(lines[0]!), rows: lines.slice(2).map(rowOf) };
}

/** Cells of a table's line; `\|` is a letter, not an edge. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

// Inside of a line ------------------------------------------------------------------------------------------------------

const ESCAPED = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}_]/u;
const ADDRESS = /https?:\/\/[^\s<>"'`]+/iy;
const PAIRS = [
  { mark: '**', kind: 'strong' },
  { mark: '__', kind: 'strong' },
  { mark: '~~', kind: 'deleted' },
  { mark: '*', kind: 'emphasis' },
  { mark: '_', kind: 'emphasis' },
] as const;

export function parseInline(text: string, depth = 0, isInLink = false): Inline[] {
  const parts: Inline[] = [];
  let plain = '';
  /** Marks whose other half was looked for and is not in the rest of the text. */
  const hopeless = new Set<string>();
  const push = (part: Inline): void => {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
    parts.push(part);
  };
  let at = 0;
  while (at < text.length) {
    const letter = text[at]!;
    let end = -1;
    if (letter === '\\' && ESCAPED.test(text[at + 1] ?? '')) {
      plain += text.slice(at + 1, at + 2);
      end = at + 2;
    } else if (letter === '\n') {
      plain = plain.trimEnd();
      push({ kind: 'break' });
      end = at + 1;
    } else if (letter === '`') {
      const mark = runOf(text, at, '`');
      const close = hopeless.has(mark) ? -1 : closingTicks(text, at + mark.length, mark);
      if (close < 0) {
        hopeless.add(mark);
        plain += mark;
        end = at + mark.length;
      } else {
        push({ kind: 'code', text: codeText(text.slice(at + mark.length, close)) });
        end = close + mark.length;
      }
    } else if (!isInLink && (letter === '[' || (letter === '!' && text[at + 1] === '['))) {
      const link = linkAt(text, at + (letter === '!' ? 2 : 1), hopeless);
      if (link !== null) {
        // A picture is a link too: what a note names is not fetched just because somebody reads it.
        if (link.href === null) plain += text.slice(at, link.end);
        else {
          const children = depth < MOST_DEPTH ? parseInline(link.label, depth + 1, true) : [];
          push({
            kind: 'link',
            href: link.href,
            children: children.length > 0 ? children : [words(link.href)],
          });
        }
        end = link.end;
      }
    } else if (!isInLink && (letter === 'h' || letter === 'H') && !WORD.test(text[at - 1] ?? '')) {
      const address = addressAt(text, at);
      if (address !== null) {
        push({ kind: 'link', href: address.href, children: [words(address.text)] });
        end = at + address.text.length;
      }
    } else if (depth < MOST_DEPTH) {
      for (const { mark, kind } of PAIRS) {
        if (!text.startsWith(mark, at) || hopeless.has(mark) || !canOpen(text, at, mark)) continue;
        const close = closingMark(text, at + mark.length, mark);
        if (close < 0) {
          hopeless.add(mark);
          continue;
        }
        push({ kind, children: parseInline(text.slice(at + mark.length, close), depth + 1, isInLink) });
        end = close + mark.length;
        break;
      }
    }
    if (end < 0) {
      plain += letter;
      end = at + 1;
    }
    at = end;
  }
  if (plain !== '') parts.push({ kind: 'text', text: plain });
  return parts;
}

function words(text: string): Inline {
  return { kind: 'text', text };
}

function runOf(text: string, at: number, letter: string): string {
  let end = at;
  while (text[end] === letter) end++;
  return text.slice(at, end);
}

function closingTicks(text: string, from: number, mark: string): number {
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at)) {
    const length = runOf(text, at, '`').length;
    if (length === mark.length) return at;
    at += length;
  }
  return -1;
}

/** `` ` a ` ``: a space at both ends only makes room for a tick. */
function codeText(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.startsWith(' ') && line.endsWith(' ') && line.trim() !== '' ? line.slice(1, -1) : line;
}

function canOpen(text: string, at: number, mark: string): boolean {
  const next = text[at + mark.length];
  if (next === undefined || /\s/.test(next)) return false;
  // snake_case_names are names, not emphasis.
  return mark[0] !== '_' || !WORD.test(text[at - 1] ?? '');
}

function closingMark(text: string, from: number, mark: string): number {
  for (let at = text.indexOf(mark, from + 1); at >= 0; at = text.indexOf(mark, at + 1)) {
    const before = text[at - 1]!;
    const after = text[at + mark.length] ?? '';
    if (/\s/.test(before) || before === '\\') continue;
    if (mark.length === 1 && (before === mark || after === mark)) continue;
    // ***both***: the outer pair ends last.
    if (mark.length === 2 && after === mark[0]) continue;
    if (mark[0] === '_' && WORD.test(after)) continue;
    return at;
  }
  return -1;
}

interface FoundLink {
  readonly label: string;
  /** null: an address that is not for us; it stays text. */
  readonly href: string | null;
  readonly end: number;
}

function linkAt(text: string, from: number, hopeless: Set<string>): FoundLink | null {
  if (hopeless.has('](')) return null;
  const middle = text.indexOf('](', from);
  const end = middle < 0 ? -1 : endOfAddress(text, middle + 2);
  if (end < 0) {
    hopeless.add('](');
    return null;
  }
  // What stands between the brackets ends at the first one that closes: "[x] and [y](z)" has one link.
  const label = text.slice(from, middle);
  if (label.includes(']') || label.includes('\n\n')) return null;
  const address =
    text
      .slice(middle + 2, end)
      .trim()
      .split(/\s/, 1)[0] ?? '';
  return { label, href: safeHref(address.replace(/^<|>$/g, '')), end: end + 1 };
}

/** Where the bracket is closed again; addresses may have brackets in pairs. */
function endOfAddress(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')' && open-- === 0) return at;
  }
  return -1;
}

function addressAt(text: string, at: number): { href: string; text: string } | null {
  ADDRESS.lastIndex = at;
  const found = ADDRESS.exec(text)?.[0].replace(/[.,;:!?*_~)\]}]+$/, '');
  const href = found === undefined ? null : safeHref(found);
  return found === undefined || href === null ? null : { href, text: found };
}

/** Only what a browser opens as a page elsewhere: no scripts, no files, nothing of this server. */
export function safeHref(address: string): string | null {
  if (!/^https?:\/\//i.test(address)) return null;
  try {
    const url = new URL(address);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
