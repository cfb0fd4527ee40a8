// Formulas in Markdown: $…$ within a line, $$…$$ and ```math as a block. What is money stays money: a dollar opens only before
// something, closes only behind something and never before a digit ("$5 and $6", "$5–$6").
import type { MarkdownIt } from 'markdown-it';

/** The words that tell formulas from code on the way through the sanitiser. */
export const INLINE_MATH = 'math-inline';
export const DISPLAY_MATH = 'math';

/** Longer than any formula that somebody reads; bounds the search for the other dollar. */
const MOST_CHARS = 2000;
const DOLLAR = 36;

export function addMath(markdown: MarkdownIt): void {
  const escape = markdown.utils.escapeHtml;
  markdown.inline.ruler.before('escape', 'math', (state, isSilent) => {
    if (state.src.charCodeAt(state.pos) !== DOLLAR) return false;
    const found = formulaAt(state.src, state.pos, state.posMax);
    if (found === null) return false;
    if (!isSilent) {
      const token = state.push('math', 'code', 0);
      token.content = found.tex;
      token.markup = found.isDisplay ? DISPLAY_MATH : INLINE_MATH;
    }
    state.pos = found.end;
    return true;
  });
  markdown.block.ruler.before(
    'fence',
    'math',
    (state, startLine, endLine, isSilent) => {
      const lineAt = (line: number): string =>
        state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
      if (lineAt(startLine).trim() !== '$$' || state.sCount[startLine]! - state.blkIndent >= 4) return false;
      let line = startLine + 1;
      while (line < endLine && lineAt(line).trim() !== '$$') line++;
      if (line >= endLine) return false;
      const tex = state.getLines(startLine + 1, line, state.blkIndent, false);
      if (tex.length > MOST_CHARS) return false;
      if (isSilent) return true;
      const token = state.push('math', 'code', 0);
      token.content = tex;
      token.markup = DISPLAY_MATH;
      state.line = line + 1;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  markdown.renderer.rules['math'] = (tokens, index) => {
    const { content, markup } = tokens[index]!;
    return `<code class="language-${markup}">${escape(content)}</code>`;
  };
}

interface Formula {
  readonly tex: string;
  readonly isDisplay: boolean;
  readonly end: number;
}

export function formulaAt(text: string, start: number, textEnd: number): Formula | null {
  if (text[start - 1] === '$') return null;
  const isDisplay = text[start + 1] === '$';
  const mark = isDisplay ? '$$' : '$';
  const from = start + mark.length;
  const limit = Math.min(textEnd, from + MOST_CHARS);
  if (!isDisplay && /\s|^$/.test(text.slice(from, from + 1))) return null;
  let at = text.indexOf(mark, from);
  while (at > 0 && text[at - 1] === '\\') at = text.indexOf(mark, at + 1);
  if (at < 0 || at >= limit) return null;
  if (!isDisplay && (/\s/.test(text[at - 1]!) || /[0-9$]/.test(text[at + 1] ?? ''))) return null;
  const tex = text.slice(from, at);
  // A tick is code, and an empty line ends whatever it was.
  if (tex.trim() === '' || tex.includes('`') || /\n\s*\n/.test(tex)) return null;
  if (!isDisplay && MONEY.test(tex)) return null;
  return { tex, isDisplay, end: at + mark.length };
}

/** A price and then words, up to the next price: "$5 or US$ 7". */
const MONEY = /^[\d.,]+\s[^\\^_={]*[A-Za-z]{2}[^\\^_={]*$/;
