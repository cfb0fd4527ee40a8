// What is looked for in the texts of a page, so that it stands out in those that are shown: by the browser's own highlights, which
// add nothing to the page. A browser without them shows the text as it is.
import type { Attachment } from 'svelte/attachments';
import { onePerPage } from '../../state/one-per-page.svelte';

/** Also the name in ::highlight(). */
export const HIGHLIGHT = 'found';
/** Of one text; more of them are no help. */
const MOST_MATCHES = 1000;
const MOST_CHARS = 500_000;

interface Query {
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

class SearchedText {
  query = $state.raw<Query>({ text: '', isCaseSensitive: false });

  /** '' : nothing. */
  set(text: string, isCaseSensitive: boolean): void {
    this.query = { text, isCaseSensitive };
  }
}

export const searchedTextOf = onePerPage(() => new SearchedText());

/** Marks what is searched for within the element, and again when its words change. */
export function highlightMatches(searched: SearchedText): Attachment<HTMLElement> {
  return (element) => {
    const { query } = searched;
    if (query.text === '' || !('highlights' in CSS)) return;
    const all = CSS.highlights.get(HIGHLIGHT) ?? new Highlight();
    CSS.highlights.set(HIGHLIGHT, all);
    let ranges: Range[] = [];
    let frame: number | null = null;
    const clear = (): void => {
      for (const range of ranges) all.delete(range);
      ranges = [];
    };
    const mark = (): void => {
      frame = null;
      clear();
      ranges = matchesIn(element, query);
      for (const range of ranges) all.add(range);
    };
    // Formulas and colours of code come after the words.
    const observer = new MutationObserver(() => (frame ??= requestAnimationFrame(mark)));
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    mark();
    return () => {
      observer.disconnect();
      if (frame !== null) cancelAnimationFrame(frame);
      clear();
    };
  };
}

/** Within one stretch of letters each: what reaches from bold ones into others is not found. */
export function matchesIn(element: HTMLElement, { text, isCaseSensitive }: Query): Range[] {
  const found: Range[] = [];
  const fold = (words: string): string => (isCaseSensitive ? words : words.toLowerCase());
  const needle = fold(text);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = MOST_CHARS;
  while (walker.nextNode() !== null && left > 0) {
    const node = walker.currentNode as Text;
    const words = fold(node.data);
    left -= words.length;
    // Letters that are longer in the other case would move the places behind them.
    if (words.length !== node.data.length) continue;
    for (let at = words.indexOf(needle); at >= 0; at = words.indexOf(needle, at + needle.length)) {
      if (found.length === MOST_MATCHES) return found;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      found.push(range);
    }
  }
  return found;
}
