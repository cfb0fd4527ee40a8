// Formulas while they are typed: what could come next. The language itself is the server's (docs/formulas.md); here only the
// word at the caret is looked at.
import { fuzzyRanked } from '../../../state/fuzzy';

export interface FormulaFunction {
  readonly name: string;
  /** What stands between its brackets. */
  readonly parameters: string;
  readonly detail: string;
}

/** A test compares the names with docs/formulas.md. */
export const FUNCTIONS: readonly FormulaFunction[] = [
  { name: 'ema', parameters: 'x, weight', detail: 'moving average' },
  { name: 'mean', parameters: 'x, n', detail: 'mean of n points' },
  { name: 'diff', parameters: 'x', detail: 'to the point before' },
  { name: 'lag', parameters: 'x, n', detail: 'n points before' },
  { name: 'cumsum', parameters: 'x', detail: 'sum so far' },
  { name: 'cummin', parameters: 'x', detail: 'least so far' },
  { name: 'cummax', parameters: 'x', detail: 'greatest so far' },
  { name: 'abs', parameters: 'x', detail: 'without its sign' },
  { name: 'sign', parameters: 'x', detail: '−1, 0 or 1' },
  { name: 'sqrt', parameters: 'x', detail: 'square root' },
  { name: 'exp', parameters: 'x', detail: 'e to the power of x' },
  { name: 'log', parameters: 'x', detail: 'natural logarithm' },
  { name: 'log2', parameters: 'x', detail: 'binary logarithm' },
  { name: 'log10', parameters: 'x', detail: 'decimal logarithm' },
  { name: 'min', parameters: 'a, b', detail: 'least of several' },
  { name: 'max', parameters: 'a, b', detail: 'greatest of several' },
  { name: 'clip', parameters: 'x, low, high', detail: 'kept between two numbers' },
  { name: 'hist_mean', parameters: 'tag', detail: 'mean of a histogram' },
  { name: 'hist_std', parameters: 'tag', detail: 'standard deviation of a histogram' },
  { name: 'hist_min', parameters: 'tag', detail: 'least value of a histogram' },
  { name: 'hist_max', parameters: 'tag', detail: 'greatest value of a histogram' },
  { name: 'hist_quantile', parameters: 'tag, share', detail: 'quantile of a histogram' },
  { name: 'hist_zeros', parameters: 'tag', detail: 'share of zeros of a histogram' },
  { name: 'hist_count', parameters: 'tag', detail: 'how many values a histogram counted' },
];

const NAMES: readonly { readonly name: string; readonly detail: string }[] = [
  { name: 'step', detail: 'step of the point' },
  { name: 'time', detail: 'seconds since the first point' },
];

interface FormulaOffer {
  readonly label: string;
  readonly detail: string;
  /** Takes the place of text[from..to]. */
  readonly insert: string;
}

export interface FormulaOffers {
  readonly from: number;
  readonly to: number;
  readonly items: readonly FormulaOffer[];
}

const MOST_OFFERS = 8;
/** Of a log with very many tags only so many are looked at: the box must keep up with typing. */
const MOST_TAGS = 5000;

/** A name as it may stand in a formula: in quotes where it could be read as something else. */
export function tagInFormula(tag: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_./:]*$/u.test(tag);
  const isName = [...FUNCTIONS, ...NAMES].some(({ name }) => name === tag);
  return isPlain && !isName ? tag : `\`${tag.replaceAll('`', '``')}\``;
}

/** What could stand at the caret, the likeliest first. Nothing where nothing has been typed yet. */
export function formulaOffers(text: string, caret: number, tags: readonly string[]): FormulaOffers {
  const { from, word } = wordAt(text, caret);
  const none = { from: caret, to: caret, items: [] };
  if (word === '' || /^[\d.]/.test(word)) return none;
  // Both are parts of names and operators: “loss-va” may be the beginning of a second name.
  const starts = [0, ...[...word.matchAll(/[-/]/g)].map(({ index }) => index + 1)];
  for (const start of starts) {
    const typed = word.slice(start);
    const fitting = typed === '' ? [] : offersFor(typed, tags);
    if (fitting.length === 0) continue;
    // What is there already helps nobody.
    const items = fitting.filter(({ insert }) => insert !== typed).slice(0, MOST_OFFERS);
    return { from: from + start, to: caret, items };
  }
  return none;
}

function wordAt(text: string, caret: number): { from: number; word: string } {
  const before = text.slice(0, caret);
  const quote = openQuote(before);
  if (quote !== -1) return { from: quote, word: before.slice(quote + 1) };
  const [word] = /[^\s+*^(),`"]*$/.exec(before) ?? [''];
  return { from: caret - word.length, word };
}

/** Where a quote begins that has not ended; −1: none. A quote that is written twice ends and begins at once. */
function openQuote(before: string): number {
  let open = -1;
  for (let i = 0; i < before.length; i++) {
    const char = before[i];
    if (open === -1 ? char === '`' || char === '"' : char === before[open]) open = open === -1 ? i : -1;
  }
  return open;
}

function offersFor(word: string, tags: readonly string[]): FormulaOffer[] {
  const fits = ({ name }: { readonly name: string }): boolean => name.startsWith(word);
  const named = [
    ...tags
      .slice(0, MOST_TAGS)
      .map((name) => ({ name, offer: { label: name, detail: 'tag', insert: tagInFormula(name) } })),
    ...FUNCTIONS.filter(fits).map(({ name, parameters, detail }) => ({
      name,
      offer: { label: `${name}(${parameters})`, detail, insert: `${name}(` },
    })),
    ...NAMES.filter(fits).map(({ name, detail }) => ({ name, offer: { label: name, detail, insert: name } })),
  ];
  return fuzzyRanked(word, named, ({ name }) => name).map(({ item }) => item.offer);
}
