// Cleaned markup → elements of the page, each made anew: nothing gets in that is not made here, with the attributes that are set
// here. So neither a name nor an id, a class, a style or a handler of a logged text can reach the page, even if the sanitiser
// before it had a hole.
import { ALLOWED_TAGS, isInlinePicture, safeHref } from './allowed';
import { DISPLAY_MATH, INLINE_MATH } from './math-rules';

export interface Formula {
  readonly element: HTMLElement;
  readonly tex: string;
  readonly isDisplay: boolean;
}

export interface CodeBlock {
  readonly element: HTMLElement;
  readonly language: string;
  readonly text: string;
}

export interface Rebuilt {
  readonly fragment: DocumentFragment;
  /** For math.ts and highlight.ts, which come later. Until then they are shown as they were typed. */
  readonly formulas: readonly Formula[];
  readonly codeBlocks: readonly CodeBlock[];
}

/** Deeper ones give their words only. */
const MOST_DEPTH = 64;
/** Of one attribute; a picture within the text may be as large as the text. */
const MOST_TITLE_CHARS = 500;
const HEADING = /^h([1-6])$/;
/** Below the headings of what it stands in. */
const HEADING_TAGS = ['h4', 'h5', 'h6'] as const;

const ELEMENT = 1;
const TEXT = 3;

export function rebuild(source: Node): Rebuilt {
  const fragment = document.createDocumentFragment();
  const builder = new Builder();
  builder.content(source, fragment, 0);
  // Arabic and Hebrew run from the right, and so do their lists and tables; code does not. What is within a block goes with
  // it: a block does not look at parts that have a direction of their own.
  for (const block of fragment.children) if (block.localName !== 'pre') block.setAttribute('dir', 'auto');
  const { formulas, codeBlocks } = builder;
  return { fragment, formulas, codeBlocks };
}

class Builder {
  readonly formulas: Formula[] = [];
  readonly codeBlocks: CodeBlock[] = [];

  content(from: Node, into: Node, depth: number): void {
    for (const child of from.childNodes) {
      if (child.nodeType === TEXT) into.appendChild(document.createTextNode(child.nodeValue ?? ''));
      else if (child.nodeType === ELEMENT) this.#element(child as Element, into, depth);
    }
  }

  #element(from: Element, into: Node, depth: number): void {
    const tag = from.localName;
    if (depth >= MOST_DEPTH) {
      into.appendChild(document.createTextNode(from.textContent));
      return;
    }
    if (!ALLOWED_TAGS.has(tag) || from.namespaceURI !== 'http://www.w3.org/1999/xhtml') {
      // Words of scripts and styles are no words for people; the sanitiser has taken them out, and so do we.
      if (!SILENT_TAGS.has(tag)) this.content(from, into, depth + 1);
      return;
    }
    const level = HEADING.exec(tag)?.[1];
    if (level !== undefined) {
      const made = append(into, HEADING_TAGS[Math.min(Number(level), 3) - 1]!);
      made.className = `level-${level}`;
      this.content(from, made, depth + 1);
    } else if (tag === 'a') this.#link(from, into, depth);
    else if (tag === 'img') picture(from, into);
    else if (tag === 'code') this.#code(from, into);
    else if (tag === 'table') this.#table(from, into, depth);
    else this.#plain(from, into, depth);
  }

  #table(from: Element, into: Node, depth: number): void {
    const frame = append(into, 'div');
    frame.className = 'wide';
    // A stop for Tab: wide tables scroll by keys too.
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', 'Table');
    this.content(from, append(frame, 'table'), depth + 1);
  }

  #plain(from: Element, into: Node, depth: number): void {
    const tag = from.localName;
    const made = append(into, tag);
    const start = tag === 'ol' ? /^-?\d{1,9}$/.exec(from.getAttribute('start') ?? '')?.[0] : undefined;
    if (start !== undefined && start !== '1') made.setAttribute('start', start);
    const align = tag === 'td' || tag === 'th' ? from.getAttribute('align')?.toLowerCase() : undefined;
    if (align === 'left' || align === 'center' || align === 'right') made.className = `align-${align}`;
    if (tag === 'li' && /^\s*[☐☑] /.test(from.textContent)) made.className = 'task';
    if (tag === 'pre') made.tabIndex = 0;
    this.content(from, made, depth + 1);
  }

  #link(from: Element, into: Node, depth: number): void {
    const href = safeHref(from.getAttribute('href') ?? '');
    // What leads nowhere is no link.
    if (href === null) {
      this.content(from, into, depth + 1);
      return;
    }
    const made = linkTo(href, into);
    const title = from.getAttribute('title');
    made.title = title ? title.slice(0, MOST_TITLE_CHARS) : href.slice(0, MOST_TITLE_CHARS);
    this.content(from, made, depth + 1);
  }

  #code(from: Element, into: Node): void {
    const text = from.textContent;
    const language =
      /(?:^| )language-([\w+#.-]{1,30})(?: |$)/.exec(from.getAttribute('class') ?? '')?.[1] ?? '';
    if (language === INLINE_MATH || language === DISPLAY_MATH) {
      const made = append(into, 'span');
      made.className = 'math';
      made.textContent = text;
      this.formulas.push({ element: made, tex: text, isDisplay: language === DISPLAY_MATH });
      return;
    }
    const made = append(into, 'code');
    made.textContent = text;
    const isBlock = into.nodeType === ELEMENT && (into as Element).localName === 'pre';
    if (isBlock && language !== '')
      this.codeBlocks.push({ element: made, language: language.toLowerCase(), text });
  }
}

function picture(from: Element, into: Node): void {
  const source = from.getAttribute('src') ?? '';
  const alternative = (from.getAttribute('alt') ?? '').slice(0, MOST_TITLE_CHARS);
  const title = (from.getAttribute('title') ?? '').slice(0, MOST_TITLE_CHARS);
  if (isInlinePicture(source)) {
    const made = append(into, 'img') as HTMLImageElement;
    made.className = 'picture';
    made.alt = alternative;
    if (title !== '') made.title = title;
    made.src = source;
    return;
  }
  const href = safeHref(source);
  if (href === null || href.startsWith('mailto:')) {
    into.appendChild(document.createTextNode(alternative));
    return;
  }
  // Fetching it would tell a stranger who reads this log: it is for the reader to decide.
  const inLink = into.nodeType === ELEMENT && (into as Element).closest('a') !== null;
  const made = inLink ? append(into, 'span') : linkTo(href, into);
  made.className = 'remote-picture';
  made.title = title === '' ? href.slice(0, MOST_TITLE_CHARS) : title;
  const words = alternative === '' ? 'picture' : `picture “${alternative}”`;
  made.textContent = `Load ${words} from ${new URL(href).host}`;
}

const SILENT_TAGS: ReadonlySet<string> = new Set(
  'script style template noscript iframe object embed svg math title textarea select xmp noembed noframes'.split(
    ' ',
  ),
);

function append(into: Node, tag: string): HTMLElement {
  return into.appendChild(document.createElement(tag));
}

function linkTo(href: string, into: Node): HTMLAnchorElement {
  const made = append(into, 'a') as HTMLAnchorElement;
  made.href = href;
  made.target = '_blank';
  made.rel = 'noopener noreferrer';
  return made;
}
